import Foundation
import FrameImporters
import FrameStatistics
import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// Frames with times that cannot all be right.
@Suite struct ContradictionTests {
  /// Lengths that rounding makes negative are 0, others are left out, and a sample that is still in use stays as it is.
  @Test(
    arguments: [
      ([], [], 0), ([5, 3], [5, 3], 0), ([-1000, 5, -1, 0], [0, 5, 0, 0], 0),
      ([7, -1001, 5, -9_000_000, -2, 6], [7, 5, 0, 6], 2), ([-2000, -1001], [], 2),
    ] as [([Int64], [Int64], Int)])
  func roundedAndOddLengths(_ values: [Int64], _ kept: [Int64], _ leftOut: Int) {
    let sample = Sample(values)
    let found = Contradictions.lengths(sample)
    #expect(found.sample.values == kept && found.leftOut == leftOut)
    #expect(found.sample.sum == Int128(kept.reduce(0, +)))
    #expect(found.sample.limits?.low == kept.min() && found.sample.limits?.high == kept.max())
    #expect(sample.values == values)
  }

  /// Ten frames, of which one commits a number of nanoseconds before the app starts.
  private static func surface(_ distance: Int64) throws -> TraceAnalysis {
    let frames = (0..<10).map { (index: Int64) -> String in
      let start = index * 16_666_667 + 100_000_000
      let commit = index == 4 ? start - distance : start + 5_000_000
      let shown = start + 33_333_334
      return
        #"{"type": "frame", "appStart": \#(start), "commit": \#(commit), "displayed": \#(shown)}"#
    }
    let text =
      #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n"
      + #"{"type": "surface", "id": "w"}"# + "\n" + frames.joined(separator: "\n")
    return TraceAnalysis(of: try TestData.read(text: text, path: "odd.jsonl"))
  }

  /// Down to a microsecond, a negative length is rounding and counts as 0; beyond it, no length at all.
  @Test(arguments: [(Int64(1), false), (1000, false), (1001, true), (3_000_000, true)])
  func negativeLengthsAreLeftOut(_ distance: Int64, _ isContradiction: Bool) throws {
    let analysis = try Self.surface(distance)
    let surface = analysis.surfaces[0]
    let busy = try #require(surface["cpuBusy"])
    #expect(busy["min"]?.value == (isContradiction ? 5 : 0))
    #expect(
      busy.exclusions.map(\.count) == (isContradiction ? [1] : [])
        && busy.exclusions.allSatisfy { $0.reason == "times contradict each other" })
    #expect(busy.missing == 0)
    let found = surface.contradictions
    #expect((found != nil) == isContradiction)
    if isContradiction {
      #expect(found?.frames == 1 && found?.first == 4 && found?.distance == Nanoseconds(distance))
      let line = FindingLines(surface, of: analysis)[.times]
      #expect(
        line?.hasPrefix(
          "times contradict each other in 1 of 10 frames, left out of figures between them; first frame 4: commit is "
        ) == true, "\(line ?? "")")
    }
    #expect(analysis.violations.isEmpty)
  }

  /// A present call may come after the GPU has finished.
  @Test func whatMayBeNegativeIsKept() throws {
    let frames = (0..<10).map { (index: Int64) -> String in
      let commit = index * 16_666_667 + 100_000_000
      return #"{"type": "frame", "commit": \#(commit), "gpuEnd": \#(commit - 2_000_000)}"#
    }
    let text =
      #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n"
      + #"{"type": "surface", "id": "w"}"# + "\n" + frames.joined(separator: "\n")
    let analysis = TraceAnalysis(of: try TestData.read(text: text, path: "early.jsonl"))
    #expect(analysis.surfaces[0]["renderLatency"]?["max"]?.value == -2)
    #expect(analysis.surfaces[0].contradictions == nil)
  }

  /// Display times that jitter around the refreshes contradict nothing: a frame that is displayed as soon as it is
  /// finished waited for no time, on whichever side of its refresh that was.
  @Test(arguments: [0, 500_000, 2_000_000], [16_666_667, 25_000_000])
  func jitterIsNoContradiction(_ jitter: Int64, _ interval: Int64) throws {
    var random = SplitMix64(seed: 7)
    let frames = (0..<200).map { (index: Int64) -> String in
      let shown = index * interval + Int64.random(in: -jitter...jitter, using: &random)
      return
        #"{"type": "frame", "commit": \#(shown - 9_000_000), "queued": \#(shown), "displayed": \#(shown)}"#
    }
    let text =
      #"{"schema": "frametool.trace/1", "unit": "ns"}"# + "\n"
      + #"{"type": "display", "id": "d", "interval": \#(interval)}"# + "\n"
      + #"{"type": "surface", "id": "w", "display": "d"}"# + "\n" + frames.joined(separator: "\n")
    let surface = TraceAnalysis(of: try TestData.read(text: text, path: "jitter.jsonl")).surfaces[0]
    let wait = try #require(surface["queueWait"])
    #expect(wait.exclusions.isEmpty && wait.missing == 0, "\(wait)")
    #expect(wait["min"]?.value == 0 && surface.contradictions == nil)
  }

  @Test(
    .enabled(if: TestData.hasCases, Comment(rawValue: TestData.absenceOfCases)),
    arguments: ((try? FileManager.default.contentsOfDirectory(
      atPath: TestData.cases.appending(path: "broken").path)) ?? []).sorted())
  func caseFilesPrintNothingImpossible(_ name: String) throws {
    let path = TestData.cases.appending(path: "broken/\(name)").path
    let analysis = TraceAnalysis(of: try Importers.read(InputFile(path: path)))
    #expect(analysis.violations.isEmpty, "\(name): \(analysis.violations)")
  }

  /// Traces of any numbers, as no source writes them.
  @Test(arguments: 0..<60)
  func anyTracePrintsNothingImpossible(_ seed: UInt64) {
    let analysis = TraceAnalysis(of: AnyTrace.make(seed: seed))
    #expect(analysis.violations.isEmpty, "seed \(seed): \(analysis.violations)")
  }
}
