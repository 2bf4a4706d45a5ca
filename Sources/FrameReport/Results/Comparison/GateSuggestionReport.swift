import FrameTrace
public import FrameVerdicts

/// Suggested limits, in words and for scripts.
public struct GateSuggestionReport {
  private let suggestion: GateSuggestion

  /// The report on suggested limits.
  public init(_ suggestion: GateSuggestion) { self.suggestion = suggestion }

  /// The report as a document.
  var document: Document {
    var document = Document()
    document.add(
      .lines([
        "Limits with a 1 % false-alarm rate, estimated from \(suggestion.files.count) runs:"
      ]))
    document.add(table, "Limits")
    document.add(.lines(notes))
    return document
  }

  private var table: TextTable {
    let limits = GateSuggestion.runCounts.flatMap(Self.limitColumns)
    return ResultRows(columns: Self.columns + limits, rows: suggestion.items).table
      .withoutEmptyColumns
  }

  static let columns: [ResultColumn<GateSuggestion.Item>] = [
    .text("surface", "the surface", \.surface).shown("surface"),
    .text("metric", "the figure", \.figure).shown("figure"),
    .integer("n", "how many runs have it", \.values.count),
    .real("median", "the median of the runs", \.median).shown("median", decimals: 3),
    .text("unit", "its unit", \.unit).shown(""),
    .real("deviation", "the standard deviation of a run", \.spread)
      .shown("deviation", decimals: 3),
  ]

  /// The limit for the given number of runs, and the change that the limit detects, for people.
  private static func limitColumns(runs: Int) -> [ResultColumn<GateSuggestion.Item>] {
    let limit = { @Sendable (item: GateSuggestion.Item) in
      item.limits.first { $0.runs == runs }
    }
    return [
      .text("limit", "the limit") { limit($0)?.text }
        .shown(runs == 1 ? "for one run" : "median of \(runs)"),
      .real("notices", "how much worse a run is that fails it") { limit($0)?.notices }
        .shown("notices", .right) { item in
          limit(item)?.notices.map { FixedNumber.text($0 * 100, decimals: 0) + " %" } ?? ""
        },
    ]
  }

  private var notes: [String] {
    var notes = [
      "notices: nine in ten runs that are worse by this much fail the limit",
      "assumes normally distributed noise, and later runs made like these",
    ]
    if suggestion.files.count < 10 {
      notes.append("few runs give loose limits; ten or more give tight ones")
    }
    let alike = suggestion.items.filter(\.limits.isEmpty).map(\.figure)
    if !alike.isEmpty {
      notes.append(
        "no limit for \(alike.joined(separator: ", ")): all runs are equal, so their noise is unknown"
      )
    }
    return notes + suggestion.leftOut.map { "no limit for \($0.figure): \($0.why)" }
  }

  /// The schema name, with its version.
  static let schema = "frametool.gate-suggestion/2"

  static let fields: [ResultColumn<GateSuggestionReport>] = [
    .schema(schema),
    .real("chance_unchanged_fails", "the share of unchanged runs that fail a limit") { _ in
      GateSuggestion.chance
    },
    .texts("files", "the runs", \.suggestion.files),
    .rows(
      "figures",
      columns + [
        .rows(
          "limits",
          [
            .integer("runs", "for the median of how many runs", \.runs),
            .text("limit", "the limit", \.text),
            .real("notices", "how much worse a run is that fails it, as a share", \.notices)
              .otherwise("the median is 0, so a relative change is undefined"),
          ], "limits for one run and for medians of several", \.limits)
      ], "each figure", \.suggestion.items),
    .rows(
      "left_out",
      [.text("metric", "the figure", \.figure), .text("why", "why it has no limit", \.why)],
      "figures without a limit", \.suggestion.leftOut),
  ]

  /// The report as data.
  var record: FieldRecord { FieldRecord(Self.fields, of: self) }
}
