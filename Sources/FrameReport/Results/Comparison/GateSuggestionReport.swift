import FrameTrace
public import FrameVerdicts

/// Suggested limits, in words and for scripts.
public struct GateSuggestionReport {
  private let suggestion: GateSuggestion

  /// The report on suggested limits.
  public init(_ suggestion: GateSuggestion) { self.suggestion = suggestion }

  /// What is said of them.
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
    var columns: [(String, TextTable.Alignment)] = [
      ("surface", .left), ("figure", .left), ("median", .right), ("", .left),
      ("deviation", .right),
    ]
    for runs in GateSuggestion.runCounts {
      columns.append((runs == 1 ? "for one run" : "median of \(runs)", .left))
      columns.append(("notices", .right))
    }
    var table = TextTable(columns)
    for item in suggestion.items {
      var row = [
        item.surface, item.figure, FixedNumber.text(item.median, decimals: 3), item.unit,
        FixedNumber.text(item.spread, decimals: 3),
      ]
      for runs in GateSuggestion.runCounts {
        let limit = item.limits.first { $0.runs == runs }
        row.append(limit?.text ?? "")
        row.append(limit?.notices.map { FixedNumber.text($0 * 100, decimals: 0) + " %" } ?? "")
      }
      table.append(row)
    }
    return table.withoutEmptyColumns
  }

  private var notes: [String] {
    var notes = [
      "notices: nine in ten runs that are worse by this much fail the limit",
      "assumes normal noise, and that later runs are made like these",
    ]
    if suggestion.files.count < 10 {
      notes.append("few runs make loose limits: ten or more make them tight")
    }
    let alike = suggestion.items.filter(\.limits.isEmpty).map(\.figure)
    if !alike.isEmpty {
      notes.append(
        "no limit for \(alike.joined(separator: ", ")): all runs are alike, which says nothing about their noise"
      )
    }
    return notes + suggestion.leftOut.map { "no limit for \($0.figure): \($0.why)" }
  }

  /// It as data, schema `frametool.gate-suggestion/1`.
  var record: FieldRecord {
    var record = FieldRecord()
    record.add("schema", "frametool.gate-suggestion/1")
    record.add("chance_unchanged_fails", GateSuggestion.chance)
    record.add("files", values: suggestion.files)
    record.add("figures", rows: suggestion.items) { item, record in
      record.add("surface", item.surface)
      record.add("figure", item.figure)
      record.add("n", item.values.count)
      record.add("median", item.median)
      record.add("deviation", item.spread)
      record.add("unit", item.unit)
      record.add("limits", rows: item.limits) { limit, record in
        record.add("runs", limit.runs)
        record.add("limit", limit.text)
        record.add("notices", limit.notices, else: "the median is 0, so there is no share of it")
      }
    }
    record.add("left_out", rows: suggestion.leftOut) { item, record in
      record.add("figure", item.figure)
      record.add("why", item.why)
    }
    return record
  }
}
