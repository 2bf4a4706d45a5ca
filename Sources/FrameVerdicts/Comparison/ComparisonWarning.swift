import FrameStatistics
import FrameTrace

/// Facts that a reader must know before trusting the verdict of a comparison.
public enum ComparisonWarning: Hashable, Sendable {
  /// Both sides of a comparison, each with its name and its value of the compared property.
  public struct Sides: Hashable, Sendable {
    package let names: SideNames
    package let before, after: String

    package init(names: SideNames, before: String, after: String) {
      (self.names, self.before, self.after) = (names, before, after)
    }

    fileprivate var text: String { "\(names.before) \(before), \(names.after) \(after)" }
  }

  /// One side has a single run: the noise is assumed.
  case assumedNoise
  /// The source has only a histogram: frames are treated as independent.
  case independentFrames
  /// The traces do not show the order of the runs.
  case unknownOrder
  /// The order is unknown, and runs change by this share from one to the next, in the order of their names.
  case driftInUnknownOrder(Double)
  /// One side was measured first; a better plan has this number of runs.
  case oneSideFirst(runs: Int)
  /// In every pair the same side came first; a better plan has this number of runs.
  case sameSideFirstInPairs(runs: Int)
  /// Runs with fewer than 1000 frames.
  case shortRuns(Int, of: Int)
  /// A run has so few latencies that its p95 does not decide.
  case fewLatencies(Int, needed: Int)
  /// Too few earlier runs to show the noise.
  case fewEarlierRuns(Int, needed: Int)
  /// Runs without a fixed refresh interval.
  case noRefresh(runs: Int, of: Int)
  /// Runs from displays with these intervals, in nanoseconds.
  case severalRefreshes(Int64, Int64)
  /// A run is far from the other runs of its side.
  case strayRun(file: String, side: String)
  /// Runs of a side have two speeds, each given by the number of runs and their mean frame time in milliseconds.
  case twoSpeeds(side: String, [RunGroup])
  /// Runs of one side that are also runs of the other; the first is named.
  case sharedRuns(file: String, count: Int)
  /// Sides whose runs differ in length.
  case differentLength(Sides)
  /// Sides whose runs are of different programs.
  case differentPrograms(Sides)
  /// Sides whose runs differ in another part of the setup.
  case differentSetup(key: String, Sides)
  /// Sides whose frames have different limits.
  case differentLimits(Sides)
  /// First runs of both sides that differ from the other runs in the same way.
  case firstRuns(FirstRuns)
  /// Sides that were recorded on different days.
  case differentDays(Sides)
  /// Runs of a side in which the program warms up, and the share by which that raises p99.
  case warmUp(runs: Int, of: Int, side: String, share: Double)
  /// Fewer than ten launches on a side.
  case fewLaunches
  /// Launches without enough of their kind on the other side.
  case unmatchedLaunches(Int, needed: Int)
  /// Some reported figures are not in every run, or have no ratio.
  case figuresLeftOut(Int)
  /// Data that was lost when a run was read.
  case loss(file: String, String)
}

extension ComparisonWarning {
  /// The warning as a sentence.
  public var text: String {
    switch self {
    case .assumedNoise:
      "one run per side cannot separate a change from run-to-run noise, which is assumed to be 2.5 %; if it is 5 %, one comparison in seven is a false alarm"
    case .independentFrames:
      "the source gives only a histogram, so the order of frames is unknown; noise within a run is estimated as if frames were independent, which is too low"
    case .unknownOrder:
      "the traces do not show the order of the runs; if all runs of one side came first, a drift looks like a change"
    case .driftInUnknownOrder(let share):
      "the traces do not show the order of the runs, and in the order of their names those of both sides get \(FixedNumber.text(abs(share) * 100, decimals: 1)) % \(share > 0 ? "slower" : "faster") from one to the next: if all runs of one side came first, that looks like a change, so a change counts only if it is as large without the drift"
    case .oneSideFirst(let runs):
      "all runs of one side came before those of the other: a drift between them looks like a change, so a change counts only if it is as large without a steady drift; a step still looks like a change; 'frametool compare --plan \(runs)' prints a better order"
    case .sameSideFirstInPairs(let runs):
      "in every pair the same side came first: a device that gets slower or faster looks like a change; 'frametool compare --plan \(runs)' prints a better order"
    case .shortRuns(let short, let all):
      "p99 rests on fewer than ten frames in \(short) of \(all) runs, which have fewer than 1000"
    case .fewLatencies(let count, let needed):
      "a run has only \(count) latencies, so that its p95 is nearly the longest of them: p95 is shown and does not decide below \(needed) per run"
    case .fewEarlierRuns(let count, let needed):
      "\(count) earlier runs are too few to estimate the noise and are left out; at least \(needed) are needed"
    case .noRefresh(let runs, let all):
      "no fixed refresh was found in \(runs) of \(all) runs, so missed refreshes and hitches do not affect the verdict; --refresh sets it"
    case .severalRefreshes(let one, let other):
      "runs are from displays that refresh every \(Self.milliseconds(one)) and \(Self.milliseconds(other)) ms, so missed refreshes and hitches do not affect the verdict"
    case .strayRun(let file, let side):
      "\(file) is an outlier among the runs of '\(side)' in mean or median; it is not left out"
    case .twoSpeeds(let side, let groups):
      "runs of '\(side)' have two speeds: \(groups.map { "\($0.count) near \(FixedNumber.text($0.mean, decimals: 1)) ms" }.joined(separator: ", ")), as with a cap or a state that only some of them had; a verdict on all of them depends on how many there are of each"
    case .sharedRuns(let file, 1): "\(file) is the same recording as a run of the other side"
    case .sharedRuns(_, let count):
      "\(count) runs of one side are the same recordings as runs of the other"
    case .differentLength(let sides):
      "runs differ in length: \(sides.text); what happens late in a longer run looks like a change"
    case .differentPrograms(let sides): "runs are of different programs: \(sides.text)"
    case .differentSetup(let key, let sides): "runs differ in \(key): \(sides.text)"
    case .differentLimits(let sides): "what limits the frames changed: \(sides.text)"
    case .firstRuns(let first):
      "the first runs of both sides, \(first.files.joined(separator: " and ")), are \(FixedNumber.text(abs(first.share) * 100, decimals: 1)) % \(first.share > 0 ? "slower" : "faster") than the others, as in a program that warms up\(first.areLeftOut ? "; they are left out" : "")"
    case .differentDays(let sides):
      "the sides were recorded on different days: \(sides.text); a device can differ from day to day by more than a change, so the certainty is that of one session only: run both sides in turns"
    case .warmUp(let runs, let all, let side, let share):
      "\(runs) of \(all) runs of '\(side)' have most of their slow frames in the first sixth, which raises p99 by up to \(FixedNumber.text(share * 100, decimals: 0)) %, as in a program that warms up; --skip-first leaves out the start"
    case .fewLaunches:
      "fewer than 10 launches per side: a change of 10 % is detected in fewer than three of four comparisons"
    case .figuresLeftOut(let count):
      "\(count) reported figure\(count == 1 ? "" : "s") left out: not in every run, or compared as ratios with a value of 0 or less in a run"
    case .unmatchedLaunches(let count, let needed):
      "\(count) launches are left out because one side has fewer than \(needed) of their kind"
    case .loss(let file, let words): "\(file): \(words)"
    }
  }

  private static func milliseconds(_ length: Int64) -> String {
    FixedNumber.text(Nanoseconds(length).milliseconds, decimals: 3)
  }
}
