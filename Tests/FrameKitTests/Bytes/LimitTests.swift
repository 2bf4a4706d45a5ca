import Testing

@testable import FrameImporters
@testable import FrameTrace

/// What the page of limits says, on both sides of each.
@Suite struct LimitTests {
  @Test(arguments: [
    (0, 256_000_000), (2_560_000, 256_000_000), (2_560_001, 256_000_100), (Int.max / 50, Int.max),
  ])
  func compressedDataMayGrow(_ size: Int, _ most: Int) {
    #expect(Inflation.most(of: size) == most)
  }

  /// A first line is taken as a whole up to 1 MiB; one that may be JSON or XML, and one that is binary, is not.
  @Test(arguments: [
    ("a", (1 << 16) - 1, 1 << 16), ("a", 1 << 16, (1 << 16) + 1), ("a", 70_000, 70_001),
    ("a", (1 << 20) - 1, 1 << 20), ("a", 1 << 21, 1 << 20),
    ("{", 70_000, 1 << 16), ("[", 70_000, 1 << 16), ("<", 70_000, 1 << 16), ("\0", 70_000, 1 << 16),
  ])
  func firstLinesAreTakenAsAWhole(_ first: String, _ length: Int, _ head: Int) throws {
    let text = first + String(repeating: "a", count: length - 1) + "\n"
    #expect(try InputFile(bytes: Array(text.utf8)).head.count == head)
  }

  private static let lines =
    #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n" + #"{"type": "surface", "id": "w"}"#
    + "\n"
    + (0..<20).map { #"{"type": "frame", "displayed": \#($0 * 16_666_667)}"# }.joined(
      separator: "\n")
    + "\n"

  /// What comes before a line that is too long is reported, together with what is not read.
  @Test(arguments: [(15 << 20, false), (17 << 20, true)])
  func longLinesEndAFile(_ length: Int, _ isTooLong: Bool) throws {
    let long = #"{"type": "surface", "id": "\#(String(repeating: "x", count: length))"}"#
    let trace = try TestData.read(
      text: Self.lines + long + "\n"
        + #"{"type": "frame", "surface": "w", "displayed": 999999999}"#,
      path: "long.jsonl")
    #expect(trace.frameCount == (isTooLong ? 20 : 21))
    #expect(trace.issues.contains { $0.message.contains("16384 KiB") } == isTooLong)
  }

  @Test(arguments: [(200, false), (300, true)])
  func deepXMLIsRefused(_ depth: Int, _ isTooDeep: Bool) {
    let text =
      #"<?xml version="1.0"?><trace-query-result>"# + String(repeating: "<a>", count: depth)
      + String(repeating: "</a>", count: depth) + "</trace-query-result>"
    let error = TestData.error(text: text, path: "deep.xml")
    #expect(error?.problem.contains("at most 256 levels") == isTooDeep, "\(error?.problem ?? "")")
  }

  @Test(arguments: [(10_000, false), (20_000, true)])
  func deepJSONIsLeftOut(_ depth: Int, _ isTooDeep: Bool) throws {
    let deep =
      #"{"type": "surface", "id": "v", "x": "# + String(repeating: "[", count: depth)
      + String(repeating: "]", count: depth) + "}\n"
    let trace = try TestData.read(text: Self.lines + deep, path: "deep.jsonl")
    #expect(trace.frameCount == 20)
    #expect((trace.surfaces.count == 1) == isTooDeep, "\(trace.issues)")
  }
}
