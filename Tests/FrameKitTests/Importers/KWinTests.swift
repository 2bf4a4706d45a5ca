import Testing

@testable import FrameImporters
@testable import FrameTrace

/// What KWin's log of an output says of the display, and of times that it does not know.
@Suite struct KWinTests {
  private static func read(_ rows: [String]) throws -> Trace {
    let header =
      "target pageflip timestamp,pageflip timestamp,render start,render end,safety margin,refresh duration,vrr,tearing,predicted render time"
    return try TestData.read(text: ([header] + rows).joined(separator: "\n") + "\n")
  }

  @Test func aFixedDisplayHasAnInterval() throws {
    let trace = try Self.read(["20,30,5,8,1,16666667,0,0,2", "40,50,25,28,1,16666667,0,1,2"])
    #expect(trace.displays.first?.interval == Nanoseconds(16_666_667))
    #expect(trace.displays.first?.isVariable == false)
    let frames = trace.surfaces[0].frames
    #expect((0..<2).map { frames[$0, .syncInterval] } == [1, 0])
  }

  /// The refresh duration of a display that waits for frames is its shortest.
  @Test func aVariableDisplayHasAShortestInterval() throws {
    let trace = try Self.read(["20,30,5,8,1,6944444,1,0,2", "40,50,25,28,1,6944444,0,0,2"])
    #expect(trace.displays.first?.isVariable == true)
    #expect(trace.displays.first?.shortestInterval == Nanoseconds(6_944_444))
    #expect(trace.displays.first?.interval == nil)
  }

  /// 0 is not known, and rendering cannot end before it starts.
  @Test func unknownTimesAreMissing() throws {
    let trace = try Self.read(["0,30,0,0,1,0,0,0,0", "40,50,28,25,1,0,0,0,0"])
    let frames = trace.surfaces[0].frames
    for column in [FrameColumn.appStart, .commit] {
      #expect((0..<2).map { frames[$0, column] } == [nil, nil])
    }
    #expect((0..<2).map { frames[$0, .expectedDisplay] } == [nil, 40])
  }
}
