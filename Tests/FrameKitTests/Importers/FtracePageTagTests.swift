import Testing

@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// The tags of trace viewer pages, which are searched in one pass.
@Suite struct FtracePageTagTests {
  private static let block = "<script class=\"trace-data\" type=\"application/text\">"
  private static let legacy = "linuxPerfData = \"\\"
  private static let lineEnd = "\\n\\\n"

  /// Pieces of tags in any order, at any distance, and whole tags at both ends: the same tags as a comparison at
  /// every index finds.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func tagsAreFound(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let tags = [Self.block, Self.legacy, Self.lineEnd, "<idle>-0", "\\", "\\n", "<", "x", "\n"]
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let tag = Array(tags[Int.random(in: 0..<tags.count, using: &random)].utf8)
      let isWhole = Int.random(in: 0..<3, using: &random) > 0
      text += isWhole ? tag : Array(tag.prefix(Int.random(in: 0...tag.count, using: &random)))
    }
    // What is before and after the range, even the rest of a tag, does not count.
    let lead = Array(Self.legacy.utf8.prefix(Int.random(in: 0...10, using: &random)))
    let bytes = lead + text + Array("\\n\\\n<script".utf8)
    let range = lead.count..<lead.count + text.count
    let found = FtracePageTags(bytes.span, range)
    #expect(found.blocks == Self.ends(of: Self.block, in: text, lead.count))
    #expect(found.legacy == Self.ends(of: Self.legacy, in: text, lead.count).first)
    #expect(found.hasLineEnd == !Self.ends(of: Self.lineEnd, in: text, lead.count).isEmpty)
  }

  /// A page in which blocks of data do not end has each of their lines once.
  @Test func linesOfOpenBlocksAreReadOnce() throws {
    let line = "app-7 ( 7) [000] ...1 1.000000: tracing_mark_write: I|7|tap\n"
    let page = "<!DOCTYPE html>\n" + String(repeating: Self.block + "\n" + line, count: 50)
    let trace = try Importers.read(InputFile(bytes: Array(page.utf8)))
    #expect(trace.markers.count == 50)
  }

  private static func ends(of tag: String, in text: [UInt8], _ offset: Int) -> [Int] {
    let wanted = Array(tag.utf8)
    return text.indices.filter { text[$0...].starts(with: wanted) }
      .map { $0 + wanted.count + offset }
  }
}
