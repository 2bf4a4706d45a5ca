import FrameAnalysis
import FrameReport
import FrameTrace

/// The forms of one result, which must say the same: JSON, CSV and Markdown.
struct FuzzedForms {
  private static let figures = ["n", "missing", "min", "mean", "p50", "p90", "p95", "p99", "max"]
  /// The first columns of CSV say whose the row is, in JSON the objects around it.
  private static let metricColumn = 4
  private static let firstFigure = 7

  let json: [UInt8]
  let csv: String
  let markdown: String

  init(_ analysis: TraceAnalysis) {
    let forms = [OutputFormat.json, .csv, .markdown].map { Writers.write([analysis], as: $0, .all) }
    (json, csv, markdown) = (Array(forms[0].utf8), forms[1], forms[2])
  }

  /// The lines of CSV.
  var rows: [Substring] { csv.split(separator: "\n") }

  func check() {
    guard let root = JSONNode(reading: json) else { stop("JSON that is none") }
    for text in [csv, markdown] where text.unicodeScalars.contains(where: { $0.value == 0x1b }) {
      stop("an escape in \(text.prefix(40))")
    }
    let metrics = Self.metrics(root)
    checkRows(metrics)
    checkTables(metrics)
  }

  /// The metrics of all surfaces in order.
  private static func metrics(_ root: JSONNode) -> [(key: String, value: JSONNode)] {
    (root["traces"]?.array ?? []).flatMap { trace in
      (trace["surfaces"]?.array ?? []).flatMap { $0["metrics"]?.members ?? [] }
    }
  }

  /// CSV has the metrics of JSON in their order, with the same figures to the last digit.
  private func checkRows(_ metrics: [(key: String, value: JSONNode)]) {
    let names = Set(metrics.map(\.key))
    let rows = rows.map(Self.cells).filter {
      $0.count > Self.metricColumn && names.contains($0[Self.metricColumn])
    }
    if rows.count != metrics.count { stop("\(rows.count) rows of \(metrics.count) metrics") }
    for (row, metric) in zip(rows, metrics) {
      if row[Self.metricColumn] != metric.key { stop("\(metric.key) is another in CSV") }
      for (position, key) in (Self.figures + ["value"]).enumerated() {
        let figure = metric.value[key]?.number
        if Double(row[Self.firstFigure + position]) != figure {
          stop("\(metric.key) \(key): \(row[Self.firstFigure + position]), JSON \(figure as Any)")
        }
      }
    }
  }

  /// Each metric of a Markdown table is one of JSON, rounded.
  private func checkTables(_ metrics: [(key: String, value: JSONNode)]) {
    let byName = Dictionary(grouping: metrics, by: \.key)
    for line in markdown.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.dropFirst(2).split(separator: " | ", omittingEmptySubsequences: false)
      guard cells.count > Self.figures.count + 2, let known = byName[String(cells[0])] else {
        continue
      }
      let row = zip(Self.figures, cells.dropFirst(2))
      let isKnown = known.contains { metric in
        row.allSatisfy { Self.agree($1, metric.value[$0]?.number) }
      }
      if !isKnown { stop("a row that is not in JSON: \(line)") }
    }
  }

  /// Whether a printed figure is a value within half of its last digit; cells that are no numbers say that there is
  /// none.
  private static func agree(_ cell: Substring, _ value: Double?) -> Bool {
    guard let printed = Double(cell), let value else { return true }
    let digits = cell.split(separator: ".").dropFirst().last?.count ?? 0
    var step = 0.5
    for _ in 0..<digits { step /= 10 }
    return abs(printed - value) <= step * 1.001 + abs(value) * 1e-9
  }

  /// The cells of a line of CSV, where quoted ones hold commas and doubled quotation marks.
  private static func cells(_ line: Substring) -> [String] {
    var (cells, isQuoted) = ([""], false)
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].unicodeScalars.append(scalar)
      }
    }
    return cells
  }
}
