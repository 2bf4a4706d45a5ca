import Fixtures

/// Lists the synthetic traces that can be generated.
struct ScenariosCommand: ListCommand {
  static let name = "scenarios"
  static let summary = "lists the synthetic traces that can be generated"

  var format = ListFormat.text
  var markdown = false

  static var table: ListTable {
    ListTable(
      keys: ["name", "summary", "frames"], headings: ["name", "what happens", "frames"],
      rows: Scenarios.all.map { [$0.name, $0.summary, "\($0.frames)"] })
  }
}
