import FrameKit

/// Lists what is measured.
struct MetricsCommand: ListCommand {
  static let name = "metrics"
  static let summary = "lists what is measured, with its formula"

  var format = ListFormat.text
  var markdown = false

  static var table: ListTable {
    ListTable(
      keys: ["name", "unit", "better", "summary", "formula", "source"],
      headings: ["name", "unit", "better", "what it is", "formula", "source"],
      rows: Metrics.entries.map {
        [
          $0.name, $0.unit.rawValue, word($0.direction), $0.summary, $0.formula, $0.source ?? "",
        ]
      })
  }

  private static func word(_ direction: MetricDirection) -> String {
    switch direction {
    case .lowerIsBetter: "lower"
    case .higherIsBetter: "higher"
    case .neither: "neither"
    }
  }
}
