import Fixtures
import FrameKit

/// Lists the formats that can be read.
struct FormatsCommand: ListCommand {
  static let name = "list formats"
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

/// Lists the plots that can be drawn.
struct PlotsCommand: ListCommand {
  static let name = "list plots"
  static let summary = "lists the plots that can be drawn"

  var format = ListFormat.text
  var markdown = false

  static var table: ListTable {
    ListTable(
      keys: ["name", "takes", "summary"], headings: ["name", "takes", "what it shows"],
      rows: Plots.all.map { [$0.name, $0.takes, $0.summary] })
  }
}

/// Lists the synthetic traces that can be generated.
struct ScenariosCommand: ListCommand {
  static let name = "list scenarios"
  static let summary = "lists the synthetic traces that can be generated"

  var format = ListFormat.text
  var markdown = false

  static var table: ListTable {
    ListTable(
      keys: ["name", "summary", "frames"], headings: ["name", "what happens", "frames"],
      rows: Scenarios.all.map { [$0.name, $0.summary, "\($0.frames)"] })
  }
}
