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
