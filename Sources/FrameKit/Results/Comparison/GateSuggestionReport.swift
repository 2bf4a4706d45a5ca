/// Suggested limits, in words and for scripts.
public struct GateSuggestionReport {
  private let suggestion: GateSuggestion

  public init(_ suggestion: GateSuggestion) { self.suggestion = suggestion }

  /// What is said of them.
  var document: Document {
    var document = Document()
    document.add(
      .lines([
        "Limits that one unchanged run in 100 fails, estimated from \(suggestion.files.count) runs:"
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
      "notices: nine runs in ten that are worse by so much fail the limit",
      "normal noise is assumed, and that later runs are made as these were",
    ]
    if suggestion.files.count < 10 {
      notes.append("few runs make loose limits: ten runs and more make them tight")
    }
    let alike = suggestion.items.filter(\.limits.isEmpty).map(\.figure)
    if !alike.isEmpty {
      notes.append(
        "no limit for \(alike.joined(separator: ", ")): all runs are alike, which tells nothing of their noise"
      )
    }
    return notes + suggestion.leftOut.map { "no limit for \($0.figure): \($0.why)" }
  }

  var json: String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("schema", "frametool.gate-suggestion/1")
      json.member("chance_unchanged_fails", GateSuggestion.chance)
      json.key("files")
      json.array { json in
        for file in suggestion.files { json.value(file) }
      }
      json.key("figures")
      json.array { json in
        for item in suggestion.items { json.object { json in Self.write(item, to: &json) } }
      }
      json.key("left_out")
      json.array { json in
        for item in suggestion.leftOut {
          json.object { json in
            json.member("figure", item.figure)
            json.member("why", item.why)
          }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func write(_ item: GateSuggestion.Item, to json: inout JSONWriter) {
    json.member("surface", item.surface)
    json.member("figure", item.figure)
    json.member("n", item.values.count)
    json.member("median", item.median)
    json.member("deviation", item.spread)
    json.member("unit", item.unit)
    json.key("limits")
    json.array { json in
      for limit in item.limits {
        json.object { json in
          json.member("runs", limit.runs)
          json.member("limit", limit.text)
          json.member("notices", limit.notices)
        }
      }
    }
  }
}
