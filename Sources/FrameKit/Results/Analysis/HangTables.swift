/// The hangs that a source states, as a sentence, a table and JSON.
struct HangTables {
  private let found: HangFindings
  private let origin: Timestamp
  /// The most hangs that people want to read.
  private static let mostHangs = 20

  init(_ analysis: TraceAnalysis) { (found, origin) = (analysis.hangs, analysis.origin) }

  var isEmpty: Bool { found.hangs.isEmpty && found.missing == 0 }

  /// How many there are, and how long they are.
  var headline: String {
    guard let longest = found.longest else {
      return
        "\(found.missing) \(found.missing == 1 ? "hang" : "hangs") of unknown length, as the source states"
    }
    let count = found.hangs.count
    let kinds = found.kinds.map { "\($0.count) × \($0.kind)" }.joined(separator: ", ")
    let unknown = found.missing > 0 ? "; \(found.missing) more of unknown length" : ""
    return
      "\(count) \(count == 1 ? "hang" : "hangs") as the source states them, "
      + "\(Self.text(found.total)) ms in all, the longest \(Self.text(longest)) ms"
      + (kinds.isEmpty ? "" : ": \(kinds)") + unknown
  }

  /// The hangs in order of time; `nil` when the length of none is known.
  func table() -> TextTable? {
    guard !found.hangs.isEmpty else { return nil }
    var table = TextTable([
      ("hang at s", .right), ("ms", .right), ("called", .left), ("process", .left),
      ("thread", .right),
    ])
    for hang in found.hangs.prefix(Self.mostHangs) {
      table.append([
        hang.start.map { FixedNumber.text(($0 - origin).milliseconds / 1e3, decimals: 3) } ?? "",
        Self.text(hang.duration), hang.kind ?? "", hang.process ?? "",
        hang.thread.map { "\($0)" } ?? "",
      ])
    }
    return table.withoutEmptyColumns
  }

  /// What is to be said of the hangs that are not in the table; `nil` when all are.
  var more: String? {
    found.hangs.count > Self.mostHangs
      ? "and \(found.hangs.count - Self.mostHangs) more, which --format json lists" : nil
  }

  /// The rows of a table for spreadsheets.
  func rows() -> [AnalysisRow] {
    guard !isEmpty else { return [] }
    var total = AnalysisRow(
      name: "hangs.total", unit: "ms", definition: "stated", n: found.hangs.count,
      value: "\(found.total.milliseconds)")
    total.missing = found.missing
    return [
      AnalysisRow(
        name: "hangs.count", unit: "hangs", definition: "stated",
        n: found.hangs.count + found.missing, value: "\(found.hangs.count + found.missing)"),
      total,
    ]
      + (found.longest.map { longest in
        [
          AnalysisRow(
            name: "hangs.longest", unit: "ms", definition: "stated", n: found.hangs.count,
            value: "\(longest.milliseconds)")
        ]
      } ?? [])
  }

  /// Writes the member `hangs`, where there are any.
  func write(to json: inout JSONWriter) {
    guard !isEmpty else { return }
    json.key("hangs")
    json.object { json in
      json.member("count", found.hangs.count + found.missing)
      json.member("missing", found.missing)
      json.member("total_ms", found.total.milliseconds)
      json.member("longest_ms", found.longest?.milliseconds)
      json.key("list")
      json.array { json in
        for hang in found.hangs { json.object { write(hang, to: &$0) } }
      }
      if found.longest == nil {
        json.writeReasons([("longest_ms", "the source does not tell how long they were")])
      }
    }
  }

  private func write(_ hang: HangFindings.Hang, to json: inout JSONWriter) {
    json.member("start_ms", hang.start.map { ($0 - origin).milliseconds })
    json.member("ms", hang.duration.milliseconds)
    json.member("kind", hang.kind)
    json.member("process", hang.process)
    json.member("thread", hang.thread)
    let missing = [
      ("start_ms", hang.start == nil), ("kind", hang.kind == nil),
      ("process", hang.process == nil), ("thread", hang.thread == nil),
    ]
    json.writeReasons(missing.filter(\.1).map { ($0.0, "the source does not tell") })
  }

  private static func text(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 2)
  }
}
