import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameTrace

/// Shares of buffer depth in several parts of a trace.
@Suite struct DepthShareTests {
  /// The shares of all parts are found in one pass, and are those of each part alone; weighed by their active time, they
  /// make up the shares of the whole.
  @Test(arguments: ["dropped-frames", "dynamics-at-rest", "triple-switch", "talk-double"])
  func sharesOfPartsAreThoseOfEachPart(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let study = Study(of: scenario.play(.init(frames: 300)).trace)
    let measured = study.surface(try #require(study.meant))
    let rebuilt = try #require(measured.rebuilt)
    let occupancy = try #require(measured.occupancy)
    let all = try #require(study.timeRange)
    for count in [1, 2, 7, 400] {
      let length = (all.upperBound - all.lowerBound).count / Int64(count)
      let parts = (0...Int64(count)).map { position in
        let start = all.lowerBound + Nanoseconds(position * length)
        return start..<start + Nanoseconds(length)
      }
      let shares = BufferFindings.depthShares(rebuilt, occupancy, within: parts)
      #expect(shares.count == parts.count && shares.contains { $0 != nil })
      for (part, share) in zip(parts, shares) {
        #expect(BufferFindings(rebuilt, occupancy, within: part).depthShares == share)
        #expect(share.map { abs($0.reduce(0, +) - 1) < 1e-9 } ?? true)
      }
    }
  }
}
