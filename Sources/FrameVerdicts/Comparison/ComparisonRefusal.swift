import FrameAnalysis
import FrameTrace

/// Why runs cannot be compared, or why limits cannot be read.
public enum ComparisonRefusal: Error, Hashable, Sendable {
  /// A side has no run.
  case noRuns(side: String)
  /// A run has too few values.
  case shortRun(file: String, values: String, found: Int64, ShortRunHint)
  /// Two runs measure different metrics.
  case differentMetrics(RunFact, RunFact)
  /// Two runs measure frame times in different ways.
  case differentDefinitions(RunFact, RunFact)
  /// The metric starts at the end of the previous frame, which may be a generated one.
  case generatedFrames(file: String)
  /// Two runs are from displays with different intervals.
  case differentRefreshes(RunFact, RunFact)
  /// A recording is given twice for a side.
  case copy(file: String, of: String)
  /// The sides of pairs have different numbers of runs.
  case unevenPairs(before: Int, after: Int)
  /// There is only one pair.
  case onePair
  /// A sequential comparison has too few pairs.
  case fewPairs(found: Int, needed: Int)
  /// Pairs and earlier jobs are both given.
  case pairsAndHistory
  /// A trace has nothing to count.
  case nothingToCount(file: String)
  /// A trace has no frames.
  case noFrames(file: String)
  /// A trace does not contain the requested surface.
  case noSurface(file: String)
  /// Two files report no figure in common.
  case noCommonFigures(String, String)
  /// A trace has no values of the metric.
  case noValues(file: String, String)
  /// A metric has values below 0.
  case negativeValues(file: String, metric: String)
  /// A run has too few latencies.
  case fewLatencies(file: String, found: Int)
  /// A chosen figure cannot be measured.
  case noFigure(String, why: String)
  /// Several metrics are named.
  case severalMetrics(String, String)
  /// A word names no figure.
  case unknownFigure(String, expected: String)
  /// A threshold has the wrong format.
  case badThreshold(String)
  /// A limit has the wrong format.
  case badLimit(String, expected: String)
  /// A limit names an unknown metric.
  case unknownLimit(String, metric: String)
  /// There are too few runs to suggest limits.
  case fewRunsToSuggest(found: Int, needed: Int)
  /// Launches cannot be compared in pairs.
  case pairedLaunches
  /// A side has too few launches.
  case fewLaunches(file: String, found: Int, needed: Int)
  /// Some launches were recorded under a profiler.
  case profiledLaunches
  /// The sides have too few launches of the same kind.
  case differentLaunches(file: String, needed: Int, before: String, after: String)

  /// A file and its value of the compared property.
  public struct RunFact: Hashable, Sendable {
    package let file: String
    package let has: String

    package init(file: String, has: String) { (self.file, self.has) = (file, has) }
  }

  /// A hint for a run with too few values.
  public enum ShortRunHint: Hashable, Sendable {
    /// The run has launches.
    case launches
    /// The source counted more frames for that metric.
    case counted(metric: String)
    case none
  }
}

extension ComparisonRefusal {
  /// The problem, in one line.
  public var message: String { words.message }

  /// A suggested remedy.
  public var help: String? { words.help }

  private var words: (message: String, help: String) {
    switch self {
    case .noRuns(let side):
      (
        "\(side): expected a run, found none",
        "give traces, summaries written by 'analyze --summary', or folders that contain them"
      )
    case .shortRun(let file, let values, let found, let hint):
      (
        "\(file): expected at least \(RunSummary.fewestFrames) \(values), found \(found)",
        hint.text
      )
    case .differentMetrics(let one, let other):
      (
        "\(other.file): has \(other.has), but \(one.file) has \(one.has)",
        "use --metric to choose one that both sides have"
      )
    case .differentDefinitions(let one, let other):
      (
        "\(other.file): frame times are measured \(other.has), but those of \(one.file) \(one.has)",
        "compare traces from the same kind of source"
      )
    case .generatedFrames(let file):
      (
        "\(file): its displayLatency starts at the end of the frame before, which may be a generated one: frame generation shortens it, and makes the latency of the game longer",
        "--metric presentLatency starts at the present call; PresentMon 2 tells generated frames"
      )
    case .differentRefreshes(let one, let other):
      (
        "\(other.file): the display refreshes every \(other.has) ms, but that of \(one.file) every \(one.has) ms",
        "--allow-different-refresh compares them anyway"
      )
    case .copy(let file, let original):
      (
        "\(file): the same recording as \(original), given twice for one side",
        "give each run once; copies of a run add no information"
      )
    case .unevenPairs(let before, let after):
      (
        "pairs: expected the same number of runs on both sides, found \(before) and \(after)",
        "list the runs of each side in the order recorded; the first runs of both sides form the first pair"
      )
    case .onePair:
      (
        "pairs: expected at least two, found one",
        "one pair cannot show how much pairs differ at random"
      )
    case .fewPairs(let found, let needed):
      (
        "pairs: expected at least \(needed), found \(found)",
        "fewer pairs cannot decide anything: continue with 'frametool bench --resume FILE'"
      )
    case .pairsAndHistory:
      (
        "pairs and earlier jobs: expected one of them, found both",
        "earlier jobs show how much runs differ, not how much pairs differ"
      )
    case .nothingToCount(let file):
      (
        "\(file): there are no frames and no launches to count",
        "'frametool info \(file)' lists its contents"
      )
    case .noFrames(let file):
      ("\(file): there are no frames to compare", "'frametool info \(file)' lists its contents")
    case .noSurface(let file):
      ("\(file): there is no such surface", "'frametool info \(file)' lists the surfaces")
    case .noValues(let file, let values):
      (
        "\(file): there are no \(values) to compare",
        "'frametool analyze \(file) --all' lists the measured metrics"
      )
    case .noCommonFigures(let one, let other):
      (
        "\(other): reports no figure that \(one) reports too, so there is nothing to compare",
        "'frametool analyze \(other)' lists what it reports"
      )
    case .negativeValues(let file, let metric):
      (
        "\(file): \(metric) has values below 0, so ratios cannot be computed",
        "choose a duration, such as frameTime, cpuBusy or gpuTime"
      )
    case .fewLatencies(let file, let found):
      (
        "\(file): expected at least 5 latencies of touches or clicks, found \(found)",
        "leave out --latency to compare frame times"
      )
    case .noFigure(let figure, let why):
      ("--metric \(figure): \(why)", "choose figures of durations, such as p99")
    case .severalMetrics(let one, let other):
      (
        "--metric: expected figures of one metric, found \(one) and \(other)",
        "compare one metric at a time; each is a separate test"
      )
    case .unknownFigure(let word, let expected):
      (
        "--metric: expected \(expected), found \(word)",
        "such as p99, 'p95(gpuTime)', gpuTime or missedRefreshShare; 'frametool list metrics' lists metrics; for frame rates, choose mean(frameTime)"
      )
    case .badThreshold(let text):
      (
        "--threshold: expected METRIC=N, found \(text)",
        "metrics are \(RunMetric.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    case .badLimit(let text, let expected):
      (
        "--limit \(text): expected \(expected)", "such as 'p95(frameTime)<=20ms' or 'dropped<=1%'"
      )
    case .unknownLimit(let text, let metric):
      (
        "--limit \(text): there is no metric \(metric)",
        "'frametool list metrics' lists them; launches have coldLaunchTime, warmLaunchTime and others; figures reported by sources are \(StatedMetric.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    case .fewRunsToSuggest(let found, let needed):
      (
        "--suggest: expected at least \(needed) runs, found \(found)",
        "fewer runs do not show how much unchanged runs differ; ten give the tightest limits"
      )
    case .pairedLaunches:
      (
        "launches: cannot be compared in pairs",
        "leave out --paired; launches are compared by rank"
      )
    case .fewLaunches(let file, let found, let needed):
      (
        "\(file): expected at least \(needed) launches per side, found \(found)",
        "warm-up launches and resumes do not count"
      )
    case .profiledLaunches:
      (
        "some launches were recorded under a profiler and others were not",
        "a profiler slows launches down: compare only profiled or only unprofiled ones"
      )
    case .differentLaunches(let file, let needed, let before, let after):
      (
        "\(file): expected at least \(needed) launches of the same kind per side, found \(before) before and \(after) after",
        "launches are compared only with launches of the same type (such as cold), start and end"
      )
    }
  }
}

extension ComparisonRefusal.ShortRunHint {
  fileprivate var text: String {
    switch self {
    case .launches: "the file has launches; --launch compares them"
    case .counted(let metric):
      "--metric \(metric) compares the source's own counts, which cover more frames"
    case .none: "the tail of a shorter run is too uncertain to compare"
    }
  }
}
