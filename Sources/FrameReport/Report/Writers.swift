public import FrameAnalysis
public import FrameTrace
public import FrameVerdicts

/// The formats in which results are printed.
public enum OutputFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown
}

/// Writes results. A look applies to text and has no effect on other formats.
public enum Writers {
  /// Writes a result in a format, and makes only the parts that the format needs.
  private static func write(
    as format: OutputFormat, _ look: TextLook, _ documents: () -> [Document],
    _ record: () -> FieldRecord, _ rows: () -> [[String]]
  ) -> String {
    switch format {
    case .text: PlainText.write(documents(), look)
    case .markdown: Markdown().write(documents())
    case .json: JSONText.write(record())
    case .csv: CSVText.rows(rows())
    }
  }

  /// Whether a string in a dashboard's format contains no figure.
  public static func isEmpty(_ text: String) -> Bool {
    ["", "[]\n", "{}\n", "# EOF\n"].contains(text)
  }

  /// Writes analyses of traces in a format, including the last line feed.
  /// - Parameters:
  ///   - failures: Why other traces could not be read, a message for each; JSON contains them.
  ///   - detail: How much detail the formats for people show; JSON and CSV contain everything.
  public static func write(
    _ analyses: [TraceAnalysis], failures: [String] = [], as format: AnalysisFormat,
    _ detail: AnalysisDetail = .answer, look: TextLook = .plain
  ) -> String {
    switch format {
    case .text: write(analyses, as: OutputFormat.text, detail, look: look)
    case .json: JSONText.write(FieldRecord(analyses, failures: failures))
    case .csv: write(analyses, as: OutputFormat.csv)
    case .markdown: write(analyses, as: OutputFormat.markdown, detail)
    case .benchmarkAction: BenchmarkActionText.write(DashboardFigure.all(analyses))
    case .bencher: BencherText.write(DashboardFigure.all(analyses))
    case .openMetrics: OpenMetricsText.write(DashboardFigure.all(analyses))
    case .otlp: TelemetryText.write(analyses)
    }
  }

  /// Writes analyses of traces in a format, including the last line feed.
  /// - Parameter detail: How much detail the formats for people show; JSON and CSV contain everything.
  public static func write(
    _ analyses: [TraceAnalysis], as format: OutputFormat, _ detail: AnalysisDetail = .answer,
    look: TextLook = .plain
  ) -> String {
    write(
      as: format, look, { analyses.map { Document($0, detail) } }, { FieldRecord(analyses) },
      { AnalysisTable(analyses).rows })
  }

  /// Writes a description of traces in a format: what they are, how they were read, and what they can answer. Includes
  /// the last line feed.
  public static func write(_ traces: [Trace], as format: OutputFormat, look: TextLook = .plain)
    -> String
  {
    write(
      as: format, look, { traces.map(TraceInfo.document) }, { TraceInfo.record(traces) },
      { TraceInfo.rows(traces) })
  }

  /// Writes comparisons with a baseline in a format, including the last line feed.
  public static func write(
    _ sides: ComparisonOfSides, as format: VerdictFormat, look: TextLook = .plain
  ) -> String {
    switch format {
    case .text: PlainText.write([Document(sides)], look)
    case .markdown: Markdown().write([Document(sides)])
    case .json: JSONText.write(FieldRecord(sides))
    case .csv: CSVText.rows(ComparisonRows(sides).cells)
    case .github: GitHubText.log("frametool compare", sides.testCases, write(sides, as: .text))
    case .junit:
      JUnitText.suite("frametool compare", sides.testCases, output: write(sides, as: .text))
    }
  }

  /// Writes the figures of several runs of one side in a format, including the last line feed.
  public static func write(
    _ report: RunsOfOneSideReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// Writes the result of paired runs in a format, including the last line feed.
  public static func write(
    _ report: BenchReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// Writes the result of a search for a commit in a format, including the last line feed.
  public static func write(
    _ report: BisectReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// Writes how often tools are right in a format, including the last line feed.
  package static func write(
    _ report: ScoreReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// Writes a list as text on lines that fit. Columns are omitted starting with the last, and the last remaining column
  /// is folded.
  public static func write(
    list rows: [[String]], under headings: [String], look: TextLook
  ) -> String {
    var table = TextTable(headings.map { ($0, .left) })
    for row in rows { table.append(row) }
    table.expendable = headings.dropFirst(2).reversed()
    return table.lines(look).joined(separator: "\n") + "\n"
  }

  /// The first line of a summary.
  public static var summaryHeader: String { JSONText.line(FieldRecord.summaryHeader) }

  /// The first line of an unfinished summary, with a record of the request on the traces.
  public static func summaryHeader(asked: String) -> String {
    var record = FieldRecord.summaryHeader
    record.add(SummaryKey.asked, asked)
    return JSONText.line(record)
  }

  /// A line of a summary.
  public static func line(_ run: SummarizedRun) -> String { JSONText.line(FieldRecord(run)) }

  /// Writes the figures of summarized runs as CSV, one row for each metric of each run, including
  /// the last line feed.
  public static func table(_ runs: [SummarizedRun]) -> String { CSVText.rows(RunTable(runs).cells) }

  /// Writes a fleet in a format, including the last line feed.
  public static func write(
    _ report: FleetReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// Writes replays of traces in a format, as one document, including the last line feed.
  public static func write(
    _ reports: [ReplayReport], as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(
      as: format, look, { reports.map(\.document) }, { FieldRecord(reports) },
      {
        let rows = reports.map(\.rows)
        return Array((rows.first ?? []).prefix(1)) + rows.flatMap { $0.dropFirst() }
      })
  }

  /// Writes an analysis of launches in a format, with the comparison of two groups of launches if
  /// there is one, including the last line feed.
  public static func write(
    _ launches: LaunchAnalysis, _ comparison: Comparison? = nil, as format: OutputFormat,
    look: TextLook = .plain
  ) -> String {
    write(
      as: format, look, { [Document(launches, comparison)] }, { FieldRecord(launches, comparison) },
      { LaunchRows(launches).cells })
  }

  /// Writes a gate's result in a format, including the last line feed.
  public static func write(_ gate: GateReport, as format: GateFormat, look: TextLook = .plain)
    -> String
  {
    switch format {
    case .text: PlainText.write([gate.document], look)
    case .markdown: Markdown().write([gate.document])
    case .json: JSONText.write(gate.record)
    case .github: GitHubText.log("frametool gate", gate.testCases, write(gate, as: .text))
    case .junit:
      JUnitText.suite("frametool gate", gate.testCases, output: write(gate, as: .text))
    }
  }

  /// Writes suggested limits in a format, including the last line feed; `nil` for a format that does not support
  /// suggested limits.
  public static func write(
    _ limits: GateSuggestionReport, as format: GateFormat, look: TextLook = .plain
  ) -> String? {
    switch format {
    case .text: PlainText.write([limits.document], look)
    case .markdown: Markdown().write([limits.document])
    case .json: JSONText.write(limits.record)
    case .github, .junit: nil
    }
  }

  /// Writes a history's result in a format, including the last line feed.
  public static func write(
    _ history: HistoryReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [history.document] }, { history.record }, { history.rows })
  }

  /// Writes a history's result for its newest jobs in a format, including the last line feed.
  public static func write(
    _ check: HistoryReport, as format: VerdictFormat, look: TextLook = .plain
  ) -> String {
    switch format {
    case .text: write(check, as: OutputFormat.text, look: look)
    case .markdown: write(check, as: OutputFormat.markdown)
    case .json: write(check, as: OutputFormat.json)
    case .csv: write(check, as: OutputFormat.csv)
    case .github:
      GitHubText.log(
        "frametool history check", check.testCases, write(check, as: OutputFormat.text))
    case .junit:
      JUnitText.suite(
        "frametool history check", check.testCases, output: write(check, as: OutputFormat.text))
    }
  }
}

/// The formats in which analyses are printed: formats for people and scripts, and dashboard formats.
public enum AnalysisFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown
  case benchmarkAction = "github-action-benchmark"
  case bencher
  case openMetrics = "openmetrics"
  case otlp

  /// Whether the format contains every metric regardless of the selection.
  public var isWhole: Bool { self == .json || self == .csv }

  /// Whether the format is for a dashboard and selects its figures itself.
  public var isOfDashboard: Bool {
    switch self {
    case .text, .json, .csv, .markdown: false
    case .benchmarkAction, .bencher, .openMetrics, .otlp: true
    }
  }

  /// Whether the format counts slow and frozen frames.
  public var countsJank: Bool { self == .otlp }
}

/// The formats in which verdicts are printed.
public enum VerdictFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown, junit, github
}

/// The formats in which gates are printed.
public enum GateFormat: String, Sendable, CaseIterable { case text, json, markdown, junit, github }
