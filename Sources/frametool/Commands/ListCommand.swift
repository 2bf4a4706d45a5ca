import FrameKit

/// A command that lists the tool's capabilities, such as formats or metrics.
protocol ListCommand: Command {
  var format: ListFormat { get set }
  /// Whether the list is printed as a Markdown table, regardless of `format`.
  var markdown: Bool { get set }

  /// The list as a table.
  static var table: ListTable { get }
}

extension ListCommand {
  static var operands: String { "" }
  static var operandCount: ClosedRange<Int> { 0...0 }
  static var examples: [(command: String, does: String)] { [] }

  static var options: [CommandOption<Self>] { listOptions }

  /// The options of every list command.
  static var listOptions: [CommandOption<Self>] {
    [
      .choice("--format", to: \.format, help: "how it is printed (default: text)"),
      .flag("--markdown", \.markdown, help: "as a Markdown table"),
    ]
  }

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try console.print(Self.table.text(format, markdown: markdown, look: console.look))
    return .success
  }
}

/// The output format of a list.
enum ListFormat: String, CaseIterable { case text, json }

/// A list as a table: rows under headings.
struct ListTable {
  let keys: [String]
  let headings: [String]
  let rows: [[String]]

  /// The list in the requested format, including its final line feed.
  func text(_ format: ListFormat, markdown: Bool, look: TextLook = .plain) -> String {
    if markdown { return markdownText }
    if format == .json { return jsonText }
    guard look.width == nil else {
      return Writers.write(list: rows, under: headings, look: look)
    }
    return plainText
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
