import Testing

@testable import FrameImporters
@testable import FrameTrace

/// A recording in several files of the native format.
@Suite("A native recording in parts")
struct NativePartsTests {
  /// One file of a recording: three frames, and the records that every file repeats.
  private static func part(_ number: Int?, unit: String = "ms") throws -> InputFile {
    let scale = unit == "us" ? 1000 : 1
    let header = number.map { ", \"part\": \($0)" } ?? ""
    var text = "{\"schema\": \"frametool.trace/1\", \"unit\": \"\(unit)\"\(header)}\n"
    text += "{\"type\": \"clock\", \"name\": \"CLOCK_MONOTONIC\", \"join\": \"traceClock\"}\n"
    text += "{\"type\": \"surface\", \"id\": \"wl_surface 3\", \"composited\": true}\n"
    for frame in ((number ?? 1) - 1) * 3..<(number ?? 1) * 3 {
      let (commit, displayed) = (frame * 16 * scale, (frame * 16 + 10) * scale)
      text +=
        "{\"type\": \"frame\", \"id\": \(frame), \"commit\": \(commit), \"displayed\": \(displayed)}\n"
    }
    return try file(text, "run.part\(number ?? 0).jsonl")
  }

  private static func file(_ text: String, _ path: String) throws -> InputFile {
    try InputFile(bytes: Array(text.utf8), path: path)
  }

  @Test(arguments: [[1, 2, 3], [3, 1, 2], [2, 3, 1]])
  func areOneTraceInAnyOrder(_ order: [Int]) throws {
    let parts = try order.map { try Self.part($0, unit: $0 == 2 ? "us" : "ms") }
    let trace = try Importers.read(recording: parts)
    let frames = trace.surfaces[0].frames
    #expect(trace.surfaces.count == 1 && trace.clocks.count == 1 && trace.issues.isEmpty)
    #expect((0..<frames.count).map { frames[$0, .identifier] } == (0..<9).map { Int64($0) })
    #expect(
      (0..<frames.count).map { frames[$0, .commit] } == (0..<9).map { Int64($0) * 16_000_000 })
    #expect(trace.surfaces[0].isComposited == true)
  }

  @Test func aPartThatIsMissingIsTold() throws {
    let trace = try Importers.read(recording: [
      try Self.part(5), try Self.part(1), try Self.part(2),
    ])
    #expect(trace.surfaces[0].frames.count == 9)
    #expect(trace.issues.map(\.message) == ["missing parts of the recording"])
    #expect(trace.issues.map(\.count) == [2])
  }

  @Test(arguments: ["0", "-9223372036854775807", "9223372036854775807", "\"1\"", "1e300"])
  func aPartsNumberIsOne(_ number: String) throws {
    let text = "{\"schema\": \"frametool.trace/1\", \"part\": \(number)}\n"
    #expect(throws: ParseError.self) {
      try Importers.read(recording: [try Self.part(1), try Self.file(text, "other.jsonl")])
    }
  }

  @Test func tracesOfTheirOwnAreNotOneRecording() {
    #expect(throws: ParseError.self) {
      try Importers.read(recording: [try Self.part(1), try Self.part(nil)])
    }
    let again = "{\"schema\": \"frametool.trace/1\", \"part\": 2}\n"
    #expect(throws: ParseError.self) {
      try Importers.read(recording: [
        try Self.part(2), try Self.file(again, "other.jsonl"),
      ])
    }
  }
}
