/// A table in Markdown.
struct MarkdownTable {
  let text: String

  init(_ header: [String], _ rows: [[String]]) {
    text = ([header, header.map { _ in "---" }] + rows).map { row in
      "| \(row.joined(separator: " | ")) |"
    }.joined(separator: "\n")
  }
}
