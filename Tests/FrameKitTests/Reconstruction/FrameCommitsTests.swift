import FrameStatistics
import FrameTrace
import Testing

@testable import FrameAnalysis

/// Commits that a trace lists one by one.
@Suite struct FrameCommitsTests {
  /// Each commit of a known frame is listed once, in the order of the trace, whatever the order of
  /// the frames; rows of other surfaces and commits without a frame are not.
  @Test(arguments: [0, 1, 2, 7, 50])
  func eachFrameHasItsCommits(_ count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for length in [0, 1, 2 * count, 300] {
      var commits = Table<CommitColumn>()
      for position in 0..<length {
        var row = Table<CommitColumn>.Row()
        row[.time] = Int64(position)
        row[.frame] = [nil, -1, Int64(count), Int64.max].randomElement(using: &random) ?? nil
        if count > 0, position % 5 > 0 {
          row[.frame] = Int64.random(in: 0..<Int64(count), using: &random)
        }
        commits.append(row)
      }
      let own = (0..<Int32(length)).filter { $0 % 3 > 0 }
      let found = FrameCommits(commits, own[...], ofFrames: count)
      let expected = Dictionary(grouping: own) { commits[Int($0), .frame] }
      for frame in 0...count {
        let known = frame < count ? expected[Int64(frame)] ?? [] : []
        #expect(Array(found[frame]) == known, "frame \(frame) of \(count), \(length) commits")
      }
    }
  }

  /// A frame's other app intervals are in order of their starts, then of their ends, and the same
  /// interval of several commits is listed once.
  @Test func appIntervalsAreInOrder() {
    let spans: [(start: Int64, end: Int64)] = [
      (300, 500), (200, 450), (200, 400), (200, 430), (200, 400), (100, 250),
    ]
    for order in [spans, spans.reversed(), Array(spans[2...] + spans[..<2])] {
      var builder = TraceBuilder(
        Provenance(file: "test", importer: "test", format: "test", reason: "made by a test"))
      builder.trace.displays = [Display(id: "display", interval: Nanoseconds(16_666_667))]
      let surface = builder.surface("window") { Surface(id: "window", display: 0) }
      for frame in 0..<Int64(3) {
        var row = Table<FrameColumn>.Row()
        row[.appStart] = 100 + frame * 16_666_667
        row[.displayed] = (frame + 2) * 16_666_667
        builder.trace.surfaces[surface].frames.append(row)
      }
      for span in order {
        var row = Table<CommitColumn>.Row()
        row[.time] = span.end - 10
        row[.surface] = Int64(surface)
        row[.frame] = 0
        row[.appStart] = span.start
        row[.appEnd] = span.end
        builder.trace.commits.append(row)
      }
      let pipeline = Pipeline(reconstructing: builder.finish())
      let listing = FrameListing(pipeline.surfaces[surface])
      let more = listing[0].moreAppIntervals.map {
        [$0.lowerBound.nanoseconds, $0.upperBound.nanoseconds]
      }
      #expect(more == [[200, 400], [200, 430], [200, 450], [300, 500]])
      #expect(listing[1].moreAppIntervals.isEmpty)
    }
  }
}
