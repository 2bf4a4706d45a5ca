import Foundation
import Testing

/// Rules for the source code itself.
@Suite struct HouseTests {
  private struct Answer {
    let status: Int32
    let words: String
  }

  private static func run(_ script: String, in folder: URL) throws -> Answer {
    let process = Process()
    process.executableURL = folder.appending(path: script)
    let words = Pipe()
    process.standardOutput = words
    process.standardError = words
    try process.run()
    let said = words.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Answer(status: process.terminationStatus, words: String(decoding: said, as: UTF8.self))
  }

  @Test func theHouseIsInOrder() throws {
    let answer = try Self.run("scripts/house", in: Run.root)
    #expect(answer.status == 0, "\(answer.words)")
  }

  /// The modules of the library in the order of the list in `Package.swift`.
  private static func modules() throws -> [String] {
    let package = try String(
      contentsOf: Run.root.appending(path: "Package.swift"), encoding: .utf8)
    let list = try #require(
      package.firstMatch(of: /let modules = \[([^\]]*)\]/))
    return list.1.matches(of: /"(\w+)"/).map { String($0.1) }
  }

  /// The modules that a source file imports.
  private static func imports(_ text: String) -> [String] {
    text.matches(of: /(?m)^(?:@\w+ )?(?:public |package )?import (\w+)/).map { String($0.1) }
  }

  /// The package manager finds modules that were built before, declared or not, so a wrong import
  /// may compile until the next clean build.
  @Test func modulesUseOnlyThoseBeforeThem() throws {
    let modules = try Self.modules()
    #expect(modules.count == 7)
    for (position, module) in modules.enumerated() {
      let folder = Run.root.appending(path: "Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      var count = 0
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        count += 1
        let imports = Self.imports(try String(contentsOf: file, encoding: .utf8))
        let after = modules[position...] + ["FrameKit", "Fixtures", "frametool"]
        let wrong = imports.filter(after.contains)
        #expect(wrong == [], "\(file.lastPathComponent) of \(module)")
      }
      #expect(count > 10, "\(module)")
    }
  }

  @Test func theDrawingShowsTheModules() throws {
    let page = try MarkdownPage("CONTRIBUTING.md").text
    let drawing = try #require(page.firstMatch(of: /```mermaid\n([^`]*)```/)).1
    let drawn = Set(drawing.matches(of: /Frame\w+/).map { String($0.0) })
    #expect(drawn == Set(try Self.modules()).union(["FrameKit"]))
  }

  @Test func everythingPublicIsDocumented() throws {
    var count = 0
    for module in try Self.modules() {
      let folder = Run.root.appending(path: "Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        let found = Self.publicDeclarations(try String(contentsOf: file, encoding: .utf8))
        count += found.documented + found.bare.count
        #expect(found.bare == [], "\(file.lastPathComponent) of \(module)")
      }
    }
    #expect(count > 1000)
  }

  /// The number of public declarations with a doc comment, and the declarations without one.
  private static func publicDeclarations(_ text: String) -> (documented: Int, bare: [Substring]) {
    var documented = 0
    var bare: [Substring] = []
    var isDocumented = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      // Attributes are between a comment and its declaration, or on the declaration's line.
      if let match = words.firstMatch(of: /^(?:@\w+(?:\([^)]*\))? )*public (?!import)/) {
        if isDocumented { documented += 1 } else { bare.append(words[match.range.lowerBound...]) }
      }
      isDocumented = words.hasPrefix("///") || (isDocumented && words.hasPrefix("@"))
    }
    return (documented, bare)
  }

  @Test func aDeclarationWithoutACommentIsFound() {
    let text = """
      /// A struct.
      @usableFromInline
      public struct One {
        public let two: Int
        @inlinable public var three: Int { 3 }
        /// Four.
        public let four = 4
        package let five = 5
      }
      """
    let found = Self.publicDeclarations(text)
    #expect(found.documented == 2)
    #expect(found.bare.count == 2)
  }

  @Test func importsAreFoundWhateverIsBeforeThem() {
    let text = """
      import One
      public import Two

      @testable import Three
      // import Four
      @_exported public import Five
      """
    #expect(Self.imports(text) == ["One", "Two", "Three", "Five"])
  }
}
