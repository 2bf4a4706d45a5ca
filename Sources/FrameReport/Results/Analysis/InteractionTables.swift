import FrameAnalysis
import FrameTrace

/// The interactions of a trace with pages, as sentences and a table.
struct InteractionTables {
  private let analysis: TraceAnalysis
  private var found: PageInteractions { analysis.interactions }

  /// The most interactions in the table, the longest first.
  private static let mostShown = 10

  init(_ analysis: TraceAnalysis) { self.analysis = analysis }

  var isEmpty: Bool { found.ofPages.isEmpty && found.missing == 0 }

  /// The page's interaction to next paint, and what it consists of.
  var headline: String {
    guard let time = found.interactionToNextPaint else {
      return "\(found.missing) events of interactions without a beginning or an end"
    }
    let pages = found.ofPages
    let rated = "\(Self.text(time)) ms, \(Self.rating(time))"
    let longest = found.decisive.first
    guard pages.count == 1 else {
      let without = pages.count - found.decisive.count
      let untold = without > 0 ? "; \(without) of them without details" : ""
      let details =
        longest.map { one in
          "; the longest\(without > 0 ? " of the others" : "") \(Self.text(one.duration)) ms on \(one.process ?? "a page"): \(Self.words(one))"
        } ?? ""
      return "INP of \(pages.count) pages: three in four at most \(rated)\(untold)\(details)"
    }
    guard let longest else { return "INP \(rated), stated without details" }
    let count = found.all.count
    let among =
      count == 1
      ? "1 interaction"
      : "the longest of \(count) interactions\(count >= 50 ? ", without one in fifty" : "")"
    return "INP \(rated) (\(among)): \(Self.words(longest))"
  }

  /// What was done to what, and where most of the time went.
  private static func words(_ one: PageInteraction) -> String {
    "\(one.kind ?? "an event")\(one.target.map { " on \($0)" } ?? "")\(part(one))"
  }

  /// The longest part of an interaction, and what it was spent in.
  private static func part(_ one: PageInteraction) -> String {
    guard let part = one.longest, let time = one.parts[part] else { return "" }
    let work = one.work.map { ", \(text($0.time)) ms of that in \($0.name)" } ?? ""
    return ", \(text(time)) ms of it \(part.words)\(work)"
  }

  /// How many events could not be used; `nil` if all could.
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

  /// The word of web.dev for an interaction to next paint.
  static func rating(_ time: Nanoseconds) -> String {
    if time <= PageInteractions.good { return "good" }
    return time <= PageInteractions.poor ? "needs improvement" : "poor"
  }

  private static func text(_ length: Nanoseconds) -> String {
    FixedNumber.text(length.milliseconds, decimals: 1)
  }
}

extension FieldRecord {
  /// Adds the interactions with pages, if there are any.
  mutating func add(interactionsOf analysis: TraceAnalysis) {
    let found = analysis.interactions
    guard !found.ofPages.isEmpty || found.missing > 0 else { return }
    let untold = "the source does not say"
    let count = found.all.count
    add("interactions") { record in
      record.add(
        "inp_ms", found.interactionToNextPaint?.milliseconds, else: "no interaction is whole",
        Figure(
          unit: "ms", n: found.ofPages.count == 1 ? max(1, count) : found.ofPages.count,
          missing: found.missing,
          definition:
            "web-vitals: of a page's ten longest, the one after one in fifty; of several pages, the quantile of 75 %"
        ))
      record.add(
        "rating", found.interactionToNextPaint.map(InteractionTables.rating),
        else: "no interaction is whole")
      record.add("pages", found.ofPages.count)
      record.add("count", count)
      record.add("missing", found.missing)
      record.add("list", events: found.all) { one, record in
        record.add("number", one.number)
        record.add("start_ms", (one.start - analysis.origin).milliseconds)
        record.add("ms", one.duration.milliseconds)
        record.add("event", one.kind, else: untold)
        record.add("target", one.target, else: untold)
        record.add("process", one.process, else: untold)
        record.add("input_delay_ms", one.parts[.inputDelay]?.milliseconds, else: untold)
        record.add("processing_ms", one.parts[.processing]?.milliseconds, else: untold)
        record.add("presentation_ms", one.parts[.presentation]?.milliseconds, else: untold)
        record.add(
          "frame", one.frame.map { Int64($0.row) },
          else: "no frame, or frames of several surfaces, were shown then")
        record.add(
          "work", one.work?.name,
          else: "nothing of its thread is recorded, or more than is looked at")
        record.add(
          "work_ms", one.work?.time.milliseconds,
          else: "nothing of its thread is recorded, or more than is looked at")
      }
    }
  }
}
