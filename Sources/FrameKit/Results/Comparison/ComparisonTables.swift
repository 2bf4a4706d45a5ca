extension Document {
  /// What is said of a comparison, the verdict first.
  init(_ comparison: Comparison) {
    let tables = ComparisonTables(comparison)
    add(.title("\(tables.subject): \(tables.headline)", .words(tables.headline)))
    add(.points(tables.sides()))
    add(figuresOf: comparison)
  }

  /// What is said of several sides: the verdict on each first.
  init(_ sides: ComparisonOfSides) {
    if sides.comparisons.count > 1 {
      add(
        .title(
          "\(sides.comparisons.count) sides against \(sides.comparisons[0].names.before): \(sides.overall.rawValue)"
        ))
      add(
        .points(
          sides.comparisons.map { comparison in
            let tables = ComparisonTables(comparison)
            return tables.isDecided
              ? tables.headline : "\(comparison.names.after): \(tables.headline)"
          }))
    }
    for comparison in sides.comparisons { add(Document(comparison)) }
  }

  /// Adds the table of a comparison, how it was made, and what is wrong with it.
  mutating func add(figuresOf comparison: Comparison) {
    add(ComparisonTables(comparison).table(), "Each figure before and after")
    add(.remarks(["method: \(comparison.method)", "figures in parentheses do not decide"]))
    add(Block.warnings, comparison.warnings)
  }
}

/// The parts of a comparison as people read them.
struct ComparisonTables {
  private let comparison: Comparison

  init(_ comparison: Comparison) { self.comparison = comparison }

  /// What is compared.
  var subject: String {
    switch comparison.kind {
    case .frames:
      comparison.metric == ComparedFigures.usual ? "Frame times" : "Values of \(comparison.metric)"
    case .latency: "Latencies"
    case .launch: "Launch times"
    }
  }

  /// What a reviewer wants to know, in a sentence: which side is slower, by the figure that decides on both
  /// sides, with its bounds, and how sure that is; where nothing was found, what is ruled out.
  var headline: String {
    guard let metric = decisive else { return "\(nothingFound); \(runs)" }
    let others = comparison.metrics.filter {
      $0.isGating && $0.verdict == metric.verdict && $0.name != metric.name
    }.map(\.name)
    let also = others.isEmpty ? "" : ", also \(others.joined(separator: ", "))"
    let values = [metric.before, metric.after].map { FixedNumber.text($0, decimals: 2) }
    let figures =
      "\(metric.name) \(values[0]) → \(values[1]) \(metric.unit), \(effect(metric)) \(interval(metric))"
    return
      "\(comparison.names.after) is \(word(metric)): \(figures)\(also)\(rates); \(runs): \(comparison.overall.rawValue)"
  }

  /// Whether the headline names the side that is slower or faster.
  var isDecided: Bool { decisive != nil }

  /// The frame rates that players know a game by, where refreshes do not bind them.
  private var rates: String {
    let words = RunSummary.rateMetrics.compactMap { name, word in
      comparison.beside.first { $0.name == name }.map { figure in
        let values = [figure.before, figure.after].map { FixedNumber.text($0, decimals: 1) }
        return "\(word) \(values[0]) → \(values[1]) \(figure.unit)"
      }
    }
    let isBound = (comparison.before + comparison.after).contains(where: \.isQuantised)
    return isBound || words.isEmpty ? "" : "; \(words.joined(separator: ", "))"
  }

  /// What the side after is, by the figure that decides.
  private func word(_ metric: MetricComparison) -> String {
    let isBetter = [.improved, .suspectedImprovement].contains(comparison.overall)
    let isTime = metric.effectUnit == "%"
    return isBetter ? (isTime ? "faster" : "smoother") : (isTime ? "slower" : "less smooth")
  }

  private var nothingFound: String {
    let isEqual = comparison.metrics.filter(\.isGating).allSatisfy(isEqual)
    let words =
      comparison.overall == .noChange
      ? "no change" : isEqual ? "no difference seen" : "no regression found"
    guard let ruledOut = comparison.ruledOut else { return words }
    let percent = FixedNumber.text(ruledOut.percent, decimals: 1)
    return "\(words): \(ruledOut.name) more than \(percent) % slower is ruled out"
  }

  /// Whether both sides are the same in a figure, as far as anybody would see: to a tenth of what is worth
  /// acting on.
  private func isEqual(_ metric: MetricComparison) -> Bool {
    abs(metric.effect) * 10 <= metric.threshold
  }

  /// How many runs, or launches, there are a side.
  private var runs: String {
    let isLaunch = comparison.kind == .launch
    let counts = [comparison.before, comparison.after].map { runs in
      isLaunch ? runs.reduce(0) { $0 + $1.launches.count } : runs.count
    }
    let one = isLaunch ? "launch" : "run"
    guard counts[0] == counts[1] else {
      return "\(counts[0]) and \(counts[1]) \(isLaunch ? "launches" : "runs")"
    }
    return counts[0] == 1
      ? "one \(one) each" : "\(counts[0]) \(isLaunch ? "launches" : "runs") each"
  }

  /// The figure that speaks most clearly for the verdict; `nil` where none does.
  private var decisive: MetricComparison? {
    guard comparison.overall != .noChange, comparison.overall != .inconclusive else { return nil }
    let isBetter = [.improved, .suspectedImprovement].contains(comparison.overall)
    return comparison.metrics.filter { $0.isGating && $0.verdict == comparison.overall }.min {
      isBetter ? $0.pBetter < $1.pBetter : $0.p < $1.p
    }
  }

  func table() -> TextTable {
    var table = TextTable([
      ("metric", .left), (comparison.names.before, .right), (comparison.names.after, .right),
      ("", .left), ("effect", .right),
      ("bounds", .right), ("verdict", .left), ("because", .left),
    ])
    table.expendable = ["because"]
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
        FixedNumber.text(figure.after, decimals: 2), figure.unit, "", "", "", "for reference",
      ])
    }
    return table
  }

  private func effect(_ metric: MetricComparison) -> String {
    "\(signed(metric.effect, metric)) \(metric.effectUnit)"
  }

  private func interval(_ metric: MetricComparison) -> String {
    "[\(signed(metric.interval.lowerBound, metric)), \(signed(metric.interval.upperBound, metric))]"
  }

  private func signed(_ value: Double, _ metric: MetricComparison) -> String {
    // An interval of few runs can reach far beyond what a table has room for.
    if value > 9999 { return "> +9999" }
    let text = FixedNumber.text(value, decimals: metric.effectUnit == "pp" ? 2 : 1)
    return value > 0 && text.contains { $0 != "0" && $0 != "." } ? "+" + text : text
  }

  private func reason(_ metric: MetricComparison) -> String {
    let threshold = FixedNumber.text(metric.threshold, decimals: metric.effectUnit == "%" ? 0 : 2)
    switch metric.verdict {
    case .inconclusive:
      let words = "a change of \(threshold) \(metric.effectUnit)"
      if isEqual(metric) { return "no difference seen; \(words) is not ruled out" }
      let values = comparison.kind == .launch ? "launches" : "runs"
      let present = min(comparison.before.count, comparison.after.count)
      guard let needed = metric.runsNeeded else {
        return "\(words) would take more than 200 \(values) per side"
      }
      return needed > present || comparison.kind == .launch
        ? "\(words) takes about \(needed) \(values) per side"
        : "\(words) is neither shown nor ruled out by these \(values)"
    case .noChange: return "within \(threshold) \(metric.effectUnit)"
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

  /// Whose runs are compared, a line a side.
  func sides() -> [String] {
    [
      (comparison.names.before, comparison.before), (comparison.names.after, comparison.after),
    ].map { name, runs in
      let values =
        switch comparison.kind {
        case .frames: "\(runs.map(\.count).reduce(0, +)) frames"
        case .latency: "\(runs.map(\.latencies.count).reduce(0, +)) latencies"
        case .launch: "\(runs.map(\.launches.count).reduce(0, +)) launches"
        }
      let words = runs.count == 1 ? runs[0].file : "\(runs.count) runs"
      let surface = runs.first.map {
        [$0.process, $0.surface].compactMap { $0 }.joined(separator: " ")
      }
      return "\(name): \(words), \(values) of \(surface ?? "nothing")"
    }
  }
}
