/// The parts of a comparison as people read them.
struct ComparisonTables {
  private let comparison: Comparison

  init(_ comparison: Comparison) { self.comparison = comparison }

  /// What is compared.
  var subject: String {
    switch comparison.kind {
    case .frames: "Frame times"
    case .latency: "Latencies"
    case .launch: "Launch times"
    }
  }

  /// The verdict, with the figures that it rests on.
  var headline: String {
    let names = comparison.metrics.filter { $0.isGating && $0.verdict == decisive }.map(\.name)
    let reasons = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    return comparison.overall.rawValue.uppercased() + reasons
  }

  /// The verdict of single figures that makes the overall one.
  private var decisive: Verdict {
    comparison.overall == .suspected ? .regressed : comparison.overall
  }

  func table() -> TextTable {
    var table = TextTable([
      ("metric", .left), ("before", .right), ("after", .right), ("", .left), ("effect", .right),
      ("95 % interval", .right), ("verdict", .left), ("because", .left),
    ])
    for metric in comparison.metrics {
      let name = metric.isGating ? metric.name : "(\(metric.name))"
      table.append([
        name, FixedNumber.text(metric.before, decimals: 2),
        FixedNumber.text(metric.after, decimals: 2), metric.unit, effect(metric), interval(metric),
        metric.verdict.rawValue, reason(metric),
      ])
    }
    for figure in comparison.beside {
      table.append([
        "(\(figure.name))", FixedNumber.text(figure.before, decimals: 2),
        FixedNumber.text(figure.after, decimals: 2), figure.unit, "", "", "", "shown beside",
      ])
    }
    return table
  }

  private func effect(_ metric: MetricComparison) -> String {
    "\(signed(metric.effect)) \(metric.effectUnit)"
  }

  private func interval(_ metric: MetricComparison) -> String {
    "[\(signed(metric.interval.lowerBound)), \(signed(metric.interval.upperBound))]"
  }

  private func signed(_ value: Double) -> String {
    // An interval of few runs can reach far beyond what a table has room for.
    if value > 9999 { return "> +9999" }
    let text = FixedNumber.text(value, decimals: 1)
    return value > 0 && text != "0.0" ? "+" + text : text
  }

  private func reason(_ metric: MetricComparison) -> String {
    let threshold = FixedNumber.text(metric.threshold, decimals: metric.effectUnit == "%" ? 0 : 2)
    switch metric.verdict {
    case .inconclusive:
      let words = "a change of \(threshold) \(metric.effectUnit)"
      let values = comparison.kind == .launch ? "launches" : "runs"
      return metric.runsNeeded.map { "\(words) takes about \($0) \(values) a side" }
        ?? "\(words) would take more than 200 \(values) a side"
    case .noChange: return "within \(threshold) \(metric.effectUnit)"
    case .regressed, .improved, .suspected:
      let noise = FixedNumber.text(metric.noise, decimals: 2)
      let p = metric.verdict == .improved ? "" : "p \(probability(metric.p)), "
      return
        "\(p)threshold \(threshold) \(metric.effectUnit), run noise \(noise) \(metric.effectUnit)"
    }
  }

  private func probability(_ p: Double) -> String {
    p < 0.0001 ? "< 0.0001" : FixedNumber.text(p, decimals: 4)
  }

  /// Whose runs are compared, a line a side.
  func sides() -> [String] {
    [("before", comparison.before), ("after", comparison.after)].map { name, runs in
      let values =
        switch comparison.kind {
        case .frames: "\(runs.map(\.count).reduce(0, +)) frames"
        case .latency: "\(runs.map(\.latencies.count).reduce(0, +)) latencies"
        case .launch: "\(runs.map(\.launches.count).reduce(0, +)) launches"
        }
      let words = runs.count == 1 ? "1 run" : "\(runs.count) runs"
      let surface = runs.first.map {
        [$0.process, $0.surface].compactMap { $0 }.joined(separator: " ")
      }
      return "\(name): \(words), \(values) of \(surface ?? "nothing")"
    }
  }
}
