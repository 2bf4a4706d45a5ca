import FrameKit

/// Lists the plots that can be drawn.
struct PlotsCommand: ListCommand {
  static let name = "plots"
  static let summary = "lists the plots that can be drawn"

  var format = ListFormat.text
  var markdown = false

  static var table: ListTable {
    ListTable(
      keys: ["name", "takes", "summary"], headings: ["name", "takes", "what it shows"],
      rows: Plots.all.map { [$0.name, $0.takes, $0.summary] })
  }
}
