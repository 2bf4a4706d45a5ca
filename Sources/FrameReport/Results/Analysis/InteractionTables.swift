import FrameAnalysis
import FrameTrace

/// The interactions of a trace with pages, as sentences and a table.
struct InteractionTables {
  private let analysis: TraceAnalysis
  private var found: PageInteractions { analysis.interactions }

  /// The maximum number of interactions in the table, the longest first.
  private static let mostShown = 10

  init(_ analysis: TraceAnalysis) { self.analysis = analysis }

  var isEmpty: Bool { found.ofPages.isEmpty && found.missing == 0 }

  /// The page's interaction to next paint, and its parts.
  var headline: String {
    guard let time = found.interactionToNextPaint else {
      return "\(found.missing) events of interactions without a beginning or an end"
    }
    let pages = found.ofPages
    let rated = "\(Self.text(time)) ms, \(Self.rating(time))"
    let longest = found.decisive.first
    guard pages.count == 1 else {
      let without = pages.count - found.decisive.count
      let unknown = without > 0 ? "; \(without) of them without details" : ""
      let details =
        longest.map { one in
          "; the longest\(without > 0 ? " of the others" : "") \(Self.text(one.duration)) ms on \(one.process ?? "a page"): \(Self.words(one))"
        } ?? ""
      return "INP of \(pages.count) pages: three in four at most \(rated)\(unknown)\(details)"
    }
    guard let longest else { return "INP \(rated), stated without details" }
    let count = found.all.count
    let among =
      count == 1
      ? "1 interaction"
      : "the longest of \(count) interactions\(count >= 50 ? ", without one in fifty" : "")"
    return "INP \(rated) (\(among)): \(Self.words(longest))"
  }

  /// The action and its target, and the part that took most of the time.
  private static func words(_ one: PageInteraction) -> String {
    "\(one.kind ?? "an event")\(one.target.map { " on \($0)" } ?? "")\(part(one))"
  }

  /// The longest part of an interaction, and what the time was spent on.
  private static func part(_ one: PageInteraction) -> String {
    guard let part = one.longest, let time = one.parts[part] else { return "" }
    let work = one.work.map { ", \(text($0.time)) ms of that in \($0.name)" } ?? ""
    return ", \(text(time)) ms of it \(part.words)\(work)"
  }

  /// How many events could not be used; `nil` if all could be used.
  var more: String? {
    let left = found.all.count - Self.mostShown
    let parts = [
      left > 0 ? "and \(left) shorter ones (--format json lists all)" : nil,
      found.missing > 0 && !found.all.isEmpty
        ? "\(found.missing) events of interactions without a beginning or an end, left out" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The longest interactions; `nil` if there are none.
  func table() -> TextTable? {
    guard !found.all.isEmpty else { return nil }
    var table = TextTable([
      ("interaction at s", .right), ("event", .left), ("target", .left), ("ms", .right),
      ("input delay", .right), ("processing", .right), ("presentation", .right),
      ("frame", .right), ("mostly in", .left),
    ])
    let longest = found.all.sorted { ($1.duration, $0.start) < ($0.duration, $1.start) }
    for one in longest.prefix(Self.mostShown) {
      let part = { (part: PageInteraction.Part) in one.parts[part].map(Self.text) ?? "" }
      table.append([
        FixedNumber.text((one.start - analysis.origin).seconds, decimals: 3), one.kind ?? "",
        one.target ?? "", Self.text(one.duration), part(.inputDelay), part(.processing),
        part(.presentation), one.frame.map { "\($0.row)" } ?? "",
        one.work?.name ?? "",
      ])
    }
    return table.withoutEmptyColumns
  }

  /// The rating by web.dev of an interaction to next paint.
  static func rating(_ time: Nanoseconds) -> String {
    if time <= PageInteractions.good { return "good" }
    return time <= PageInteractions.poor ? "needs improvement" : "poor"
  }

  private static func text(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }
}

extension PageInteractions {
  /// The interactions with pages.
  static let fields: [ResultColumn<PageInteractions>] = [
    .length("inp", "the interaction to next paint", \.interactionToNextPaint)
      .otherwise("no interaction is whole").counted { found in
        FieldRecord.Figure(
          unit: "ms",
          n: found.ofPages.count == 1 ? max(1, found.all.count) : found.ofPages.count,
          missing: found.missing,
          definition:
            "web-vitals: of a page's ten longest, the one after one in fifty; of several pages, the quantile of 75 %"
        )
      },
    .text("rating", "good, needs improvement or poor, by web.dev") {
      $0.interactionToNextPaint.map(InteractionTables.rating)
    }.otherwise("no interaction is whole"),
    .integer("pages", "how many pages there are", \.ofPages.count),
    .integer("count", "how many interactions there are", \.all.count),
    .integer(
      "missing", "how many events of interactions lack an end or a beginning", \.missing),
    .rows(
      "list",
      [
        .integer("number", "the browser's number", \.number),
        .instant("start", "its start, from the start of the trace", \.start),
        .length("", "until the next picture", \.duration),
        .text("event", "the type of its longest event", \.kind).otherwise(notSaid),
        .text("target", "the element", \.target).otherwise(notSaid),
        .text("process", "the page's process", \.process).otherwise(notSaid),
        .length("input_delay", "until the first handler") { $0.parts[.inputDelay] }
          .otherwise(notSaid),
        .length("processing", "while handlers ran") { $0.parts[.processing] }
          .otherwise(notSaid),
        .length("presentation", "from the last handler to the picture") {
          $0.parts[.presentation]
        }.otherwise(notSaid),
        .integer("frame", "the row of the frame whose picture ended it", \.frame?.row)
          .otherwise("no frame, or frames of several surfaces, were shown then"),
        .text("work", "what its longest part was mostly spent in", \.work?.name)
          .otherwise(noWork),
        .length("work", "how long of that part", \.work?.time).otherwise(noWork),
      ], areEvents: true, "each interaction", \.all),
  ]

  private static let notSaid = "the source does not say"
  private static let noWork = "nothing of its thread is recorded, or more than is looked at"
}
