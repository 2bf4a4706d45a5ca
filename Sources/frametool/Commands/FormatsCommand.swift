import FrameKit

/// Lists the formats that can be read.
struct FormatsCommand: ListCommand {
  static let name = "formats"
  static let summary = "lists the formats that can be read"

  var format = ListFormat.text
  var markdown = false

  static var table: ListTable {
    ListTable(
      keys: ["name", "title", "versions", "documentation"],
      headings: ["name", "format", "versions", "documentation"],
      rows: Importers.formats.map { [$0.name, $0.title, $0.versions, $0.documentation] })
  }
}
