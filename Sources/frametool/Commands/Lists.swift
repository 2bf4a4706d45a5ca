import FrameKit

/// How a list of what there is is printed.
enum ListFormat: String, CaseIterable { case text, json }

/// A list of what there is: its rows under headings.
struct ListTable {
  let keys: [String]
  let headings: [String]
  let rows: [[String]]

  /// The list in the form asked for, its last line feed included.
  func text(_ format: ListFormat, markdown: Bool) -> String {
    if markdown { return markdownText }
    return format == .json ? jsonText : plainText
  }

  private var plainText: String {
    let widths = headings.indices.map { column in
      ([headings] + rows).map { $0[column].count }.max() ?? 0
    }
    return ([headings] + rows).map { row in
      var line = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private var markdownText: String {
    ([headings, headings.map { _ in "---" }] + rows).map { row in
      "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }

  private var jsonText: String {
    var json = JSONWriter(indented: true)
    json.array { json in
      for row in rows {
        json.object { json in
          for (key, cell) in zip(keys, row) {
            json.key(key)
            json.value(cell)
          }
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// Lists the formats that can be read.
struct Formats: Command {
  static let name = "formats"
  static let summary = "lists the formats that can be read"
  static let operands = ""
  static let operandCount = 0...0
  static let examples: [(command: String, does: String)] = []
  static let options: [CommandOption<Formats>] = [
    .choice("--format", to: \.format, help: "how it is printed (default: text)"),
    .flag("--markdown", \.markdown, help: "as a table in Markdown"),
  ]

  var format = ListFormat.text
  var markdown = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let table = ListTable(
      keys: ["name", "title", "versions", "documentation"],
      headings: ["name", "format", "versions", "documentation"],
      rows: Importers.formats.map { [$0.name, $0.title, $0.versions, $0.documentation] })
    try console.print(table.text(format, markdown: markdown))
    return .success
  }
}

/// Lists what is measured.
struct MetricsCommand: Command {
  static let name = "metrics"
  static let summary = "lists what is measured, with its formula"
  static let operands = ""
  static let operandCount = 0...0
  static let examples: [(command: String, does: String)] = []
  static let options: [CommandOption<MetricsCommand>] = [
    .choice("--format", to: \.format, help: "how it is printed (default: text)"),
    .flag("--markdown", \.markdown, help: "as a table in Markdown"),
  ]

  var format = ListFormat.text
  var markdown = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let directions: [MetricDirection: String] = [
      .lowerIsBetter: "lower", .higherIsBetter: "higher", .neither: "neither",
    ]
    let table = ListTable(
      keys: ["name", "unit", "better", "summary", "formula", "source"],
      headings: ["name", "unit", "better", "what it is", "formula", "source"],
      rows: Metrics.entries.map {
        [
          $0.name, $0.unit.rawValue, directions[$0.direction] ?? "", $0.summary, $0.formula,
          $0.source ?? "",
        ]
      })
    try console.print(table.text(format, markdown: markdown))
    return .success
  }
}
