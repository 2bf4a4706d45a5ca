import FrameTrace
public import FrameVerdicts

/// The result of a gate on traces, in words.
public struct GateReport {
  private let traces: [GatedTrace]
  /// The joint result of the runs; `nil` for one trace, or if each run is judged individually.
  private let runs: GatedRuns?

  /// - Parameter runs: The joint result of the traces, if they are judged jointly.
  public init(_ traces: [GatedTrace], together runs: GatedRuns? = nil) {
    (self.traces, self.runs) = (traces, runs)
  }

  /// The report as a document.
  var document: Document {
    if let runs { return GatedRunsReport(runs).document }
    var document = Document()
    for trace in traces { add(trace, to: &document) }
    return document
  }

  /// The result in a sentence: of the runs together, or of every limit of every trace.
  var sentence: GateSentence {
    runs.map { GatedRunsReport($0).sentence } ?? Self.sentence(traces)
  }

  private static func sentence(_ traces: [GatedTrace]) -> GateSentence {
    let kept = traces.flatMap(\.results).map(\.result.isKept)
    return GateSentence(
      failed: kept.count { $0 == false }, kept: kept.count { $0 == true }, of: kept.count)
  }

  private func add(_ trace: GatedTrace, to document: inout Document) {
    document.add(.lines(["\(trace.file): \(Self.sentence([trace]).text)"]))
    document.add(table(of: trace), "Limits")
    guard let slower = trace.slower else { return }
    let percent = FixedNumber.text(slower * 100, decimals: 1)
    let proof =
      trace.isProved
      ? "self-test passed: every limit fails at \(percent) % slower"
      : "self-test FAILED: not every limit fails at \(percent) % slower"
    let halves =
      trace.uneven.isEmpty
      ? ["each half keeps the limits that the whole trace keeps"]
      : trace.uneven.map { "one half fails a limit that the whole trace keeps: \($0)" }
    document.add(.lines([proof] + halves))
  }

  private func table(of trace: GatedTrace) -> TextTable {
    let rows = ResultRows(
      columns: GatedLimitRow.columns(of: trace), rows: GatedLimitRow.rows(of: trace))
    var table = rows.table
    table.expendable = ["surface"]
    return table
  }

  /// The schema name, with its version.
  static let schema = "frametool.gate/2"

  static let fields: [ResultColumn<GateReport>] = [
    .schema(schema),
    .rows(
      "traces",
      [
        .text("file", "the trace", \.file),
        .rows("limits", GatedLimitRow.data, "each limit", GatedLimitRow.rows),
        .real("slower", "by how much the self-test slowed the trace, as a share", \.slower).ifAny,
        .flag("proved", "whether every limit failed then") {
          $0.slower == nil ? nil : $0.isProved
        }.ifAny,
        .texts("uneven", "limits that the whole trace keeps and one half does not") {
          $0.slower == nil ? nil : $0.uneven
        }.ifAny,
      ], "each trace", \.traces),
    .rows("runs", GatedRunsReport.columns, "all runs together", \.runs?.items).ifAny,
  ]

  /// The report as data.
  var record: FieldRecord { FieldRecord(Self.fields, of: self) }

  /// A test case for each limit.
  var testCases: [TestCase] {
    runs.map { GatedRunsReport($0).cases }
      ?? traces.flatMap { trace in
        trace.results.map { item in
          let outcome: TestCase.Outcome =
            switch item.result.isKept {
            case true?: .passed
            case false?: .failed
            case nil: .skipped
            }
          let found = item.result.value.map { FixedNumber.text($0, decimals: 3) } ?? "nothing"
          let excess = item.result.excess.map { ", \($0)" } ?? ""
          return TestCase(
            name: "\(trace.file): \(item.surface): \(item.result.limit.text)", outcome: outcome,
            text: item.result.why ?? "found \(found) \(item.result.unit)\(excess)")
        }
      }
  }
}
