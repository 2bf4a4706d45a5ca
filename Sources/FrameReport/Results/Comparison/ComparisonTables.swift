import FrameTrace
import FrameVerdicts

extension Document {
  /// What is said of a comparison, the verdict first.
  init(_ comparison: Comparison) {
    let tables = ComparisonTables(comparison)
    let sentence = tables.sentence.text
    add(.title("\(tables.subject): \(sentence)", .words(sentence)))
    add(.points(tables.sides()))
    add(figuresOf: comparison)
  }

  /// What is said of several sides: the verdict on each first.
  init(_ sides: ComparisonOfSides) {
    if sides.comparisons.count > 1 {
      add(
        .title(
          "\(sides.overall.word): \(sides.comparisons.count) sides against \(sides.comparisons[0].names.before)"
        ))
      add(
        .points(
          sides.comparisons.map { comparison in
            "\(comparison.names.after): \(ComparisonSentence(comparison).text)"
          }))
    }
    for comparison in sides.comparisons { add(Document(comparison)) }
  }

  /// Adds the table of a comparison, how it was made, and what is wrong with it.
  mutating func add(figuresOf comparison: Comparison) {
    add(ComparisonTables(comparison).table(), "Each figure before and after")
    add(
      .remarks([
        "method: \(comparison.method)", "bounds: \(ComparisonSentence.level)",
        "figures in parentheses do not decide",
      ]))
    add(Block.warnings, comparison.warnings)
  }
}

/// The parts of a comparison as people read them.
struct ComparisonTables {
  private let comparison: Comparison

  /// The verdict and what it rests on, in a line.
  var sentence: ComparisonSentence { ComparisonSentence(comparison) }

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
        FixedNumber.text(metric.after, decimals: 2), metric.unit, metric.effectText,
        metric.intervalText, metric.verdict.word, reason(metric),
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

  private func reason(_ metric: MetricComparison) -> String {
    let threshold = FixedNumber.text(metric.threshold, decimals: metric.effectUnit == "%" ? 0 : 2)
    if let other = metric.contradictedBy {
      return "no verdict: \(other) shows that the stretches at the full rate changed"
    }
    switch metric.verdict {
    case .inconclusive:
      let words = "a change of \(threshold) \(metric.effectUnit)"
      if metric.isEqual { return "no difference seen; \(words) is not ruled out" }
      let values = comparison.kind == .launch ? "launches" : "runs"
      let present = min(comparison.before.count, comparison.after.count)
      guard let needed = metric.runsNeeded else {
        return "\(words) would take more than 200 \(values) per side"
      }
      return needed > present || comparison.kind == .launch
        ? "\(words) takes about \(needed) \(values) per side"
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
