import FrameTrace
public import FrameVerdicts

/// What a gate says of traces, in words.
public struct GateReport {
  private let traces: [GatedTrace]
  /// What they say together; `nil` for one trace, and where each is held to the limits by itself.
  private let runs: GatedRuns?

  /// - Parameter runs: What the traces say together, where they are judged by that.
  public init(_ traces: [GatedTrace], together runs: GatedRuns? = nil) {
    (self.traces, self.runs) = (traces, runs)
  }

  /// What is said of them.
  var document: Document {
    if let runs { return GatedRunsReport(runs).document }
    var document = Document()
    for trace in traces { add(trace, to: &document) }
    return document
  }

  private func add(_ trace: GatedTrace, to document: inout Document) {
    let kept = trace.results.map(\.result.isKept)
    let sentence = GateSentence(
      failed: kept.count { $0 == false }, kept: kept.count { $0 == true }, of: kept.count)
    document.add(.lines(["\(trace.file): \(sentence.text)"]))
    document.add(table(of: trace), "Limits")
    guard let slower = trace.slower else { return }
    let percent = FixedNumber.text(slower * 100, decimals: 1)
    let proof =
      trace.isProved
      ? "self-test passed: \(percent) % slower, every limit fails"
      : "self-test FAILED: \(percent) % slower, and not every limit fails"
    let halves =
      trace.uneven.isEmpty
      ? ["each half by itself keeps the limits that the whole keeps"]
      : trace.uneven.map { "one half by itself fails \($0)" }
    document.add(.lines([proof] + halves))
  }

  private func table(of trace: GatedTrace) -> TextTable {
    var columns: [(String, TextTable.Alignment)] = [
      ("limit", .left), ("surface", .left), ("found", .right), ("", .left), ("room", .right),
      ("result", .left),
    ]
    if trace.slower != nil { columns.append(("slower", .left)) }
    var table = TextTable(columns)
    for (index, item) in trace.results.enumerated() {
      let result = item.result
      var row = [
        result.limit.text, item.surface,
        result.value.map { FixedNumber.text($0, decimals: 3) } ?? "", result.unit,
        result.room.map { FixedNumber.text($0 * 100, decimals: 1) + " %" } ?? "", words(result),
      ]
      if trace.slower != nil { row.append(trace.noticed[index] ? "fails" : "is not noticed") }
      table.append(row)
    }
    return table
  }

  private func words(_ result: GateResult) -> String {
    switch result.isKept {
    case true?: "kept\(result.remark.map { "; \($0)" } ?? "")"
    case false?: "FAILED\(result.excess.map { ", \($0)" } ?? "")"
    case nil: "cannot be decided: \(result.why ?? "")"
    }
  }

  /// It as data, schema `frametool.gate/1`.
  var record: FieldRecord {
    var record = FieldRecord()
    record.add("schema", "frametool.gate/1")
    record.add("traces", rows: traces) { trace, record in record.add(trace) }
    if let runs { record.add("runs", GatedRunsReport(runs).rows) }
    return record
  }

  /// A case for each limit.
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

extension FieldRecord {
  fileprivate mutating func add(_ trace: GatedTrace) {
    add("file", trace.file)
    add("limits", rows: Array(trace.results.enumerated())) { item, record in
      let (index, (surface, result)) = item
      record.add("surface", surface)
      record.add("limit", result.limit.text)
      record.add("value", result.value, else: result.why)
      record.add("unit", result.unit)
      record.add("kept", result.isKept, else: result.why)
      record.addIfAny("remark", result.remark)
      if trace.slower != nil { record.add("fails_when_slower", trace.noticed[index]) }
    }
    guard let slower = trace.slower else { return }
    add("slower", slower)
    add("proved", trace.isProved)
    add("uneven", values: trace.uneven)
  }
}
