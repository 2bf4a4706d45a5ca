import FrameAnalysis
import FrameTrace

/// The hangs that a source states, as a sentence and a table.
struct HangTables {
  private let found: HangFindings
  private let origin: Timestamp
  /// The maximum number of hangs in the table.
  private static let mostHangs = 20

  init(_ analysis: TraceAnalysis) { (found, origin) = (analysis.hangs, analysis.origin) }

  var isEmpty: Bool { found.hangs.isEmpty && found.missing == 0 }

  /// The number of hangs, and their durations.
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

  /// The hangs in order of time; `nil` if no duration is known.
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

  /// A sentence about the hangs that are not in the table; `nil` if the table contains all.
  var more: String? {
    found.hangs.count > Self.mostHangs
      ? "and \(found.hangs.count - Self.mostHangs) more (--format json lists all)" : nil
  }

  private static func text(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 2)
  }
}

extension HangFindings {
  /// The hangs that a source states.
  static let fields: [ResultColumn<HangFindings>] = [
    .integer("count", "how many there are", \.all).counted { found in
      FieldRecord.Figure(unit: "hangs", n: found.all, definition: "stated")
    },
    .integer("missing", "how many have no length", \.missing),
    .length("total", "their total length", \.total).counted(\.figure),
    .length("longest", "the longest", \.longest)
      .otherwise("the source does not say how long they were").counted(\.figure),
    .rows(
      "list",
      [
        .instant("start", "its start, from the start of the trace", \.start).otherwise(notSaid),
        .length("", "its length", \.duration),
        .text("kind", "the source's word for it", \.kind).otherwise(notSaid),
        .text("process", "the process", \.process).otherwise(notSaid),
        .integer("thread", "the thread", \.thread).otherwise(notSaid),
      ], areEvents: true, "each hang", \.hangs),
  ]

  private static let notSaid = "the source does not say"

  private var all: Int { hangs.count + missing }
  private var figure: FieldRecord.Figure? {
    FieldRecord.Figure(unit: "ms", n: hangs.count, missing: missing, definition: "stated")
  }
}
