public import FrameAnalysis
public import FrameTrace
public import FrameVerdicts

/// The forms in which results are printed.
public enum OutputFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown
}

/// The writers of results. A look is that of text, and has no effect on other forms.
public enum Writers {
  /// A result in that form, of which only what the form takes is made.
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

  /// Analyses of traces in that form, the last line feed included.
  /// - Parameter detail: How much of them people read; JSON and CSV have everything.
  public static func write(
    _ analyses: [TraceAnalysis], as format: OutputFormat, _ detail: AnalysisDetail = .answer,
    look: TextLook = .plain
  ) -> String {
    write(
      as: format, look, { analyses.map { Document($0, detail) } }, { FieldRecord(analyses) },
      { AnalysisTable(analyses).rows })
  }

  /// What traces are, how they were read, and what they can answer, in that form, the last line feed
  /// included.
  public static func write(_ traces: [Trace], as format: OutputFormat, look: TextLook = .plain)
    -> String
  {
    write(
      as: format, look, { traces.map(TraceInfo.document) }, { TraceInfo.record(traces) },
      { TraceInfo.rows(traces) })
  }

  /// Comparisons with a baseline in that form, the last line feed included.
  public static func write(
    _ sides: ComparisonOfSides, as format: VerdictFormat, look: TextLook = .plain
  ) -> String {
    switch format {
    case .text: PlainText.write([Document(sides)], look)
    case .markdown: Markdown().write([Document(sides)])
    case .json: JSONText.write(FieldRecord(sides))
    case .csv: CSVText.rows(ComparisonRows(sides).cells)
    case .junit:
      JUnitText.suite("frametool compare", sides.testCases, output: write(sides, as: .text))
    }
  }

  /// A list as text on lines that fit: columns are left out from the last on, and the last one that stays is
  /// folded.
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

  /// The first line of a summary in the making, by which it is told what was asked of traces.
  public static func summaryHeader(asked: String) -> String {
    var record = FieldRecord.summaryHeader
    record.add(SummaryKey.asked, asked)
    return JSONText.line(record)
  }

  /// A line of a summary.
  public static func line(_ run: SummarizedRun) -> String { JSONText.line(FieldRecord(run)) }

  /// A fleet in that form, the last line feed included.
  public static func write(
    _ report: FleetReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// A replay in that form, the last line feed included.
  public static func write(
    _ report: ReplayReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [report.document] }, { report.record }, { report.rows })
  }

  /// An analysis of launches in that form, with the comparison of two groups of them where one was
  /// made, the last line feed included.
  public static func write(
    _ launches: LaunchAnalysis, _ comparison: Comparison? = nil, as format: OutputFormat,
    look: TextLook = .plain
  ) -> String {
    write(
      as: format, look, { [Document(launches, comparison)] }, { FieldRecord(launches, comparison) },
      { LaunchRows(launches).cells })
  }

  /// What a gate says in that form, the last line feed included.
  public static func write(_ gate: GateReport, as format: GateFormat, look: TextLook = .plain)
    -> String
  {
    switch format {
    case .text: PlainText.write([gate.document], look)
    case .markdown: Markdown().write([gate.document])
    case .json: JSONText.write(gate.record)
    case .junit:
      JUnitText.suite("frametool gate", gate.testCases, output: write(gate, as: .text))
    }
  }

  /// Suggested limits in that form, the last line feed included; `nil` for one that they do not
  /// have.
  public static func write(
    _ limits: GateSuggestionReport, as format: GateFormat, look: TextLook = .plain
  ) -> String? {
    switch format {
    case .text: PlainText.write([limits.document], look)
    case .markdown: Markdown().write([limits.document])
    case .json: JSONText.write(limits.record)
    case .junit: nil
    }
  }

  /// What a history answers in that form, the last line feed included.
  public static func write(
    _ history: HistoryReport, as format: OutputFormat, look: TextLook = .plain
  ) -> String {
    write(as: format, look, { [history.document] }, { history.record }, { history.rows })
  }

  /// What a history says of its newest jobs in that form, the last line feed included.
  public static func write(
    _ check: HistoryReport, as format: VerdictFormat, look: TextLook = .plain
  ) -> String {
    switch format {
    case .text: write(check, as: OutputFormat.text, look: look)
    case .markdown: write(check, as: OutputFormat.markdown)
    case .json: write(check, as: OutputFormat.json)
    case .csv: write(check, as: OutputFormat.csv)
    case .junit:
      JUnitText.suite(
        "frametool history check", check.testCases, output: write(check, as: OutputFormat.text))
    }
  }
}

/// The forms in which verdicts are printed.
public enum VerdictFormat: String, Sendable, CaseIterable {
  case text, json, csv, markdown, junit
}

/// The forms in which gates are printed.
public enum GateFormat: String, Sendable, CaseIterable { case text, json, markdown, junit }
