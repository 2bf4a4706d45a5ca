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

  /// The limit for the given number of runs, and what it detects, for people.
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

  /// The report as data.
  var record: FieldRecord {
    var record = FieldRecord()
    record.add("schema", Self.schema)
    record.add("chance_unchanged_fails", GateSuggestion.chance)
    record.add("files", values: suggestion.files)
    record.add("figures", rows: suggestion.items) { item, record in
      record.add(Self.columns, of: item)
      record.add("limits", rows: item.limits) { limit, record in
        record.add("runs", limit.runs)
        record.add("limit", limit.text)
        record.add(
          "notices", limit.notices, else: "the median is 0, so a relative change is undefined")
      }
    }
    record.add("left_out", rows: suggestion.leftOut) { item, record in
      record.add("metric", item.figure)
      record.add("why", item.why)
    }
    return record
  }
}
