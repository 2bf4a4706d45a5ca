import FrameStatistics

/// The groups of a fleet, each with two values of a tag compared.
public struct FleetComparison: Sendable {
  /// One figure of a group on both sides.
  public struct Figure: Sendable {
    /// The figure that was compared.
    public let figure: RunFigure
    /// The unit of the values, and that of changes.
    public let unit, effectUnit: String
    /// At one mix of the kinds of runs, in the figure's unit.
    public let before, after: Double
    /// The change, and its bounds, each of 95 % confidence to its side.
    public let effect: Double
    /// The interval that holds the change with 95 % confidence.
    public let interval: ClosedRange<Double>
    /// The change of the plain means, whatever the mix.
    public let plain: Double
    /// The smallest change worth acting on.
    public let threshold: Double
    /// The probability of a change as bad when it is less than the threshold, and of one as good, corrected for the
    /// other figures.
    public internal(set) var worse, better: Double
    /// Whether the verdict rests on it: not where quantiles stand still until they jump.
    public let isDeciding: Bool
    /// How many values there are a side.
    public let counts: (before: Int, after: Int)
    /// How much the mix of kinds differs between the sides, from 0 to 1.
    public let mixChange: Double
  }

  /// What is said of a group.
  public struct Group: Sendable {
    /// The values of its tags; `nil` for all groups together.
    public let values: [String?]?
    /// The figures that were compared.
    public internal(set) var figures: [Figure] = []
    /// What is said of the group.
    public internal(set) var verdict = Verdict.inconclusive
    /// The figure that speaks most clearly for the verdict.
    public internal(set) var decisive: Figure?
    /// Why nothing is compared; `nil` where something is.
    public internal(set) var why: String?
  }

  /// Which runs are on which side.
  public let sides: Fleet.Sides
  /// The groups, the worst first; those that cannot be compared last.
  public let groups: [Group]
  /// All groups together, each group a kind of runs whose mix is held.
  public let all: Group

  /// Compares the sides of a fleet; `nil` where it has none.
  public init?(_ fleet: Fleet) {
    guard let sides = fleet.options.comparing else { return nil }
    self.sides = sides
    let options = fleet.options
    var measured = FleetFigures(options, fleet.groups.map(\.tally))
    measured.share(fleet.groups.map { FleetFigures.kinds([$0], options) }, sides)
    let groups = fleet.groups.map { group in
      measured.group(values: group.values, kinds: FleetFigures.kinds([group], options), sides)
    }
    // Of those alike the order of their tags stays.
    self.groups = Self.judged(groups, level: options.level).enumerated().sorted { one, other in
      let (first, second) = (Self.rank(one.element), Self.rank(other.element))
      return (first.0, first.1, one.offset) < (second.0, second.1, other.offset)
    }.map(\.element)
    let all = measured.group(values: nil, kinds: FleetFigures.kinds(fleet.groups, options), sides)
    self.all = Self.judged([all], level: options.level)[0]
  }

  /// Worst first; of those alike the largest change, of what it takes to act on.
  private static func rank(_ group: Group) -> (Int, Double) {
    let order: [Verdict] = [.regressed, .inconclusive, .noChange, .improved]
    let place =
      group.why == nil ? order.firstIndex(of: group.verdict) ?? order.count : order.count + 1
    let largest = group.figures.map { $0.effect / $0.threshold }.max() ?? 0
    return (place, -(group.decisive.map { $0.effect / $0.threshold } ?? largest))
  }

  /// The verdicts on groups, of those that say changed the share of false ones held.
  private static func judged(_ groups: [Group], level: Double) -> [Group] {
    let tested = groups.indices.filter { groups[$0].why == nil }
    // Those called worse and those called better are two families.
    let adjusted = [\Figure.worse, \Figure.better].map { side in
      MultipleTests.benjaminiHochberg(
        tested.map { groups[$0].figures.filter(\.isDeciding).map { $0[keyPath: side] }.min() ?? 1 })
    }
    var judged = groups
    for (rank, place) in tested.enumerated() {
      judged[place].judge(worse: adjusted[0][rank], better: adjusted[1][rank], level: level)
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
    } else if figures.allSatisfy({ !$0.isDeciding || $0.interval.upperBound < $0.threshold }) {
      verdict = .noChange
    }
  }
}

/// Takes figures of groups for a comparison.
struct FleetFigures {
  private let options: Fleet.Options
  private let figures: [(figure: RunFigure, metric: RunMetric)]
  /// What the variances of groups have in common, by figure.
  private var shared: [RunMetric: SharedVariance] = [:]

  /// - Parameter tallies: What the groups have, of which the definition that most runs have is compared.
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
        .max { (all.figures[$0]?.counts.count ?? 0, $1) < (all.figures[$1]?.counts.count ?? 0, $0) }
      return found.map { ($0, metric) }
    }
  }

  /// Notes what the variances of groups have in common.
  mutating func share(_ groups: [[[Fleet.Cell: RunTally]]], _ sides: Fleet.Sides) {
    for (figure, metric) in figures {
      let found = groups.compactMap { kinds in
        StratifiedDifference(pairs(figure, metric, kinds, sides))?.variance
      }
      shared[metric] = SharedVariance(found)
    }
  }

  private func pairs(
    _ figure: RunFigure, _ metric: RunMetric, _ kinds: [[Fleet.Cell: RunTally]],
    _ sides: Fleet.Sides
  ) -> [(before: StratifiedSide, after: StratifiedSide)] {
    kinds.map { kind in
      (
        before: side(of: figure, metric, kind, sides.before),
        after: side(of: figure, metric, kind, sides.after)
      )
    }
  }

  /// How much the figures of runs count, by what these are like: the rule of comparisons of few runs, with more of the
  /// mean.
  private func weights(_ kinds: [[Fleet.Cell: RunTally]]) -> [RunMetric: Double] {
    let tally = kinds.joined().reduce(into: RunTally.empty) { $0.merge($1.value) }
    let sum = { (metric: RunMetric) in
      figures.first { $0.metric == metric }.flatMap { tally.figures[$0.figure]?.counts.sum }
    }
    let usual =
      if tally.bound * 2 <= tally.runs {
        ComparisonConstants.weights
      } else if sum(.intervalHitchRatio) != sum(.intervalHitchRatioOfRun) {
        ComparisonConstants.weightsWhenRateChanges
      } else {
        ComparisonConstants.weightsWhenQuantized
      }
    return Dictionary(
      uniqueKeysWithValues: usual.map { metric, weight in
        (metric, metric == .mean ? weight * ComparisonConstants.meanInFleets : weight)
      })
  }

  /// The runs of groups by kind: the group, and the other tags whose mix is held.
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
    let weights = weights(kinds)
    let found = figures.compactMap { item in
      difference(item.figure, item.metric, kinds, sides, weight: weights[item.metric]).map {
        (figure: $0, metric: item.metric, weight: weights[item.metric] ?? 0)
      }
    }
    var deciding = found.filter { $0.weight > 0 }
    // Where stretches keep another rate than before, what single frames miss is no change of its own.
    for place in deciding.indices {
      guard let ofRun = deciding[place].metric.ofRun,
        let whole = deciding.first(where: { $0.metric == ofRun })?.figure
      else { continue }
      if whole.better <= options.level { deciding[place].figure.worse = 1 }
      if whole.worse <= options.level { deciding[place].figure.better = 1 }
    }
    guard !deciding.isEmpty else {
      group.why = why(kinds, sides)
      return group
    }
    let worse = MultipleTests.closedHarmonic(
      deciding.map(\.figure.worse), weights: deciding.map(\.weight))
    let better = MultipleTests.closedHarmonic(
      deciding.map(\.figure.better), weights: deciding.map(\.weight))
    group.figures =
      deciding.indices.map { place in
        var figure = deciding[place].figure
        (figure.worse, figure.better) = (worse[place], better[place])
        return figure
      } + found.filter { $0.weight == 0 }.map(\.figure)
    return group
  }

  /// Why nothing of a group is compared.
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

  /// The values of a figure on a side, one a unit, as comparisons compute with them.
  private func side(
    of figure: RunFigure, _ metric: RunMetric, _ kind: [Fleet.Cell: RunTally], _ side: String
  ) -> StratifiedSide {
    let cells = kind.filter { $0.key.side == side }.sorted {
      ($0.key.unit ?? "") < ($1.key.unit ?? "")
    }
    let each = cells.compactMap { $0.value.figures[figure] }
    let values =
      options.unit == nil
      ? each.flatMap(\.values) : each.compactMap(\.counts.mean).map { ($0, 1) }
    return StratifiedSide(
      values.map { (value: metric.scaled($0.0 / 1e6), count: $0.1) }
        .sorted { $0.value < $1.value })
  }

  private func difference(
    _ figure: RunFigure, _ metric: RunMetric, _ kinds: [[Fleet.Cell: RunTally]],
    _ sides: Fleet.Sides, weight: Double?
  ) -> FleetComparison.Figure? {
    // Of what is not above 0 no ratio can be formed.
    let isRatio =
      metric.isTime
      && kinds.contains { $0.values.contains { ($0.figures[figure]?.counts.low ?? 1) <= 0 } }
    guard !isRatio,
      let found = StratifiedDifference(pairs(figure, metric, kinds, sides), shared: shared[metric])
    else { return nil }
    let usual = metric.usualThreshold
    let threshold =
      metric.isTime
      ? Elementary.log(1 + usual) : max(usual, RunMetric.shareOfBaseline * found.before)
    let bounds = found.bounds
    let (low, high) = (metric.effect(bounds.low), metric.effect(bounds.high))
    return FleetComparison.Figure(
      figure: figure, unit: figure.key.unit, effectUnit: metric.effectUnit,
      before: metric.unscaled(found.before),
      after: metric.unscaled(found.after), effect: metric.effect(found.difference),
      interval: low...max(low, high), plain: metric.effect(found.plain),
      threshold: metric.effect(threshold), worse: found.pAbove(threshold),
      better: found.pBelow(threshold), isDeciding: weight != nil, counts: found.counts,
      mixChange: found.mixChange)
  }
}
