import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Reasons to refuse a comparison, and warnings about its result.
enum ComparisonChecks {
  /// Refuses runs that are not of the same kind.
  static func refuse(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    let runs = before + after
    if let short = runs.first(where: { $0.count < RunSummary.fewestFrames }),
      options.kind == .frames
    {
      throw ComparisonRefusal(
        message:
          "\(short.file): expected at least \(RunSummary.fewestFrames) \(short.values), found \(short.count)",
        help: short.count == 0 && !short.launches.isEmpty
          ? "it has launches, which --launch compares"
          : short.countedMetric.map {
            "--metric \($0) compares the frames that the source counted, of which it has more"
          } ?? "a shorter run says too little about its tail to be compared")
    }
    guard let first = runs.first else { return }
    if let other = runs.first(where: { $0.metric != first.metric }) {
      throw ComparisonRefusal(
        message: "\(other.file): it has \(other.metric), and \(first.file) has \(first.metric)",
        help: "--metric chooses what both sides have")
    }
    if let other = runs.first(where: { $0.definition != first.definition }) {
      throw ComparisonRefusal(
        message:
          "\(other.file): frame times are measured \(other.definition), those of \(first.file) \(first.definition)",
        help: "compare traces from the same kind of source")
    }
    for side in [before, after] { try refuseCopies(side) }
    if options.isPaired { try refusePairs(before, after, options) }
    try refuseRefresh(runs, options)
  }

  private static func refusePairs(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    guard before.count == after.count else {
      throw ComparisonRefusal(
        message:
          "pairs: expected as many runs on both sides, found \(before.count) and \(after.count)",
        help: "give the runs of each side in the order in which they were made, one of each a pair")
    }
    guard before.count >= 2 else {
      throw ComparisonRefusal(
        message: "pairs: expected at least two, found one",
        help: "one pair says nothing of how much pairs differ by chance")
    }
    guard options.history.isEmpty else {
      throw ComparisonRefusal(
        message: "pairs and earlier jobs: expected one of them, found both",
        help: "earlier jobs tell how much runs differ, and not how much pairs do")
    }
  }

  /// A recording given twice shows no noise, so any difference would look significant.
  private static func refuseCopies(_ runs: [RunSummary]) throws(ComparisonRefusal) {
    for (place, run) in runs.enumerated() {
      guard let copy = runs[..<place].first(where: { $0.isSameRecording(as: run) }) else {
        continue
      }
      throw ComparisonRefusal(
        message: "\(run.file): the same recording as \(copy.file), given twice for one side",
        help: "give each run once; three copies of a run are one run")
    }
  }

  private static func refuseRefresh(
    _ runs: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    guard !options.allowsDifferentRefresh else { return }
    // An inferred refresh interval is not certain enough to refuse a comparison.
    let known = runs.compactMap { run in
      run.refresh.flatMap { $0.isSure ? (run.file, $0.interval) : nil }
    }
    guard let first = known.first else { return }
    for (file, interval) in known where abs(interval - first.1) * 100 > first.1 {
      let words = { (length: Int64) in
        FixedNumber.text(Nanoseconds(length).milliseconds, decimals: 3)
      }
      throw ComparisonRefusal(
        message:
          "\(file): the display refreshes every \(words(interval)) ms, that of \(first.0) every \(words(first.1)) ms",
        help: "--allow-different-refresh compares them all the same")
    }
  }

  /// What a reader must know before trusting the verdict.
  static func warnings(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions,
    _ measures: [RunMeasure], _ method: SideStatistics.Method
  ) -> [String] {
    var warnings: [String] = []
    let runs = before + after
    if method == .singleRun {
      warnings.append(
        "one run on a side cannot tell a change from run-to-run noise, which is assumed to be 2.5 %; where it is 5 %, one comparison in seven is a false alarm"
      )
    }
    if options.isPaired {
      warnings += pairOrder(before, after)
    } else if options.history.isEmpty, let order = order(before, after) {
      warnings.append(order)
    }
    if let short = shortRuns(runs) { warnings.append(short) }
    if (1..<Comparison.fewestJobs).contains(options.history.count) {
      warnings.append(
        "\(options.history.count) earlier runs say too little about the noise and are left out; at least \(Comparison.fewestJobs) are needed"
      )
    }
    if method == .singleRun, runs.contains(where: \.isCounted) {
      warnings.append(
        "the source gives only a histogram, so the order of frames is unknown; noise within a run is estimated as if frames were independent, which is too low"
      )
    }
    if options.kind == .frames {
      if options.figures.chosen == nil, runs.first?.metric == ComparedFigures.usual,
        let why = MissedRefreshes.whyNot(runs)
      {
        warnings.append(why)
      }
      warnings += ComparedSides(before, after, options.names).warnings
      warnings += strayRuns(before, after, options.names)
    }
    return warnings + runs.flatMap { run in run.losses.map { "\(run.file): \($0)" } }
  }

  /// If one side was measured first, a device that warms up looks like a change.
  private static func order(_ before: [RunSummary], _ after: [RunSummary]) -> String? {
    guard min(before.count, after.count) >= 2 else { return nil }
    guard RunOrder.places(before, after) != nil else {
      return
        "the traces do not show in which order the runs were made; if all of one side came first, a drift looks like a change"
    }
    let (first, second) = (before.compactMap(\.start), after.compactMap(\.start))
    let isApart =
      (first.max() ?? 0) < (second.min() ?? 0) || (second.max() ?? 0) < (first.min() ?? 0)
    guard isApart else { return nil }
    return
      "all runs of one side were made before all of the other: a steady drift is removed, but a step between the sides looks like a change; 'frametool compare --plan \(max(before.count, after.count))' prints a better order"
  }

  /// If every pair begins with the same side, a steady drift becomes part of the difference.
  private static func pairOrder(_ before: [RunSummary], _ after: [RunSummary]) -> [String] {
    let starts = zip(before, after).compactMap { one, other in
      one.start.flatMap { start in other.start.map { (start, $0) } }
    }
    let firsts = starts.count { $0 < $1 }
    guard RunOrder.places(before, after) != nil, firsts == 0 || firsts == starts.count else {
      return []
    }
    return [
      "in every pair the same side was made first: a device that gets slower or faster looks like a change; 'frametool compare --plan \(before.count)' prints a better order"
    ]
  }

  private static func shortRuns(_ runs: [RunSummary]) -> String? {
    let short = runs.filter { $0.count < 1000 }
    guard !short.isEmpty else { return nil }
    return
      "p99 rests on fewer than ten frames in \(short.count) of \(runs.count) runs, which have fewer than 1000"
  }

  /// Runs with a mean or median far from the rest of their side.
  private static func strayRuns(
    _ before: [RunSummary], _ after: [RunSummary], _ names: SideNames
  ) -> [String] {
    let figures: [RunMetric] = [.mean, .p50]
    let sides = [before, after].map { runs in
      figures.map { figure in runs.map { figure.scaled($0.value(figure)) } }
    }
    let stray = StrayRuns.find(sides[0], sides[1])
    return zip([before, after], stray).enumerated().flatMap { side, found in
      found.1.map { place in
        "\(found.0[place].file) is far from the other runs of '\(side == 0 ? names.before : names.after)' in its mean or median; it is not left out"
      }
    }
  }
}

/// Runs that are far from the rest of their side.
enum StrayRuns {
  /// Finds them with a t-test of each run against the rest of its side, over all runs and figures.
  /// - Parameters:
  ///   - before, after: For each figure, the scaled values, one for each run.
  /// - Returns: The indices of the stray runs of each side.
  static func find(_ before: [[Double]], _ after: [[Double]]) -> [[Int]] {
    [(before, after), (after, before)].map { own, other in
      let count = own.first?.count ?? 0
      guard count >= 3, other.first?.count ?? 0 >= 3 else { return [] }
      return (0..<count).filter { place in
        zip(own, other).contains { isStray(place, of: $0, beside: $1, figures: own.count) }
      }
    }
  }

  private static func isStray(
    _ place: Int, of own: [Double], beside other: [Double], figures: Int
  ) -> Bool {
    var rest = own
    let value = rest.remove(at: place)
    let moments = Moments(rest)
    let count = Double(own.count + other.count)
    let degrees = count - 3
    let spread = ((moments.squares + Moments(other).squares) / degrees).squareRoot()
    let distance = abs(value - moments.mean)
    let t = distance / max(spread * (1 + 1 / Double(rest.count)).squareRoot(), 1e-9)
    let p = 2 * StudentsT.above(t, degrees: degrees) * count * Double(figures)
    return p <= ComparisonConstants.strayLevel
      && distance >= Elementary.log(ComparisonConstants.strayRatio)
  }
}

/// Differences between two sides other than the change under test.
struct ComparedSides {
  private let before, after: [RunSummary]
  private let names: SideNames

  init(_ before: [RunSummary], _ after: [RunSummary], _ names: SideNames) {
    (self.before, self.after) = (before, after)
    self.names = names
  }

  var warnings: [String] {
    [copies, length, program].compactMap { $0 } + setup + warmUp
  }

  private var copies: String? {
    let same = after.filter { run in before.contains { $0.isSameRecording(as: run) } }
    guard let first = same.first else { return nil }
    return same.count == 1
      ? "\(first.file) is the same recording as a run of the other side"
      : "\(same.count) runs of one side are the same recordings as runs of the other"
  }

  private var length: String? {
    let lengths = [before, after].map { runs in
      RealQuantile.type7(
        runs.map { Nanoseconds($0.blocks.reduce(0) { $0 &+ $1.sum }).seconds }, 0.5)
    }
    let ratio = max(lengths[0], lengths[1]) / max(min(lengths[0], lengths[1]), 1e-9)
    guard ratio > ComparisonConstants.lengthRatio else { return nil }
    let text = lengths.map { FixedNumber.text($0, decimals: 1) }
    return
      "runs differ in length: \(names.before) \(text[0]) s, \(names.after) \(text[1]) s; what comes later in a longer run looks like a change"
  }

  private var program: String? {
    let programs = [before, after].map { Set($0.compactMap(\.process)) }
    guard !programs[0].isEmpty, !programs[1].isEmpty, programs[0] != programs[1] else { return nil }
    let text = programs.map { $0.sorted().joined(separator: ", ") }
    return "runs are of different programs: \(names.before) \(text[0]), \(names.after) \(text[1])"
  }

  private var setup: [String] {
    let keys = Set((before + after).flatMap(\.setup.keys)).sorted()
    return keys.compactMap { key in
      let values = [before, after].map { Set($0.compactMap { $0.setup[key] }) }
      guard !values[0].isEmpty, !values[1].isEmpty, values[0] != values[1] else { return nil }
      let text = values.map { $0.sorted().joined(separator: ", ") }
      return "runs differ in \(key): \(names.before) \(text[0]), \(names.after) \(text[1])"
    }
  }

  /// Sides with runs in which the program warms up.
  private var warmUp: [String] {
    zip([names.before, names.after], [before, after]).compactMap { name, runs in
      let slow = runs.compactMap(\.slowStart)
      guard let largest = slow.max() else { return nil }
      let percent = FixedNumber.text((largest - 1) * 100, decimals: 0)
      return
        "\(slow.count) of \(runs.count) runs of '\(name)' have most of their slow frames in the first sixth, which raises p99 by up to \(percent) %, as in a program that warms up; --skip-first leaves out the start"
    }
  }
}
