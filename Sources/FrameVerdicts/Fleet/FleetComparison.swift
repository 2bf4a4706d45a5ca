import FrameStatistics

/// The groups of a fleet, with two values of a tag compared in each.
public struct FleetComparison: Sendable {
  /// One figure of a group on both sides.
  public struct Figure: Sendable {
    /// The figure that was compared.
    public let figure: RunFigure
    /// The unit of the values, and the unit of changes.
    public let unit, effectUnit: String
    /// The values of both sides, adjusted to the same mix of kinds of runs, in the figure's unit.
    public let before, after: Double
    /// The estimated change.
    public let effect: Double
    /// The bounds of the change, each with one-sided 95 % confidence.
    public let interval: ClosedRange<Double>
    /// The maximum possible rise, with the same confidence, if a run far from the others counts fully.
    let most: Double
    /// The change of the unadjusted means, with the actual mix.
    public let plain: Double
    /// The smallest change worth acting on.
    public let threshold: Double
    /// If there is no change, the probability of a change at least as bad, and of one at least as good, corrected for
    /// the other figures; 1 if the change is smaller than the threshold.
    public internal(set) var worse, better: Double
    /// Whether the verdict depends on this figure; quantiles bound to refreshes do not count.
    public let isDeciding: Bool
    /// The numbers of values on both sides.
    public struct Counts: Hashable, Sendable {
      /// The number before, and after.
      public let before, after: Int
    }

    /// The number of values on each side.
    public let counts: Counts
    /// How much the mix of kinds differs between the sides, from 0 to 1.
    public let mixChange: Double
  }

  /// The result for a group.
  public struct Group: Sendable {
    /// The values of the group's tags; `nil` for all groups together.
    public let values: [String?]?
    /// The figures that were compared.
    public internal(set) var figures: [Figure] = []
    /// The verdict on the group.
    public internal(set) var verdict = Verdict.inconclusive
    /// The figure with the clearest evidence for the verdict.
    public internal(set) var decisive: Figure?
    /// Why nothing is compared; `nil` if something is.
    public internal(set) var why: String?
  }

  /// The tag values that define the sides.
  public let sides: Fleet.Sides
  /// The groups, the worst first; those that cannot be compared last.
  public let groups: [Group]
  /// All groups together, adjusted for the mix of groups.
  public let all: Group

  /// Compares the sides of a fleet; `nil` if no sides were chosen.
  public init?(_ fleet: Fleet) {
    guard let sides = fleet.options.comparing else { return nil }
    self.sides = sides
    let options = fleet.options
    let measured = FleetFigures(options, fleet.groups.map(\.tally))
    // Groups called worse and groups called better are two families.
    let level = options.level / 2
    let groups = fleet.groups.map { group in
      measured.group(values: group.values, kinds: FleetFigures.kinds([group], options), sides)
    }
    // Equal groups keep the order of their tags.
    self.groups = Self.judged(groups, level: level).enumerated().sorted { one, other in
      let (first, second) = (Self.rank(one.element), Self.rank(other.element))
      return (first.0, first.1, one.offset) < (second.0, second.1, other.offset)
    }.map(\.element)
    let all = measured.group(values: nil, kinds: FleetFigures.kinds(fleet.groups, options), sides)
    self.all = Self.judged([all], level: level)[0]
  }

  /// The rank of a group: worst verdict first, then the largest change relative to its threshold.
  private static func rank(_ group: Group) -> (Int, Double) {
    let order: [Verdict] = [.regressed, .inconclusive, .noChange, .improved]
    let position =
      group.why == nil ? order.firstIndex(of: group.verdict) ?? order.count : order.count + 1
    let largest = group.figures.map { $0.effect / $0.threshold }.max() ?? 0
    return (position, -(group.decisive.map { $0.effect / $0.threshold } ?? largest))
  }

  /// The verdicts on groups, controlling the share of false ones among those called changed.
  private static func judged(_ groups: [Group], level: Double) -> [Group] {
    let tested = groups.indices.filter { groups[$0].why == nil }
    let adjusted = [\Figure.worse, \Figure.better].map { side in
      MultipleTests.benjaminiHochberg(
        tested.map { groups[$0].figures.filter(\.isDeciding).map { $0[keyPath: side] }.min() ?? 1 })
    }
    var judged = groups
    for (rank, position) in tested.enumerated() {
      judged[position].judge(worse: adjusted[0][rank], better: adjusted[1][rank], level: level)
    }
    return judged
  }
}

extension FleetComparison.Group {
  fileprivate mutating func judge(worse: Double, better: Double, level: Double) {
    let rises = figures.filter { worse <= level && $0.worse <= level && $0.isDeciding }
    let falls = figures.filter { better <= level && $0.better <= level && $0.isDeciding }
    if let most = rises.max(by: { $0.effect / $0.threshold < $1.effect / $1.threshold }) {
      (verdict, decisive) = (.regressed, most)
    } else if let most = falls.min(by: { $0.effect / $0.threshold < $1.effect / $1.threshold }) {
      (verdict, decisive) = (.improved, most)
    } else if figures.allSatisfy({ !$0.isDeciding || $0.most < $0.threshold }) {
      verdict = .noChange
    }
  }
}

/// Extracts the figures of groups for a comparison.
struct FleetFigures {
  private let options: Fleet.Options
  private let figures: [(figure: RunFigure, metric: RunMetric)]

  /// - Parameter tallies: The tallies of the groups; the most common definition of the metric is
  ///   compared.
  init(_ options: Fleet.Options, _ tallies: [RunTally]) {
    self.options = options
    let all = tallies.reduce(into: RunTally.empty) { $0.merge($1) }
    let key = all.values(of: options.metric)?.key
    figures = RunMetric.allCases.compactMap { metric in
      if metric.isTime {
        return RunFigure.Statistic(rawValue: metric.rawValue).flatMap { statistic in
          key.map { (RunFigure(key: $0, statistic: statistic), metric) }
        }
      }
      guard options.metric == ComparedFigures.usual else { return nil }
      let found = all.figures.keys.filter { $0.key.metric == metric.rawValue }
        .max { (all.figures[$0]?.count ?? 0, $1) < (all.figures[$1]?.count ?? 0, $0) }
      return found.map { ($0, metric) }
    }
  }

  /// Values with the number of occurrences of each, in ascending order.
  private typealias Values = [(value: Double, count: Int64)]

  private func pairs(
    _ figure: RunFigure, _ metric: RunMetric, _ kinds: [[Fleet.Cell: RunTally]],
    _ sides: Fleet.Sides
  ) -> [(before: Values, after: Values)] {
    kinds.map { kind in
      (
        before: side(of: figure, metric, kind, sides.before),
        after: side(of: figure, metric, kind, sides.after)
      )
    }
  }

  /// The minimum number of values per side for which ranks are compared: with fewer values, no ranks are as improbable
  /// as several groups require.
  private static let fewestRanked = 8
  /// The maximum number of pairs of values whose ranks are compared.
  private static let mostRanked = 1 << 16

  /// The comparison of the ranks of values of one kind, as in a comparison of runs; `nil` if there are several kinds,
  /// one of which may have changed, if there are too few values, or if values were only counted.
  private static func ranks(
    _ pairs: [(before: Values, after: Values)]
  ) -> SideStatistics? {
    let common = pairs.filter { !$0.before.isEmpty && !$0.after.isEmpty }
    guard let only = common.first, common.count == 1,
      min(only.before.count, only.after.count) >= fewestRanked,
      only.before.count * only.after.count <= mostRanked,
      !(only.before + only.after).contains(where: { $0.count > 1 })
    else { return nil }
    return SideStatistics(
      .ranks, only.before.map(\.value), only.after.map(\.value), history: [], assumed: 0
    ) { (0, 0, 0) }
  }

  /// The figures that decide, chosen according to the properties of the runs as in a comparison of few runs.
  private func deciding(_ kinds: [[Fleet.Cell: RunTally]]) -> [RunMetric] {
    let tally = kinds.joined().reduce(into: RunTally.empty) { $0.merge($1.value) }
    let sum = { (metric: RunMetric) in
      figures.first { $0.metric == metric }.flatMap { tally.figures[$0.figure]?.sum }
    }
    return RunMetric.deciding(
      isQuantized: tally.bound * 2 > tally.runs,
      countsOfRun: sum(.intervalHitchRatio) != sum(.intervalHitchRatioOfRun)
    ).filter { !$0.isInterruption || sum($0) ?? 0 > 0 }
  }

  /// The runs of groups by kind: the group, and the other tags whose mix is adjusted for.
  static func kinds(_ groups: [Fleet.Group], _ options: Fleet.Options) -> [[Fleet.Cell: RunTally]] {
    groups.flatMap { group in
      Dictionary(grouping: group.cells) { $0.key.mix }.sorted { one, other in
        one.key.map { $0 ?? "" }.lexicographicallyPrecedes(other.key.map { $0 ?? "" })
      }.map { Dictionary(uniqueKeysWithValues: $0.value.map { ($0.key, $0.value) }) }
    }
  }

  func group(
    values: [String?]?, kinds: [[Fleet.Cell: RunTally]], _ sides: Fleet.Sides
  ) -> FleetComparison.Group {
    var group = FleetComparison.Group(values: values)
    let names = deciding(kinds)
    let found = figures.compactMap { item in
      difference(item.figure, item.metric, kinds, sides, isDeciding: names.contains(item.metric))
        .map { (figure: $0, metric: item.metric) }
    }
    var deciding = found.filter(\.figure.isDeciding)
    // If stretches keep a different rate than before, the misses of single frames are not a
    // separate change.
    for position in deciding.indices {
      guard let ofRun = deciding[position].metric.explainedBy,
        let whole = deciding.first(where: { $0.metric == ofRun })?.figure
      else { continue }
      if whole.better <= options.level / 2 { deciding[position].figure.worse = 1 }
      if whole.worse <= options.level / 2 { deciding[position].figure.better = 1 }
    }
    guard !deciding.isEmpty else {
      group.why = why(kinds, sides)
      return group
    }
    let tests = ComparisonConstants.testsCounted(of: deciding.count, byRanks: false)
    group.figures =
      deciding.map { item in
        var figure = item.figure
        (figure.worse, figure.better) = (
          min(1, figure.worse * tests), min(1, figure.better * tests)
        )
        return figure
      } + found.filter { !$0.figure.isDeciding }.map(\.figure)
    return group
  }

  /// Why nothing in a group is compared.
  private func why(_ kinds: [[Fleet.Cell: RunTally]], _ sides: Fleet.Sides) -> String {
    let one = options.unit ?? "run"
    let counts = [sides.before, sides.after].map { side in
      kinds.joined().filter { $0.key.side == side }
        .reduce(Int64(0)) { $0 + (options.unit == nil ? $1.value.runs : 1) }
    }
    if let missing = zip([sides.before, sides.after], counts).first(where: { $0.1 == 0 })?.0 {
      return "no \(one) of \(sides.tag) \(missing)"
    }
    let words = zip(counts, [sides.before, sides.after]).map { "\($0) of \($1)" }.joined(
      separator: " and ")
    return "\(words): expected at least two of each with \(options.metric), of the same kinds"
  }

  /// The scaled values of a figure on one side, one per unit.
  private func side(
    of figure: RunFigure, _ metric: RunMetric, _ kind: [Fleet.Cell: RunTally], _ side: String
  ) -> Values {
    let cells = kind.filter { $0.key.side == side }.sorted {
      ($0.key.unit ?? "") < ($1.key.unit ?? "")
    }
    let each = cells.compactMap { $0.value.figures[figure] }
    let values =
      options.unit == nil
      ? each.flatMap(\.values) : each.compactMap(\.counts.mean).map { ($0, 1) }
    return values.map { (value: metric.scaled($0.0), count: $0.1) }.sorted { $0.value < $1.value }
  }

  private func difference(
    _ figure: RunFigure, _ metric: RunMetric, _ kinds: [[Fleet.Cell: RunTally]],
    _ sides: Fleet.Sides, isDeciding: Bool
  ) -> FleetComparison.Figure? {
    // A ratio is undefined for values that are not above 0.
    let isRatio =
      metric.isTime
      && kinds.contains { $0.values.contains { ($0.figures[figure]?.low ?? 1) <= 0 } }
    let pairs = pairs(figure, metric, kinds, sides)
    guard !isRatio,
      let found = StratifiedDifference(
        pairs.map { (before: Moments($0.before), after: Moments($0.after)) })
    else { return nil }
    let ranks = Self.ranks(pairs)
    let difference = ranks?.difference ?? found.difference
    let usual = metric.usualThreshold
    let threshold =
      metric.isTime
      ? Elementary.log(1 + usual) : max(usual, RunMetric.shareOfBaseline * found.before)
    let bounds = ranks.map { (low: $0.low, high: $0.high) } ?? found.bounds
    let (low, high) = (metric.effect(bounds.low), metric.effect(bounds.high))
    return FleetComparison.Figure(
      figure: figure, unit: figure.key.unit, effectUnit: metric.effectUnit,
      before: metric.unscaled(found.before),
      after: metric.unscaled(found.after), effect: metric.effect(difference),
      interval: low...max(low, high), most: metric.effect(ranks?.most ?? bounds.high),
      plain: metric.effect(found.plain), threshold: metric.effect(threshold),
      worse: difference >= threshold ? ranks?.pRise ?? found.pRise : 1,
      better: difference <= -threshold ? ranks?.pFall ?? found.pFall : 1,
      isDeciding: isDeciding,
      counts: FleetComparison.Figure.Counts(before: found.counts.before, after: found.counts.after),
      mixChange: found.mixChange)
  }
}
