import FrameTrace

/// Assembles frame and input reports from nested JSON events.
///
/// A begin and its end share a category and an ID, and stages share both with their report. Events
/// come in any order, and IDs are reused.
struct ChromeReports {
  /// Small, as a trace has dozens for each frame.
  private struct Event {
    let time: Int64
    let name: Int32
    /// The report's number, shared by all of its events.
    let report: Int32
    /// The index of what the event states about a frame or an input; −1 for nothing.
    let facts: Int32
    let isBegin: Bool
  }

  private enum Facts {
    case frame(ChromeReporter.Facts)
    case input(ChromeEvent.Facts)
  }

  private var events: [Event] = []
  private var facts: [(facts: Facts, process: Int64?)] = []
  private var names = ByteTable()
  private var categories = ByteTable()
  /// The IDs, distinct by category and process.
  private var identifiers = ByteTable()
  private var scopes: [Scope: UInt64] = [:]
  private var lastScope: (scope: Scope, number: UInt64)?
  private var arguments = JSONMembers()
  /// How many reports of frames and of inputs began.
  private(set) var frameCount = 0
  private(set) var inputCount = 0
  /// Ends without a begin, and begins without an end.
  private(set) var unmatchedEnds = 0
  private(set) var unmatchedBegins = 0
  /// The number of arguments that are not JSON.
  private(set) var malformed = 0

  private struct Scope: Hashable {
    let category: Int
    /// `nil` for an ID shared by all processes.
    let process: Int64?
  }

  /// Takes an event if it belongs to a report or a stage.
  /// - Returns: Whether it does.
  mutating func take(
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
      Event(
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

  /// A number of 64 bits, with a sign or without one.
  private func bits(_ bytes: Span<UInt8>, _ name: ByteName) -> UInt64? {
    guard let value = arguments.value(bytes, name), value.kind == .number else { return nil }
    let text = bytes.text(value.range)
    return Int64(text).map { UInt64(bitPattern: $0) } ?? UInt64(text)
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

  /// The frames and inputs, in order of their begin.
  mutating func finish() -> (frames: [ChromeReporter], inputs: [ChromeEvent]) {
    var frames: [ChromeReporter] = []
    var inputs: [ChromeEvent] = []
    let names = (0..<names.count).map(names.text)
    for list in grouped() {
      for report in reports(list, names) {
        let own = ChromeStages(all: report.stages.sorted { $0.start < $1.start })
        let (facts, process) = facts[Int(report.facts)]
        switch facts {
        case .frame(let facts):
          frames.append(
            ChromeReporter(
              facts: facts, process: process, start: report.start, end: report.end,
              stages: own))
        case .input(let facts):
          inputs.append(ChromeEvent(facts: facts, start: report.start, stages: own))
        }
      }
    }
    events = []
    frames.sort {
      ($0.start, $0.process ?? 0, $0.facts.sequence ?? 0, $0.end ?? .max)
        < ($1.start, $1.process ?? 0, $1.facts.sequence ?? 0, $1.end ?? .max)
    }
    inputs.sort { left, right in
      if left.start != right.start { return left.start < right.start }
      let (one, other) = (left.facts.type ?? 0, right.facts.type ?? 0)
      return one != other
        ? one < other : left.facts.surfaceFrame ?? 0 < right.facts.surfaceFrame ?? 0
    }
    return (frames, inputs)
  }

  private struct Report {
    let facts: Int32
    let start: Int64
    var end: Int64?
    var stages: [ChromeStages.Stage] = []
  }

  /// The indices of each report's events, in the order in which they came.
  private func grouped() -> [ArraySlice<Int32>] {
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
    return zip(bounds, bounds.dropFirst()).map { order[$0..<$1] }
  }

  /// Nests the events of one ID; matches ends by name because some are missing.
  private mutating func reports(_ indices: ArraySlice<Int32>, _ names: [String]) -> [Report] {
    var list = indices.map { events[Int($0)] }
    let isInOrder = zip(list, list.dropFirst()).allSatisfy { $0.time <= $1.time }
    if !isInOrder {
      let order = list.indices.sorted { (list[$0].time, $0) < (list[$1].time, $1) }
      list = order.map { [list] in list[$0] }
    }
    var reports: [Report] = []
    var open: [(name: Int32, start: Int64, report: Int?)] = []
    for event in list {
      if event.isBegin {
        if event.facts >= 0 {
          reports.append(Report(facts: event.facts, start: event.time))
          open.append((event.name, event.time, nil))
        } else {
          open.append((event.name, event.time, reports.isEmpty ? nil : reports.count - 1))
        }
        continue
      }
      guard let found = open.lastIndex(where: { $0.name == event.name }) else {
        unmatchedEnds += 1
        continue
      }
      let begin = open.remove(at: found)
      if let report = begin.report {
        reports[report].stages.append(
          ChromeStages.Stage(
            name: names[Int(begin.name)], start: begin.start, end: event.time))
      } else if let report = reports.lastIndex(where: { $0.start == begin.start }) {
        reports[report].end = event.time
      }
    }
    for stage in open {
      unmatchedBegins += 1
      if let report = stage.report {
        reports[report].stages.append(
          ChromeStages.Stage(name: names[Int(stage.name)], start: stage.start, end: nil))
      }
    }
    return reports
  }
}
