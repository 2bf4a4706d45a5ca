import FrameTrace
public import FrameVerdicts

/// The combined figures of several runs, in words and for scripts.
public struct RunsOfOneSideReport {
  private let side: RunsOfOneSide

  /// The report on runs of one side.
  public init(_ side: RunsOfOneSide) { self.side = side }

  /// The schema name, with its version.
  static let schema = "frametool.runs-of-one-side/1"

  static let columns: [ResultColumn<RunsOfOneSide.Figure>] = [
    .text("metric", "the figure", \.name).shown("metric"),
    .text("unit", "the unit of its values", \.unit).shown("unit"),
    .integer("n", "how many runs have it", \.values.count).shown("runs", .right),
    .real("mean", "the mean of the runs", \.mean).shown("mean", decimals: 2),
    .interval("ci95", "the bounds of the mean, each of 95 % confidence", \.interval)
      .otherwise { figure in
        figure.values.count > 1
          ? "equal runs do not show how much runs differ"
          : "one run does not show how much runs differ"
      }
      .shown("95 % bounds", .right) { bounds(of: $0, decimals: 2) ?? "unknown" },
    .real("deviation", "the standard deviation of a run", \.deviation)
      .otherwise("one run has none").shown("deviation", decimals: 2),
    .real("min", "the smallest value of a run") { $0.values.min() }.shown("min", decimals: 2),
    .real("max", "the largest value of a run") { $0.values.max() }.shown("max", decimals: 2),
    .list("values", "the value of each run", \.values),
  ]

  /// The report as a document.
  var document: Document {
    var document = Document()
    let surface = side.runs.first.map {
      [$0.process, $0.surface].compactMap { $0 }.joined(separator: " ")
    }
    let frames = side.runs.reduce(0) { $0 + $1.count }
    let values = frames > 0 ? "\(frames) frames" : "\(side.figures.count) figures"
    document.add(.lines(["\(counted), \(values) of \(surface ?? "nothing")\(rates)"]))
    document.add(
      ResultRows(columns: Self.columns, rows: side.figures).table, "Each figure over the runs")
    document.add(.lines(notes))
    return document
  }

  /// The bounds of a figure's mean in brackets; `nil` if unknown.
  private static func bounds(of figure: RunsOfOneSide.Figure, decimals: Int) -> String? {
    figure.interval.map { interval in
      let ends = [interval.lowerBound, interval.upperBound]
      return "[\(ends.map { FixedNumber.text($0, decimals: decimals) }.joined(separator: ", "))]"
    }
  }

  /// The frame rates that players know, with their bounds.
  private var rates: String {
    let words = RunSummary.spokenRates.compactMap { name, word in
      side.figures.first { $0.name == name }.map { figure in
        let bounds = Self.bounds(of: figure, decimals: 1).map { " \($0)" } ?? ""
        return "\(word) \(FixedNumber.text(figure.mean, decimals: 1)) \(figure.unit)\(bounds)"
      }
    }
    guard !words.isEmpty else { return "" }
    return ": \(words.joined(separator: ", "))\(counted == "1 run" ? "" : " (95 % bounds)")"
  }

  private var counted: String { side.runs.count == 1 ? "1 run" : "\(side.runs.count) runs" }

  private var notes: [String] {
    var notes = [
      "mean: of the values of the runs; bounds: of this mean, each with 95 % confidence, by Student's t"
    ]
    if side.figures.contains(where: { $0.interval == nil }) {
      notes.append("unknown: one run, or runs that are equal, do not show how much runs differ")
    }
    if !side.partial.isEmpty {
      notes.append("only some of the runs have \(side.partial.joined(separator: ", "))")
    }
    return notes
  }

  static let fields: [ResultColumn<RunsOfOneSideReport>] = [
    .schema(schema), .texts("files", "the runs") { $0.side.runs.map(\.file) },
    .rows("figures", columns, "each figure", \.side.figures),
    .texts("partial", "figures that only some of the runs have", \.side.partial),
  ]

  /// The report as data.
  var record: FieldRecord { FieldRecord(Self.fields, of: self) }

  /// The figures as a table for spreadsheets.
  var rows: [[String]] { ResultRows(columns: Self.columns, rows: side.figures).cells() }
}
