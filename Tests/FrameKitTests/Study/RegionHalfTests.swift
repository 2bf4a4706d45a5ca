import FrameImporters
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// Parts of a trace next to each other.
@Suite struct RegionHalfTests {
  /// Wherever a trace is cut, its parts share no frame and leave none out, in whatever order frames are shown.
  @Test(arguments: 0..<40)
  func partsHaveTheFramesOfTheWhole(_ seed: UInt64) throws {
    let trace = AnyTrace.make(seed: seed)
    let range = try #require(trace.timeRange)
    for part in 1..<8 {
      let cut = range.lowerBound + range.length * Int64(part) / 8
      for surface in trace.surfaces {
        let first = TraceRegion(start: nil, end: cut).rows(of: surface.frames)
        let second = TraceRegion(start: cut, end: nil).rows(of: surface.frames)
        #expect(first.upperBound == second.lowerBound || first.isEmpty || second.isEmpty)
        #expect(first.count + second.count == surface.frames.count)
      }
    }
  }
}
