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
      throw ComparisonRefusal.shortRun(
        file: short.file, values: short.values, found: short.count, hint(short))
    }
    guard let first = runs.first else { return }
    if let other = runs.first(where: { $0.metric != first.metric }) {
      throw ComparisonRefusal.differentMetrics(
        .init(file: first.file, has: first.metric), .init(file: other.file, has: other.metric))
    }
    if let other = runs.first(where: { $0.definition != first.definition }) {
      throw ComparisonRefusal.differentDefinitions(
        .init(file: first.file, has: first.definition),
        .init(file: other.file, has: other.definition))
    }
    if let run = runs.first(where: { $0.definition == FrameMetric.endOfFrameBefore }) {
      throw ComparisonRefusal.generatedFrames(file: run.file)
    }
    for side in [before, after] { try refuseCopies(side) }
    if options.isPaired || options.isSequential { try refusePairs(before, after, options) }
    try refuseRefresh(runs, options)
  }

  private static func hint(_ run: RunSummary) -> ComparisonRefusal.ShortRunHint {
    if run.count == 0, !run.launches.isEmpty { return .launches }
    return run.countedMetric.map { .counted(metric: $0) } ?? .none
  }

  private static func refusePairs(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    guard before.count == after.count else {
      throw ComparisonRefusal.unevenPairs(before: before.count, after: after.count)
    }
    guard before.count >= 2 else {
      throw ComparisonRefusal.onePair
    }
    guard options.history.isEmpty else {
      throw ComparisonRefusal.pairsAndHistory
    }
  }

  /// Refuses a recording that is given twice: it shows no noise, so any difference would look significant.
  private static func refuseCopies(_ runs: [RunSummary]) throws(ComparisonRefusal) {
    for (position, run) in runs.enumerated() {
      guard let copy = runs[..<position].first(where: { $0.isSameRecording(as: run) }) else {
        continue
      }
      throw ComparisonRefusal.copy(file: run.file, of: copy.file)
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
      throw ComparisonRefusal.differentRefreshes(
        .init(file: first.0, has: words(first.1)), .init(file: file, has: words(interval)))
    }
  }

  /// Facts that a reader must know before trusting the verdict.
  static func warnings(
    _ designed: DesignedRuns, _ options: ComparisonOptions, _ measures: [RunMeasure],
    _ method: SideStatistics.Method
  ) -> [ComparisonWarning] {
    let (before, after) = (designed.before, designed.after)
    var warnings: [ComparisonWarning] = []
    let runs = before + after
    if method == .singleRun { warnings.append(.assumedNoise) }
    if options.isSequential {
      // The order was random.
    } else if options.history.isEmpty {
      warnings += order(designed)
    }
    if let first = designed.firstRuns { warnings.append(.firstRuns(first)) }
    let short = runs.count { $0.count < 1000 }
    if short > 0, options.kind == .frames, measures.contains(where: { $0.metric == .p99 }) {
      warnings.append(.shortRuns(short, of: runs.count))
    }
    if options.kind == .latency, LatencyMeasures.fewest(runs) < LatencyMeasures.fewestForTail {
      warnings.append(
        .fewLatencies(
          LatencyMeasures.fewest(runs), needed: LatencyMeasures.fewestForTail))
    }
    if (1..<Comparison.fewestJobs).contains(options.history.count) {
      warnings.append(
        .fewEarlierRuns(options.history.count, needed: Comparison.fewestJobs))
    }
    if method == .singleRun, runs.contains(where: \.isCounted) {
      warnings.append(.independentFrames)
    }
    if options.kind == .frames {
      if options.figures.chosen == nil, runs.first?.metric == ComparedFigures.usual,
        let why = MissedRefreshes.whyNot(runs)
      {
        warnings.append(why)
      }
      warnings += ComparedSides(before, after, options.names).warnings
      warnings += strayRuns(before, after, options.names)
      if designed.design != .pairs { warnings += twoSpeeds(before, after, options.names) }
    }
    if options.kind == .reported {
      warnings += ComparedSides(before, after, options.names).setup
      let leftOut = ReportedMeasures.leftOut(runs, options.figures)
      if leftOut > 0 { warnings.append(.figuresLeftOut(leftOut)) }
    }
    return warnings + runs.flatMap { run in run.losses.map { .loss(file: run.file, $0) } }
  }

  /// Effects of this run order that can look like a change.
  private static func order(_ designed: DesignedRuns) -> [ComparisonWarning] {
    let fewest = min(designed.before.count, designed.after.count)
    switch designed.design {
    case .pairs: return pairOrder(designed.before, designed.after)
    case .turns: return []
    case .blocks where fewest < 2: return []
    case .blocks:
      return [.oneSideFirst(runs: max(designed.before.count, designed.after.count))]
    case .unknown:
      if let drift = designed.drift { return [.driftInUnknownOrder(drift)] }
      return fewest < 2 ? [] : [.unknownOrder]
    }
  }

  /// If every pair begins with the same side, a steady drift becomes part of the difference.
  private static func pairOrder(
    _ before: [RunSummary], _ after: [RunSummary]
  ) -> [ComparisonWarning] {
    let starts = zip(before, after).compactMap { one, other in
      one.start.flatMap { start in other.start.map { (start, $0) } }
    }
    let firsts = starts.count { $0 < $1 }
    guard RunOrder.positions(before, after) != nil, firsts == 0 || firsts == starts.count else {
      return []
    }
    return [.sameSideFirstInPairs(runs: before.count)]
  }

  /// Warns about sides whose runs have two speeds.
  private static func twoSpeeds(
    _ before: [RunSummary], _ after: [RunSummary], _ names: SideNames
  ) -> [ComparisonWarning] {
    [(names.before, before), (names.after, after)].compactMap { name, runs in
      RunGroup.two(runs.map { $0.value(.mean) }).map { .twoSpeeds(side: name, $0) }
    }
  }

  /// Warns about runs with a mean or median far from the other runs of their side.
  private static func strayRuns(
    _ before: [RunSummary], _ after: [RunSummary], _ names: SideNames
  ) -> [ComparisonWarning] {
    let figures: [RunMetric] = [.mean, .p50]
    let sides = [before, after].map { runs in
      figures.map { figure in runs.map { figure.scaled($0.value(figure)) } }
    }
    let stray = StrayRuns.find(sides[0], sides[1])
    return zip([before, after], stray).enumerated().flatMap { side, found in
      found.1.map { position in
        .strayRun(file: found.0[position].file, side: side == 0 ? names.before : names.after)
      }
    }
  }
}

/// Runs that are far from the other runs of their side.
enum StrayRuns {
  /// Finds stray runs with a t-test of each run against the other runs of its side, over all runs and figures.
  /// - Parameters:
  ///   - before, after: For each figure, the scaled values, one per run.
  /// - Returns: The indices of the stray runs of each side.
  static func find(_ before: [[Double]], _ after: [[Double]]) -> [[Int]] {
    [(before, after), (after, before)].map { own, other in
      let count = own.first?.count ?? 0
      guard count >= 3, other.first?.count ?? 0 >= 3 else { return [] }
      return (0..<count).filter { position in
        zip(own, other).contains { isStray(position, of: $0, beside: $1, figures: own.count) }
      }
    }
  }

  private static func isStray(
    _ position: Int, of own: [Double], beside other: [Double], figures: Int
  ) -> Bool {
    var rest = own
    let value = rest.remove(at: position)
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

  var warnings: [ComparisonWarning] {
    [copies, length, program, limits].compactMap { $0 } + setup + warmUp
  }

  private var copies: ComparisonWarning? {
    let same = after.filter { run in before.contains { $0.isSameRecording(as: run) } }
    return same.first.map { .sharedRuns(file: $0.file, count: same.count) }
  }

  private var length: ComparisonWarning? {
    let lengths = [before, after].map { runs in
      RealQuantile.type7(
        runs.map { Nanoseconds($0.blocks.reduce(0) { $0 &+ $1.sum }).seconds }, 0.5)
    }
    let ratio = max(lengths[0], lengths[1]) / max(min(lengths[0], lengths[1]), 1e-9)
    guard ratio > ComparisonConstants.lengthRatio else { return nil }
    return .differentLength(sides(lengths.map { FixedNumber.text($0, decimals: 1) + " s" }))
  }

  private var program: ComparisonWarning? {
    let programs = [before, after].map { Set($0.compactMap(\.process)) }
    return difference(programs).map { .differentPrograms($0) }
  }

  /// Whether the limit changed for at least a quarter of the frames.
  private var limits: ComparisonWarning? {
    let counts = [before, after].map { LimitCounts.sum($0.compactMap(\.limits)) }
    guard counts.allSatisfy({ $0.n > 0 }),
      counts[0].distance(to: counts[1]) >= ComparisonConstants.limitDistance
    else { return nil }
    return .differentLimits(sides(counts.map(\.words)))
  }

  var setup: [ComparisonWarning] {
    let keys = Set((before + after).flatMap(\.setup.keys)).sorted()
    return keys.compactMap { key in
      let values = [before, after].map { Set($0.compactMap { $0.setup[key] }) }
      // Runs of one side may differ in these facts too.
      if [RunSummary.day, RunSummary.surfaces].contains(key), !values[0].isDisjoint(with: values[1])
      {
        return nil
      }
      return difference(values).map {
        key == RunSummary.day ? .differentDays($0) : .differentSetup(key: key, $0)
      }
    }
  }

  /// The values of both sides, if they differ.
  private func difference(_ values: [Set<String>]) -> ComparisonWarning.Sides? {
    guard !values[0].isEmpty, !values[1].isEmpty, values[0] != values[1] else { return nil }
    return sides(values.map { $0.sorted().joined(separator: ", ") })
  }

  private func sides(_ texts: [String]) -> ComparisonWarning.Sides {
    ComparisonWarning.Sides(names: names, before: texts[0], after: texts[1])
  }

  /// Warns about sides with runs in which the program warms up.
  private var warmUp: [ComparisonWarning] {
    zip([names.before, names.after], [before, after]).compactMap { name, runs in
      let slow = runs.compactMap(\.slowStart)
      return slow.max().map {
        .warmUp(runs: slow.count, of: runs.count, side: name, share: $0 - 1)
      }
    }
  }
}
