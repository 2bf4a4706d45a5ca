import Foundation
import Testing

/// What holds of the source itself.
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

  /// A small house with a drawing, and a line of code for each of two rooms.
  private static func house(
    _ drawing: String, first: String, second: String
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for path in ["scripts", "Sources/FrameKit/First", "Sources/FrameKit/Second"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: path), withIntermediateDirectories: true)
    }
    let files = [
      "CONTRIBUTING.md": "```mermaid\n\(drawing)\n```\n",
      "Sources/FrameKit/First/One.swift": "\(first)\n",
      "Sources/FrameKit/Second/Two.swift": "\(second)\n",
    ]
    for (path, text) in files {
      try Data(text.utf8).write(to: folder.url.appending(path: path))
    }
    try FileManager.default.copyItem(
      at: Run.root.appending(path: "scripts/rooms"),
      to: folder.url.appending(path: "scripts/rooms"))
    return folder
  }

  @Test(arguments: [
    ("First --> Second", "struct One {}", "struct Two { let one: One }", nil),
    (
      "First --> Second", "struct One { let two: Two }", "struct Two { let one: One }",
      "Two is of Second, from which no way leads to First"
    ),
    (
      "First --> Second", "struct One {}", "struct Two {}",
      "no type of First is named in Second, and an arrow says so"
    ),
    ("First", "struct One {}", "struct Two {}", "Second is not in the drawing"),
    (
      "First --> Second --> Third", "struct One {}", "struct Two { let one: One }",
      "Third is drawn, and there is no such room"
    ),
    (
      "First --> Second --> First", "struct One { let two: Two }", "struct Two { let one: One }",
      "a way leads back from"
    ),
  ])
  func theDrawingOfTheRoomsIsHeldAgainstTheCode(
    _ drawing: String, _ first: String, _ second: String, _ words: String?
  ) throws {
    let folder = try Self.house(drawing, first: first, second: second)
    let answer = try Self.run("scripts/rooms", in: folder.url)
    #expect((answer.status == 0) == (words == nil), "\(answer.words)")
    if let words {
      #expect(answer.words.contains(words), "\(answer.words)")
    } else {
      #expect(answer.words == "")
    }
  }
}
