import Foundation
import FrameVerdicts
import Testing

/// The wording of every warning and refusal of a comparison, in one file.
@Suite struct VerdictWordsTests {
  private static let sides = ComparisonWarning.Sides(
    names: SideNames(), before: "mpv", after: "vkcube")

  private static let warnings: [ComparisonWarning] = [
    .assumedNoise, .independentFrames, .unknownOrder, .oneSideFirst(runs: 5),
    .sameSideFirstInPairs(runs: 5), .shortRuns(2, of: 6), .fewEarlierRuns(4, needed: 8),
    .noRefresh(runs: 1, of: 6), .severalRefreshes(16_666_667, 8_333_333),
    .strayRun(file: "a.csv", side: "before"), .sharedRuns(file: "a.csv", count: 1),
    .sharedRuns(file: "a.csv", count: 3), .differentLength(sides), .differentPrograms(sides),
    .differentSetup(key: "PresentMode", sides), .differentLimits(sides),
    .firstRuns(FirstRuns(files: ["a.csv", "b.csv"], share: 0.06, areLeftOut: true)),
    .firstRuns(FirstRuns(files: ["a.csv", "b.csv"], share: -0.03, areLeftOut: false)),
    .driftInUnknownOrder(0.012), .driftInUnknownOrder(-0.012), .differentDays(sides),
    .fewLatencies(7, needed: 20),
    .twoSpeeds(side: "before", [RunGroup(count: 2, mean: 8.3), RunGroup(count: 3, mean: 33.3)]),
    .warmUp(runs: 2, of: 3, side: "after", share: 0.37),
    .fewLaunches, .unmatchedLaunches(3, needed: 5), .figuresLeftOut(2),
    .loss(file: "a.csv", "3 rows left out"),
  ]

  private static let refusals: [ComparisonRefusal] = [
    .noRuns(side: "before"),
    .shortRun(file: "a.csv", values: "frame times", found: 12, .none),
    .shortRun(file: "a.csv", values: "frame times", found: 0, .launches),
    .shortRun(file: "a.csv", values: "frame times", found: 12, .counted(metric: "frameDuration")),
    .differentMetrics(.init(file: "a.csv", has: "gpuTime"), .init(file: "b.csv", has: "frameTime")),
    .differentDefinitions(
      .init(file: "a.csv", has: "present to present"), .init(file: "b.csv", has: "start to start")),
    .differentRefreshes(.init(file: "a.csv", has: "16.667"), .init(file: "b.csv", has: "8.333")),
    .generatedFrames(file: "a.csv"),
    .copy(file: "b.csv", of: "a.csv"), .unevenPairs(before: 3, after: 4), .onePair,
    .pairsAndHistory, .nothingToCount(file: "a.csv"), .noFrames(file: "a.csv"),
    .noSurface(file: "a.csv"), .noValues(file: "a.csv", "values of gpuTime"),
    .negativeValues(file: "a.csv", metric: "animationError"),
    .fewLatencies(file: "a.csv", found: 2),
    .noFigure("missedRefreshShare", why: "measured only for frame times"),
    .severalMetrics("gpuTime", "cpuBusy"), .unknownFigure("p42", expected: "one of mean, p50"),
    .badLimit("x", expected: "a number in ms"), .unknownLimit("p95(x)<=2", metric: "x"),
    .fewRunsToSuggest(found: 2, needed: 3), .pairedLaunches,
    .fewLaunches(file: "a.jsonl", found: 2, needed: 5), .profiledLaunches,
    .differentLaunches(file: "a.jsonl", needed: 5, before: "4 warm", after: "6 cold"),
    .fewPairs(found: 3, needed: 5), .badThreshold("p95"), .noCommonFigures("a.json", "b.json"),
  ]

  @Test func eachIsRecorded() throws {
    let texts =
      Self.warnings.map { "warning: \($0.text)" }
      + Self.refusals.map { "error: \($0.message)\nhelp: \($0.help ?? "")" }
    try Recorded.expect(
      texts.joined(separator: "\n") + "\n",
      at: Run.root.appending(path: "Tests/Golden/verdicts.txt"))
  }

  /// A new case has to be added above: these switches do not compile without it.
  @Test func theListsAreWhole() {
    #expect(Set(Self.warnings.map(Self.number)).count == 25)
    #expect(Set(Self.refusals.map(Self.number)).count == 29)
  }

  private static func number(_ warning: ComparisonWarning) -> Int {
    switch warning {
    case .assumedNoise: 0
    case .independentFrames: 1
    case .unknownOrder: 2
    case .oneSideFirst: 3
    case .sameSideFirstInPairs: 4
    case .shortRuns: 5
    case .fewEarlierRuns: 6
    case .noRefresh: 7
    case .severalRefreshes: 8
    case .strayRun: 9
    case .sharedRuns: 10
    case .differentLength: 11
    case .differentPrograms: 12
    case .differentSetup: 13
    case .warmUp: 14
    case .fewLaunches: 15
    case .unmatchedLaunches: 16
    case .figuresLeftOut: 23
    case .loss: 17
    case .differentLimits: 18
    case .firstRuns: 19
    case .differentDays: 20
    case .fewLatencies: 21
    case .driftInUnknownOrder: 22
    case .twoSpeeds: 24
    }
  }

  private static func number(_ refusal: ComparisonRefusal) -> Int {
    switch refusal {
    case .noRuns: 0
    case .shortRun: 1
    case .differentMetrics: 2
    case .differentDefinitions: 3
    case .differentRefreshes: 4
    case .copy: 5
    case .unevenPairs: 6
    case .onePair: 7
    case .pairsAndHistory: 8
    case .nothingToCount: 9
    case .noFrames: 10
    case .noSurface: 11
    case .noValues: 12
    case .negativeValues: 13
    case .fewLatencies: 14
    case .noFigure: 15
    case .severalMetrics: 16
    case .unknownFigure: 17
    case .badLimit: 18
    case .unknownLimit: 19
    case .fewRunsToSuggest: 20
    case .pairedLaunches: 21
    case .fewLaunches: 22
    case .profiledLaunches: 23
    case .differentLaunches: 24
    case .fewPairs: 25
    case .badThreshold: 26
    case .generatedFrames: 27
    case .noCommonFigures: 28
    }
  }
}
