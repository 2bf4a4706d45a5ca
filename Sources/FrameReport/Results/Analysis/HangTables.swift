import FrameAnalysis
import FrameTrace

/// The hangs that a source states, as a sentence and a table.
struct HangTables {
  private let found: HangFindings
  private let origin: Timestamp
  /// The most hangs in the table.
  private static let mostHangs = 20

  init(_ analysis: TraceAnalysis) { (found, origin) = (analysis.hangs, analysis.origin) }

  var isEmpty: Bool { found.hangs.isEmpty && found.missing == 0 }

  /// The number of hangs, and their lengths.
  var headline: String {
    guard let longest = found.longest else {
      return
        "the source reports \(found.missing) \(found.missing == 1 ? "hang" : "hangs") of unknown length"
    }
    let count = found.hangs.count
    let kinds = found.kinds.map { "\($0.count) × \($0.kind)" }.joined(separator: ", ")
    let unknown = found.missing > 0 ? "; \(found.missing) more of unknown length" : ""
    return
      "\(count) \(count == 1 ? "hang" : "hangs") reported by the source, "
      + "\(Self.text(found.total)) ms in all, the longest \(Self.text(longest)) ms"
      + (kinds.isEmpty ? "" : ": \(kinds)") + unknown
  }

  /// The hangs in order of time; `nil` if no length is known.
  func table() -> TextTable? {
    guard !found.hangs.isEmpty else { return nil }
    var table = TextTable([
      ("hang at s", .right), ("ms", .right), ("kind", .left), ("process", .left),
      ("thread", .right),
    ])
    for hang in found.hangs.prefix(Self.mostHangs) {
      table.append([
        hang.start.map { FixedNumber.text(($0 - origin).seconds, decimals: 3) } ?? "",
        Self.text(hang.duration), hang.kind ?? "", hang.process ?? "",
        hang.thread.map { "\($0)" } ?? "",
      ])
    }
    return table.withoutEmptyColumns
  }

  /// A sentence about the hangs that are not in the table; `nil` if all are.
  var more: String? {
    found.hangs.count > Self.mostHangs
      ? "and \(found.hangs.count - Self.mostHangs) more (--format json lists all)" : nil
  }

  private static func text(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 2)
  }
}

extension FieldRecord {
  /// Adds the hangs that a source states, if there are any.
  mutating func add(hangsOf analysis: TraceAnalysis) {
    let found = analysis.hangs
    guard !found.hangs.isEmpty || found.missing > 0 else { return }
    let untold = "the source does not say"
    let figure = { (unit: String, n: Int) in
      Figure(unit: unit, n: n, missing: found.missing, definition: "stated")
    }
    let all = found.hangs.count + found.missing
    add("hangs") { record in
      record.add("count", all, Figure(unit: "hangs", n: all, definition: "stated"))
      record.add("missing", found.missing)
      record.add("total_ms", found.total.milliseconds, figure("ms", found.hangs.count))
      record.add(
        "longest_ms", found.longest?.milliseconds,
        else: "the source does not say how long they were",
        figure("ms", found.hangs.count))
      record.add("list", events: found.hangs) { hang, record in
        record.add(
          "start_ms", hang.start.map { ($0 - analysis.origin).milliseconds }, else: untold)
        record.add("ms", hang.duration.milliseconds)
        record.add("kind", hang.kind, else: untold)
        record.add("process", hang.process, else: untold)
        record.add("thread", hang.thread, else: untold)
      }
    }
  }
}
