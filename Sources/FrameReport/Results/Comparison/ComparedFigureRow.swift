import FrameTrace
import FrameVerdicts

/// A figure of both sides of a comparison, as a row of results.
struct ComparedFigureRow: Sendable {
  private let comparison: Comparison
  private let name: String
  private let unit: String
  private let before: Double
  private let after: Double
  /// The change and its bounds, in the unit of effects; `nil` if unknown.
  private let effect: Double?
  private let interval: ClosedRange<Double>?
  private let effectUnit: String
  /// The result of the figure's comparison; `nil` for a figure shown only for reference.
  private let metric: MetricComparison?

  /// The figures that were compared.
  static func deciding(_ comparison: Comparison) -> [ComparedFigureRow] {
    comparison.metrics.map { metric in
      ComparedFigureRow(
        comparison: comparison, name: metric.name, unit: metric.unit, before: metric.before,
        after: metric.after, effect: metric.effect, interval: metric.interval,
        effectUnit: metric.effectUnit, metric: metric)
    }
  }

  /// The figures that do not affect the verdict.
  static func beside(_ comparison: Comparison) -> [ComparedFigureRow] {
    comparison.beside.map { figure in
      ComparedFigureRow(
        comparison: comparison, name: figure.name, unit: figure.unit, before: figure.before,
        after: figure.after, effect: figure.effect, interval: figure.interval, effectUnit: "%",
        metric: nil)
    }
  }

  /// The columns that every figure has.
  static func values(_ names: SideNames) -> [ResultColumn<ComparedFigureRow>] {
    [
      .text("metric", "the figure", \.name)
        .shown("metric") { $0.metric?.isGating == true ? $0.name : "(\($0.name))" },
      .real("before", "its typical value before, in its unit", \.before)
        .shown(names.before, decimals: 2),
      .real("after", "its typical value after, in its unit", \.after)
        .shown(names.after, decimals: 2),
      .text("unit", "the unit of its values", \.unit).shown(""),
    ]
  }

  /// The columns of a figure that is shown for reference.
  static func reference(_ names: SideNames) -> [ResultColumn<ComparedFigureRow>] {
    values(names) + [
      .real("effect", "the change, in the unit of effects", \.effect)
        .shown("effect", .right) { row in
          row.effect.map { EffectText.text($0, row.effectUnit) } ?? ""
        }.otherwise(unknownChange),
      .text("effect_unit", "the unit of effects", \.effectUnit),
      .interval("ci95", "the bounds of the change, each of 95 % confidence", \.interval)
        .shown("bounds", .right) { row in
          row.interval.map { EffectText.text($0, row.effectUnit) } ?? ""
        }.otherwise(unknownChange),
    ]
  }

  private static let unknownChange =
    "a side has one run, earlier jobs give the noise, or the figure is 0 in a run"

  /// The columns of a figure that was compared.
  static func columns(_ names: SideNames) -> [ResultColumn<ComparedFigureRow>] {
    reference(names) + [
      .real("p", "the probability of a change as bad without one") { $0.metric?.p },
      .real("p_better", "the probability of a change as good without one") {
        $0.metric?.pBetter
      },
      .real("threshold", "the smallest change worth acting on") { $0.metric?.threshold },
      .real("noise", "by how much runs differ at random") { $0.metric?.noise },
      .flag("gating", "whether the overall verdict depends on it") { $0.metric?.isGating },
      .text("verdict", "the verdict on it") { $0.metric?.verdict.rawValue }
        .shown("verdict") { $0.metric?.verdict.word ?? "" },
      .text("state", "the verdict as one of few words") { $0.metric?.verdict.word },
      .text("reason", "why that is the verdict", \.reason).shown("because"),
      .text("contradicted_by", "the figure that shows a change the other way") {
        $0.metric?.contradictedBy
      }.ifAny,
      .integer("runs_needed", "how many runs a side would show the threshold") {
        $0.metric?.runsNeeded
      }.otherwise(tooManyRuns),
      .integer("runs_to_decide", "how many runs a side would decide the change seen") {
        $0.metric?.runsToDecide
      }.otherwise(tooManyRuns),
    ]
  }

  private static let tooManyRuns = "more than 200 runs per side would be needed"
}

extension ComparedFigureRow {
  /// The reason for the verdict.
  private var reason: String {
    guard let metric else { return "for reference" }
    return reason(metric)
  }

  private func reason(_ metric: MetricComparison) -> String {
    let threshold = FixedNumber.text(metric.threshold, decimals: metric.effectUnit == "%" ? 0 : 2)
    if let other = metric.contradictedBy {
      return "no verdict: \(other) shows that other stretches run at the full rate"
    }
    switch metric.verdict {
    case .inconclusive:
      let words = "a change of \(threshold) \(metric.effectUnit)"
      if metric.isEqual { return "no difference seen; \(words) is not ruled out" }
      let values = comparison.kind == .launch ? "launches" : "runs"
      let present = min(comparison.before.count, comparison.after.count)
      guard let needed = metric.runsNeeded else {
        return "finding \(words) would take more than 200 \(values) per side"
      }
      return needed > present || comparison.kind == .launch
        ? "finding \(words) takes about \(needed) \(values) per side"
        : "\(words) is neither shown nor ruled out by these \(values)"
    case .noChange: return "\(threshold) \(metric.effectUnit) worse is ruled out"
    case .regressed, .improved, .suspected, .suspectedImprovement:
      let noise = FixedNumber.text(metric.noise, decimals: 2)
      let isBetter = [.improved, .suspectedImprovement].contains(metric.verdict)
      let p = probability(isBetter ? metric.pBetter : metric.p)
      return
        "p \(p), threshold \(threshold) \(metric.effectUnit), run noise \(noise) \(metric.effectUnit)"
    }
  }

  private func probability(_ p: Double) -> String {
    p < 0.0001 ? "< 0.0001" : FixedNumber.text(p, decimals: 4)
  }
}

/// Comparisons as a table for spreadsheets: one row per figure and side.
struct ComparisonRows {
  let cells: [[String]]

  init(_ sides: ComparisonOfSides) {
    typealias Row = (names: SideNames, figure: ComparedFigureRow)
    let sideColumns: [ResultColumn<Row>] = [
      .text("before_name", "what the first side is called", \.names.before),
      .text("after_name", "what the other side is called", \.names.after),
    ]
    let columns = ComparedFigureRow.columns(sides.comparisons[0].names)
    let rows = sides.comparisons.flatMap { comparison in
      ComparedFigureRow.deciding(comparison).map { Row(comparison.names, $0) }
    }
    cells = ResultRows(columns: sideColumns + columns.map { $0.on(\.figure) }, rows: rows).cells()
  }
}
