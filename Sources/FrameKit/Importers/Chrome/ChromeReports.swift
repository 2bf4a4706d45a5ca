/// Puts the reports of frames and inputs together out of nested events in JSON.
///
/// A begin and an end share category and id, and stages share them with the report that they are of.
/// Events stand in any order, and an id is used again.
struct ChromeReports {
  private struct Key: Hashable {
    let category, identifier: String
    /// `nil` for an id of all processes.
    let process: Int64?
  }

  private struct Event {
    let time: Int64
    let isBegin: Bool
    let name: String
    /// The place of what it tells of a frame or an input.
    let facts: Int?
    let process: Int64?
  }

  private enum Facts {
    case frame(ChromeReporter.Facts)
    case input(ChromeEvent.Facts)
  }

  private var events: [Key: [Event]] = [:]
  private var facts: [Facts] = []
  private var names = StringTable()
  /// Ends without a begin, and begins without an end.
  private(set) var unmatchedEnds = 0
  private(set) var unmatchedBegins = 0

  /// Whether an event is one of a report or a stage.
  static func takes(_ event: ChromeTraceEvent) -> Bool {
    guard event.phase == UInt8(ascii: "b") || event.phase == UInt8(ascii: "e") else { return false }
    return event.category.utf8.starts(with: "cc,".utf8) && event.identifier != nil
  }

  mutating func take(_ event: ChromeTraceEvent) {
    guard let time = event.time, let identifier = event.identifier else { return }
    let isBegin = event.phase == UInt8(ascii: "b")
    let own = isBegin ? Self.facts(event) : nil
    if let own { facts.append(own) }
    let key = Key(
      category: names.shared(event.category), identifier: identifier,
      process: event.isLocal ? event.process : nil)
    events[key, default: []].append(
      Event(
        time: time, isBegin: isBegin, name: names.shared(event.name),
        facts: own == nil ? nil : facts.count - 1, process: event.process))
  }

  private static func facts(_ event: ChromeTraceEvent) -> Facts? {
    switch event.name {
    case "PipelineReporter":
      let node = event.arguments?["frame_reporter"] ?? event.arguments?["chrome_frame_reporter"]
      return .frame(
        ChromeReporter.Facts(
          outcome: node?["state"]?.text.flatMap { outcomes[$0] },
          kind: node?["frame_type"]?.text.flatMap { kinds[$0] },
          sequence: node?["frame_sequence"]?.integer, source: node?["frame_source"]?.integer,
          host: node?["layer_tree_host_id"]?.integer,
          surfaceFrame: node?["surface_frame_trace_id"]?.bits))
    case "EventLatency":
      let node = event.arguments?["event_latency"]
      return .input(
        ChromeEvent.Facts(
          type: node?["event_type"]?.text.flatMap { types[$0] },
          surfaceFrame: node?["surface_frame_trace_id"]?.bits))
    default: return nil
    }
  }

  private static let outcomes: [String: ChromeReporter.Outcome] = [
    "STATE_NO_UPDATE_DESIRED": .noUpdate, "STATE_PRESENTED_ALL": .presented,
    "STATE_PRESENTED_PARTIAL": .presentedPartly, "STATE_DROPPED": .dropped,
  ]

  private static let kinds: [String: ChromeReporter.Kind] = [
    "FORKED": .forked, "BACKFILL": .backfilled,
  ]

  /// The numbers of events that a finger, a mouse or a key made.
  private static let types: [String: Int64] = [
    "MOUSE_PRESSED": 1, "MOUSE_RELEASED": 2, "MOUSE_WHEEL": 3, "KEY_PRESSED": 4, "KEY_RELEASED": 5,
    "TOUCH_PRESSED": 6, "TOUCH_RELEASED": 7, "TOUCH_MOVED": 8, "MOUSE_MOVED": 22,
    "MOUSE_DRAGGED": 22,
  ]

  /// The frames and inputs, in order of their begin.
  mutating func finish() -> (frames: [ChromeReporter], inputs: [ChromeEvent]) {
    var frames: [ChromeReporter] = []
    var inputs: [ChromeEvent] = []
    for (_, list) in events {
      for report in reports(list) {
        let own = ChromeStages(all: report.stages.sorted { $0.start < $1.start })
        switch facts[report.facts] {
        case .frame(let facts):
          frames.append(
            ChromeReporter(
              facts: facts, process: report.process, start: report.start, end: report.end,
              stages: own))
        case .input(let facts):
          inputs.append(ChromeEvent(facts: facts, start: report.start, stages: own))
        }
      }
    }
    events = [:]
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
    let facts: Int
    let process: Int64?
    let start: Int64
    var end: Int64?
    var stages: [ChromeStages.Stage] = []
  }

  /// Nests the events of one id; ends are found by name, as some are missing.
  private mutating func reports(_ list: [Event]) -> [Report] {
    let order = list.indices.sorted { (list[$0].time, $0) < (list[$1].time, $1) }
    var reports: [Report] = []
    var open: [(name: String, start: Int64, report: Int?)] = []
    for place in order {
      let event = list[place]
      if event.isBegin {
        if let facts = event.facts {
          reports.append(Report(facts: facts, process: event.process, start: event.time))
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
          ChromeStages.Stage(name: begin.name, start: begin.start, end: event.time))
      } else if let report = reports.lastIndex(where: { $0.start == begin.start }) {
        reports[report].end = event.time
      }
    }
    for stage in open {
      unmatchedBegins += 1
      if let report = stage.report {
        reports[report].stages.append(
          ChromeStages.Stage(name: stage.name, start: stage.start, end: nil))
      }
    }
    return reports
  }
}

extension JSONNode {
  /// A number of 64 bits, with a sign or without one.
  fileprivate var bits: UInt64? {
    if let integer { return UInt64(bitPattern: integer) }
    return whole
  }
}
