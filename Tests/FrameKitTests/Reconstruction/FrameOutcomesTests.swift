import Testing

@testable import FrameAnalysis
@testable import FrameTrace

@Suite struct FrameOutcomesTests {
  static func outcomes(_ frames: [String]) throws -> FrameOutcomes {
    let lines = frames.enumerated().map {
      "{\"type\": \"frame\", \"commit\": \($0 * 10)\($1.isEmpty ? "" : ", \($1)")}\n"
    }
    let trace = try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n" + lines.joined())
    return FrameOutcomes(of: trace.surfaces[0].frames)
  }

  @Test func aFrameBeforeADisplayedOneIsReplacedAndOneBehindIsNot() throws {
    let shown = "\"displayed\": 50"
    let lost = "\"fate\": \"discarded\""
    let found = try Self.outcomes(["", shown, lost, "", shown, lost, ""])
    #expect(found.count == 7)
    #expect(found.displayed == 2)
    #expect(found.replaced == 3)
    #expect(found.discarded == 1)
    #expect(found.unresolved == 1)
    #expect(found.dropped == 4)
  }

  @Test func aFrameThatTheSourceCallsDisplayedIsSoWithoutATime() throws {
    let found = try Self.outcomes(["", "\"fate\": \"displayed\""])
    #expect(found.displayed == 1)
    #expect(found.replaced == 1)
  }

  @Test func aSurfaceThatNeverShowsAnythingLeavesAllUnresolved() throws {
    let found = try Self.outcomes(["", "", ""])
    #expect(found.unresolved == 3)
    #expect(found.dropped == 0)
  }
}
