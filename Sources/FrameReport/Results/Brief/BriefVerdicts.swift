public import FrameAnalysis
import FrameReplay
import FrameStatistics
public import FrameVerdicts

extension Brief {
  /// The answer to `compare`.
  public init(_ sides: ComparisonOfSides, _ command: BriefCommand) {
    let sentences = sides.comparisons.map { ComparisonSentence($0).text }
    let isOne = sides.comparisons.count == 1
    let sentence =
      isOne
      ? sentences[0]
      : zip(sides.comparisons, sentences).map { "\($0.names.after): \($1)" }
        .joined(separator: "; ")
    self.init("comparison", sentence, state: sides.overall.word, more: command.whole)
    // Deciding figures come first, then figures for reference.
    for comparison in sides.comparisons {
      let metrics =
        comparison.metrics.filter(\.isGating) + comparison.metrics.filter { !$0.isGating }
      figures += metrics.map { metric in
        Figure(
          metric: isOne ? metric.name : "\(comparison.names.after) \(metric.name)",
          unit: metric.unit, values: [("before", metric.before), ("after", metric.after)],
          effect: (metric.effect, metric.effectUnit))
      }
    }
    warnings = sides.comparisons.flatMap(\.warnings).map(\.text)
  }

  /// The answer to `gate`: the verdict, and the outcome of the limits that are not kept, failed limits first.
  public init(_ gate: GateReport, _ command: BriefCommand) {
    let cases = gate.testCases
    let words = [TestCase.Outcome.failed, .skipped].flatMap { outcome in
      cases.filter { $0.outcome == outcome }.map { "\($0.name): \($0.text)" }
    }
    let sentence = gate.sentence
    self.init(
      "gate", ([sentence.text] + words).joined(separator: "; "), state: sentence.state,
      more: command.whole)
  }

  /// The answer to `history check`.
  public init(_ check: HistoryReport, state: String, _ command: BriefCommand) {
    self.init("history", check.finding, state: state, more: command.whole)
  }

  /// The answer to `fleet`.
  public init(_ fleet: FleetReport, _ command: BriefCommand) {
    self.init("fleet", fleet.finding, state: fleet.overall?.word, more: command.whole)
    figures = fleet.briefFigures
  }

  /// The answer to `replay`.
  public init(_ replay: ReplayReport, _ command: BriefCommand) {
    self.init("replay", replay.finding, more: command.whole)
    figures = replay.briefFigures
  }

  /// The answer to `launch`.
  public init(_ launches: LaunchAnalysis, _ command: BriefCommand) {
    let tables = LaunchTables(launches)
    let lines = tables.headlines.isEmpty ? tables.titles : tables.headlines
    self.init("launches", lines.joined(separator: "; "), more: command.whole)
    figures = launches.groups.map { group in
      Figure(
        metric: group.key.measure.name, unit: MetricUnit.milliseconds.rawValue, n: group.total.n,
        values: [("p50", group.total.p50), ("max", group.total.maximum)])
    }
  }
}

extension ReplayReport {
  /// The figures of a replay, each with its prediction.
  fileprivate var briefFigures: [Brief.Figure] {
    figureRows.map { figure in
      let predicted = figure.expected.map { [(name: "predicted", value: $0)] } ?? []
      return Brief.Figure(
        metric: figure.name, unit: figure.unit, n: figure.n,
        values: [(name: "recorded", value: figure.recorded)] + predicted)
    }
  }
}

extension FleetReport {
  /// The median and the 99th percentile of each of the first groups.
  fileprivate var briefFigures: [Brief.Figure] {
    fleet.groups.prefix(Brief.mostFigures).compactMap { group in
      guard let found = group.tally.values(of: fleet.options.metric),
        let p50 = found.values.counts.quantile(0.5), let p99 = found.values.counts.quantile(0.99)
      else { return nil }
      let names = group.values.map { $0 ?? "none" }
      return Brief.Figure(
        metric: (names + [found.key.metric]).joined(separator: " "), unit: found.key.unit,
        n: Int(clamping: found.values.counts.count), values: [("p50", p50), ("p99", p99)])
    }
  }
}
