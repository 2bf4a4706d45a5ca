import FrameStatistics
import FrameTrace

/// Assembles frame and input reports from nested JSON events.
///
/// A begin and its end share a category and an ID, and stages share both with their report. Events
/// come in any order, and IDs are reused.
struct ChromeReports {
  private enum Facts {
    case frame(ChromeReporter.Facts)
    case input(ChromeEvent.Facts)
  }

  private var events = PieceList<ChromeReportEvent>()
  private var facts = PieceList<(facts: Facts, process: Int64?)>()
  private var names = ByteTable()
  private var categories = ByteTable()
  /// The IDs, distinct by category and process.
  private var identifiers = ByteTable()
  private var scopes: [Scope: UInt64] = [:]
  private var lastScope: (scope: Scope, number: UInt64)?
  private var arguments = JSONMembers()
  /// The numbers of frame reports and input reports that began.
  private(set) var frameCount = 0
  private(set) var inputCount = 0
  /// Ends without a begin, and begins without an end.
  private(set) var unmatchedEnds = 0
  private(set) var unmatchedBegins = 0
  /// The number of arguments that are not JSON.
  private(set) var malformed = 0

  private struct Scope: Hashable {
    let category: Int
    /// The ID's process; `nil` for an ID shared by all processes.
    let process: Int64?
  }

  /// Consumes an event if it belongs to a report or a stage.
  /// - Returns: Whether the event belongs to a report or a stage.
  mutating func consume(
    _ event: ChromeTraceEvent, _ bytes: Span<UInt8>, _ numbers: inout ChromeNumbers
  ) -> Bool {
    let isBegin = event.phase == UInt8(ascii: "b")
    guard isBegin || event.phase == UInt8(ascii: "e"), let identifier = event.identifier,
      bytes.begins(ChromeName.compositorCategory, in: event.category)
    else { return false }
    let own = isBegin ? facts(event, bytes, &numbers) : nil
    guard let time = event.time else { return true }
    if let own { facts.append((own, event.process)) }
    let scope = scope(
      Scope(
        category: categories.number(bytes, event.category),
        process: event.isLocal ? event.process : nil))
    events.append(
      ChromeReportEvent(
        time: time, name: Int32(names.number(bytes, event.name)),
        report: Int32(identifiers.number(bytes, identifier, kind: scope)),
        facts: own == nil ? -1 : Int32(facts.count - 1), isBegin: isBegin))
    return true
  }

  private mutating func scope(_ scope: Scope) -> UInt64 {
    if let last = lastScope, last.scope == scope { return last.number }
    let number = scopes[scope] ?? UInt64(scopes.count)
    scopes[scope] = number
    lastScope = (scope, number)
    return number
  }

  /// The facts in the begin event of a report; `nil` for a stage.
  private mutating func facts(
    _ event: ChromeTraceEvent, _ bytes: Span<UInt8>, _ numbers: inout ChromeNumbers
  ) -> Facts? {
    if bytes.holds(ChromeName.pipelineReporter, in: event.name) {
      frameCount += 1
      read(event, bytes, ChromeName.frameReporter, or: ChromeName.chromeFrameReporter)
      return .frame(
        ChromeReporter.Facts(
          outcome: word(bytes, ChromeName.state).flatMap { text in
            Self.outcomes.first { bytes.holds($0.name, in: text) }?.outcome
          },
          kind: word(bytes, ChromeName.frameType).flatMap { text in
            Self.kinds.first { bytes.holds($0.name, in: text) }?.kind
          },
          affectsSmoothness: isTrue(bytes, ChromeName.affectsSmoothness),
          sequence: number(bytes, ChromeName.sequence, &numbers),
          source: number(bytes, ChromeName.source, &numbers),
          host: number(bytes, ChromeName.host, &numbers),
          surfaceFrame: bits(bytes, ChromeName.surfaceFrame)))
    }
    guard bytes.holds(ChromeName.eventLatency, in: event.name) else { return nil }
    inputCount += 1
    read(event, bytes, ChromeName.eventLatencyArguments, or: ChromeName.eventLatencyArguments)
    return .input(
      ChromeEvent.Facts(
        type: word(bytes, ChromeName.eventType).flatMap { text in
          Self.types.first { bytes.holds($0.name, in: text) }?.type
        },
        isJanky: isTrue(bytes, ChromeName.isJanky),
        surfaceFrame: bits(bytes, ChromeName.surfaceFrame)))
  }

  /// Reads the members of an argument.
  private mutating func read(
    _ event: ChromeTraceEvent, _ bytes: Span<UInt8>, _ name: ByteName, or other: ByteName
  ) {
    do throws(JSONWalk.Stop) {
      guard let own = event.arguments, own.kind == .object else {
        arguments.set([])
        return
      }
      _ = try arguments.read(bytes, from: own.range.lowerBound, before: own.range.upperBound)
      let inner = arguments.value(bytes, name) ?? arguments.value(bytes, other)
      guard let inner, inner.kind == .object else {
        arguments.set([])
        return
      }
      _ = try arguments.read(bytes, from: inner.range.lowerBound, before: inner.range.upperBound)
    } catch {
      malformed += 1
      arguments.set([])
    }
  }

  private func word(_ bytes: Span<UInt8>, _ name: ByteName) -> Range<Int>? {
    guard let value = arguments.value(bytes, name), value.kind == .string else { return nil }
    return value.range.lowerBound + 1..<value.range.upperBound - 1
  }

  private func isTrue(_ bytes: Span<UInt8>, _ name: ByteName) -> Bool {
    arguments.value(bytes, name)?.kind == .true
  }

  private func number(
    _ bytes: Span<UInt8>, _ name: ByteName, _ numbers: inout ChromeNumbers
  ) -> Int64? {
    numbers.whole(bytes, arguments.value(bytes, name))
  }

  /// A number of 64 bits, signed or unsigned.
  private func bits(_ bytes: Span<UInt8>, _ name: ByteName) -> UInt64? {
    guard let value = arguments.value(bytes, name), value.kind == .number else { return nil }
    return Self.bits(bytes, value.range)
  }

  /// The bits of a whole number from −2⁶³ to 2⁶⁴ − 1; `nil` for any other number.
  static func bits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var number: UInt64 = 0
    for position in range.dropFirst(isNegative ? 1 : 0) {
      let digit = bytes[position] &- UInt8(ascii: "0")
      let tens = number.multipliedReportingOverflow(by: 10)
      let sum = tens.partialValue.addingReportingOverflow(UInt64(digit))
      guard digit < 10, !tens.overflow, !sum.overflow else { return nil }
      number = sum.partialValue
    }
    if isNegative { return number <= 1 << 63 ? 0 &- number : nil }
    return number
  }

  private static let outcomes: [(name: ByteName, outcome: ChromeReporter.Outcome)] = [
    ("STATE_PRESENTED_ALL", .presented), ("STATE_PRESENTED_PARTIAL", .presentedPartly),
    ("STATE_DROPPED", .dropped), ("STATE_NO_UPDATE_DESIRED", .noUpdate),
  ]

  private static let kinds: [(name: ByteName, kind: ChromeReporter.Kind)] = [
    ("FORKED", .forked), ("BACKFILL", .backfilled),
  ]

  /// The type numbers of events from a finger, a mouse or a key.
  private static let types: [(name: ByteName, type: Int64)] = [
    ("MOUSE_PRESSED", 1), ("MOUSE_RELEASED", 2), ("MOUSE_WHEEL", 3), ("KEY_PRESSED", 4),
    ("KEY_RELEASED", 5), ("TOUCH_PRESSED", 6), ("TOUCH_RELEASED", 7), ("TOUCH_MOVED", 8),
    ("MOUSE_MOVED", 22), ("MOUSE_DRAGGED", 22),
  ]

  /// The frames and inputs, in the order in which they began.
  mutating func finish() -> ChromeReportList {
    var found = ChromeReportList()
    let begins = events.count(where: \.isBegin)
    var nesting = ChromeNesting(reports: facts.count, stages: begins - facts.count)
    let (order, bounds) = grouped()
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      nesting.add(events, at: order[start..<end])
    }
    events = PieceList()
    var numbers = [Int32](repeating: -1, count: names.count)
    nesting.rename { name in
      // Only stage names are stored, because a trace can have any number of other names.
      if numbers[Int(name)] < 0 {
        numbers[Int(name)] = found.stageNames.number(names.text(Int(name)))
      }
      return numbers[Int(name)]
    }
    (unmatchedEnds, unmatchedBegins) = (nesting.unmatchedEnds, nesting.unmatchedBegins)
    found.frames.reserveCapacity(frameCount)
    found.inputs.reserveCapacity(inputCount)
    for position in inOrder(nesting.reports) {
      let report = nesting.reports[Int(position)]
      let own = ChromeStages(all: nesting.stages[report.stages])
      switch facts[Int(report.facts)] {
      case (.frame(let facts), let process):
        found.frames.append(
          ChromeReporter(
            facts: facts, process: process, start: report.start, end: report.end, stages: own))
      case (.input(let facts), _):
        found.inputs.append(ChromeEvent(facts: facts, start: report.start, stages: own))
      }
    }
    return found
  }

  /// The indices of reports in the order in which they began. Among reports that began at the same time, frames are
  /// ordered by process, number and end, and inputs by type and frame.
  private func inOrder(_ reports: [ChromeNesting.Report]) -> [Int32] {
    var order = reports.indices.map { Int32($0) }
    order.sortNearlySorted { one, other in
      let (one, other) = (reports[Int(one)], reports[Int(other)])
      return one.start != other.start ? one.start < other.start : isBefore(one, other)
    }
    return order
  }

  /// Whether a report comes before another report that begins at the same time.
  private func isBefore(_ one: ChromeNesting.Report, _ other: ChromeNesting.Report) -> Bool {
    switch (facts[Int(one.facts)], facts[Int(other.facts)]) {
    case ((.frame(let facts), let process), (.frame(let others), let otherProcess)):
      (process ?? 0, facts.sequence ?? 0, one.end ?? .max)
        < (otherProcess ?? 0, others.sequence ?? 0, other.end ?? .max)
    case ((.input(let facts), _), (.input(let others), _)):
      (facts.type ?? 0, facts.surfaceFrame ?? 0) < (others.type ?? 0, others.surfaceFrame ?? 0)
    case ((.frame, _), (.input, _)): true
    case ((.input, _), (.frame, _)): false
    }
  }

  /// The indices of all events, grouped by report in the order in which they came, and the bounds between reports.
  private func grouped() -> (order: [Int32], bounds: [Int]) {
    var ends = [Int](repeating: 0, count: identifiers.count)
    for event in events { ends[Int(event.report)] += 1 }
    var sum = 0
    for report in ends.indices {
      sum += ends[report]
      ends[report] = sum
    }
    let bounds = [0] + ends
    var order = [Int32](repeating: 0, count: events.count)
    for index in events.indices.reversed() {
      let report = Int(events[index].report)
      ends[report] -= 1
      order[ends[report]] = Int32(index)
    }
    return (order, bounds)
  }
}
