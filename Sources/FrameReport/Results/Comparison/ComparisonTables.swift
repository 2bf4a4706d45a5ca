import FrameTrace
import FrameVerdicts

extension Document {
  /// A document on a comparison, the verdict first.
  init(_ comparison: Comparison) {
    let tables = ComparisonTables(comparison)
    let sentence = tables.sentence.text
    add(.title("\(tables.subject): \(sentence)", .words(sentence)))
    add(.points(tables.sides()))
    add(figuresOf: comparison)
  }

  /// A document on several sides, the verdict on each first.
  init(_ sides: ComparisonOfSides) {
    add(.marker("frametool compare"))
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
    foldTables()
  }

  /// Adds the table of a comparison, its method, and its problems.
  mutating func add(figuresOf comparison: Comparison) {
    add(ComparisonTables(comparison).table(), "Each figure before and after")
    add(
      .remarks([
        "method: \(comparison.method)", "bounds: each with 95 % confidence",
        "figures in parentheses do not affect the verdict",
      ]))
    add(Block.warnings, comparison.warnings.map(\.text))
  }
}

/// The parts of a comparison for people.
struct ComparisonTables {
  private let comparison: Comparison

  /// The verdict and its basis, in one line.
  var sentence: ComparisonSentence { ComparisonSentence(comparison) }

  init(_ comparison: Comparison) { self.comparison = comparison }

  /// What is compared.
  var subject: String {
    switch comparison.kind {
    case .frames:
      comparison.metric == ComparedFigures.usual ? "Frame times" : "Values of \(comparison.metric)"
    case .latency: "Latencies"
    case .launch: "Launch times"
    case .reported: "Reported figures"
    }
  }

  func table() -> TextTable {
    let rows = ComparedFigureRow.deciding(comparison) + ComparedFigureRow.beside(comparison)
    var table =
      ResultRows(columns: ComparedFigureRow.columns(comparison.names), rows: rows).table
    table.expendable = ["because"]
    return table
  }

  /// The runs that are compared, one line for each side.
  func sides() -> [String] {
    [
      (comparison.names.before, comparison.before), (comparison.names.after, comparison.after),
    ].map { name, runs in
      let values =
        switch comparison.kind {
        case .frames: "\(runs.map(\.count).reduce(0, +)) frames"
        case .latency: "\(runs.map(\.latencies.count).reduce(0, +)) latencies"
        case .launch: "\(runs.map(\.launches.count).reduce(0, +)) launches"
        case .reported: "\(comparison.metrics.count) figures"
        }
      let words = runs.count == 1 ? runs[0].file : "\(runs.count) runs"
      let surface = runs.first.map {
        [$0.process, $0.surface].compactMap { $0 }.joined(separator: " ")
      }
      return "\(name): \(words), \(values) of \(surface ?? "nothing")"
    }
  }
}
