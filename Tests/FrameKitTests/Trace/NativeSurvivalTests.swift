import Foundation
import Testing

@testable import FrameImporters
@testable import FrameTrace

/// Whatever was read is written and read again without a change, also from input that went wrong before.
@Suite struct NativeSurvivalTests {
  private static let inputs = ["Tests/Broken", "Tests/Golden"].flatMap { folder in
    let root = TestData.root.appending(path: folder)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let all = (files?.allObjects as? [URL] ?? []).filter { file in
      !file.hasDirectoryPath && file.pathExtension != "expected"
        && (folder == "Tests/Broken" || file.lastPathComponent.hasPrefix("input."))
        // Tables without a known header are read only with the columns that `arguments` name.
        && file.lastPathComponent != "arguments" && !file.pathComponents.contains("csv")
    }
    return all.map(\.path).sorted()
  }

  private static func native(_ trace: Trace) -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = NativeWriter(trace) { bytes += $0 }
    writer.write()
    return bytes
  }

  @Test(arguments: inputs) func nothingChanges(_ path: String) throws {
    var choice = ImportChoice()
    // The folder of a broken file names its format.
    let folder = URL(filePath: path).deletingLastPathComponent().lastPathComponent
    if Importers.formats.contains(where: { $0.name == folder }) {
      choice.format = folder
    }
    // What is refused has nothing that could survive; its text begins with the status.
    let expected = try? String(contentsOfFile: "\(path).expected", encoding: .utf8)
    guard expected?.hasPrefix("exit status 0") ?? true else { return }
    let trace = try Importers.read(InputFile(path: path), as: choice)
    let first = Self.native(trace)
    let again = Self.native(try Importers.read(InputFile(bytes: first)))
    #expect(again == first, "\(path)")
    var packed: [UInt8] = []
    PackedWriter(trace) { packed += $0 }.write()
    let unpacked = Self.native(try Importers.read(InputFile(bytes: packed)))
    #expect(unpacked == first, "\(path), packed")
  }

  @Test func theInputsAreFound() { #expect(Self.inputs.count > 120, "\(Self.inputs.count)") }
}
