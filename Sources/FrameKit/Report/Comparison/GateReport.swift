/// The forms in which gates are printed.
public enum GateFormat: String, Sendable, CaseIterable { case text, json, markdown, junit }

/// What a gate says of traces, in words.
public struct GateReport {
  private let traces: [GatedTrace]
  /// What they say together; `nil` for one trace, and where each is held to the limits by itself.
  private let runs: GatedRuns?

  /// - Parameter runs: What the traces say together, where they are judged by that.
  public init(_ traces: [GatedTrace], together runs: GatedRuns? = nil) {
    (self.traces, self.runs) = (traces, runs)
  }

  /// The whole output, its last line feed included.
  public func text(as format: GateFormat) -> String {
    switch format {
    case .text: text { $0.lines() }
    case .markdown: text { $0.markdown() }
    case .json: json
    case .junit: junit
    }
  }

  private func text(_ form: (TextTable) -> [String]) -> String {
    let all =
      runs.map { GatedRunsReport($0).lines(form) }
      ?? traces.flatMap { lines($0, form(table(of: $0))) }
    return PrintableText.lines(all.joined(separator: "\n") + "\n")
  }

  private func lines(_ trace: GatedTrace, _ table: [String]) -> [String] {
    let kept = trace.results.map(\.result.isKept)
    let failed = kept.count { $0 == false }
    let missing = kept.count { $0 == nil }
    var lines = [
      "\(trace.file): \(failed) of \(kept.count) limits failed"
        + (missing > 0 ? ", \(missing) cannot be told" : ""), "",
    ]
    lines += table
    guard let slower = trace.slower else { return lines }
    let percent = FixedNumber.text(slower * 100, decimals: 1)
    lines += [
      "",
      trace.isProved
        ? "self-test passed: \(percent) % slower, every limit fails"
        : "self-test FAILED: \(percent) % slower, and not every limit fails",
    ]
    if trace.uneven.isEmpty {
      lines.append("each half by itself keeps the limits that the whole keeps")
    }
    return lines + trace.uneven.map { "one half by itself fails \($0)" }
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
    case true?: "kept"
    case false?: "FAILED"
    case nil: "cannot be told: \(result.why ?? "")"
    }
  }

  private var json: String {
    var json = JSONWriter(indented: true)
    json.object { json in
      json.member("schema", "frametool.gate/1")
      json.key("traces")
      json.array { json in
        for trace in traces { json.object { json in write(trace, to: &json) } }
      }
      if let runs { GatedRunsReport(runs).write(to: &json) }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func write(_ trace: GatedTrace, to json: inout JSONWriter) {
    json.member("file", trace.file)
    json.key("limits")
    json.array { json in
      for (index, item) in trace.results.enumerated() {
        json.object { json in
          json.member("surface", item.surface)
          json.member("limit", item.result.limit.text)
          json.member("value", item.result.value)
          json.member("unit", item.result.unit)
          json.member("kept", item.result.isKept)
          if trace.slower != nil { json.member("fails_when_slower", trace.noticed[index]) }
          if let why = item.result.why { json.writeReasons([("value", why), ("kept", why)]) }
        }
      }
    }
    if let slower = trace.slower {
      json.member("slower", slower)
      json.member("proved", trace.isProved)
      json.key("uneven")
      json.array { json in
        for limit in trace.uneven { json.value(limit) }
      }
    }
  }

  private var junit: String {
    let cases =
      runs.map { GatedRunsReport($0).cases }
      ?? traces.flatMap { trace in
        trace.results.map { item in
          let outcome: JUnitCase.Outcome =
            switch item.result.isKept {
            case true?: .passed
            case false?: .failed
            case nil: .skipped
            }
          let found = item.result.value.map { FixedNumber.text($0, decimals: 3) } ?? "nothing"
          return JUnitCase(
            name: "\(item.surface): \(item.result.limit.text)", outcome: outcome,
            text: item.result.why ?? "found \(found) \(item.result.unit)")
        }
      }
    return JUnitText.suite("frametool gate", cases, output: text(as: .text))
  }
}
