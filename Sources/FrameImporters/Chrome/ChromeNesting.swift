import FrameTrace

/// A begin or an end of a report, or of a stage of a report. The struct is small because a trace has dozens of these
/// events for each frame.
struct ChromeReportEvent {
  let time: Int64
  let name: Int32
  /// The report's number, shared by all of its events.
  let report: Int32
  /// The index of what the event states about a frame or an input; −1 for nothing.
  let facts: Int32
  let isBegin: Bool
}

/// Nests the events of one ID after the other. Ends are matched by name, because some are missing.
struct ChromeNesting {
  struct Report {
    /// The index of the facts in its begin event.
    let facts: Int32
    let start: Int64
    var end: Int64?
    /// The range of its stages in the list of all stages.
    var stages = 0..<0
  }

  private struct Open {
    let name: Int32
    let start: Int64
    /// The report that the stage belongs to; −1 for a report, and for a stage without a report.
    let report: Int
  }

  private(set) var reports: [Report] = []
  private(set) var stages: [ChromeStages.Stage] = []
  /// Ends without a begin, and begins without an end.
  private(set) var unmatchedEnds = 0
  private(set) var unmatchedBegins = 0
  // Memory that is reused for each ID.
  private var events: [ChromeReportEvent] = []
  private var open: [Open] = []
  private var found: [(report: Int, stage: ChromeStages.Stage)] = []

  /// - Parameters:
  ///   - reports: The number of begins of reports.
  ///   - stages: The number of begins of stages.
  init(reports: Int, stages: Int) {
    self.reports.reserveCapacity(reports)
    self.stages.reserveCapacity(stages)
  }

  /// Changes each stage's name number; after nesting, a stage has the name number of its events.
  mutating func rename(_ number: (Int32) -> Int32) {
    for position in stages.indices { stages[position].name = number(stages[position].name) }
  }

  /// Adds the events of an ID.
  /// - Parameter positions: The positions of the events in a list, in the order in which they came.
  mutating func add(_ list: PieceList<ChromeReportEvent>, at positions: ArraySlice<Int32>) {
    events.removeAll(keepingCapacity: true)
    for position in positions { events.append(list[Int(position)]) }
    let isInOrder = zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }
    if !isInOrder {
      let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
      events = order.map { events[$0] }
    }
    let first = reports.count
    for event in events { event.isBegin ? begin(event, first) : end(event, first) }
    for stage in open {
      unmatchedBegins += 1
      if stage.report >= 0 { close(stage, at: nil) }
    }
    open.removeAll(keepingCapacity: true)
    takeStages(from: first)
  }

  /// - Parameter first: The first report of the ID.
  private mutating func begin(_ event: ChromeReportEvent, _ first: Int) {
    var report = -1
    if event.facts >= 0 {
      reports.append(Report(facts: event.facts, start: event.time))
    } else if reports.count > first {
      report = reports.count - 1
    }
    open.append(Open(name: event.name, start: event.time, report: report))
  }

  private mutating func end(_ event: ChromeReportEvent, _ first: Int) {
    guard let position = open.lastIndex(where: { $0.name == event.name }) else {
      unmatchedEnds += 1
      return
    }
    // Usually, the innermost report or stage ends.
    let begin = position == open.count - 1 ? open.removeLast() : open.remove(at: position)
    if begin.report >= 0 {
      close(begin, at: event.time)
    } else if let report = reports[first...].lastIndex(where: { $0.start == begin.start }) {
      reports[report].end = event.time
    }
  }

  private mutating func close(_ stage: Open, at end: Int64?) {
    let closed = ChromeStages.Stage(name: stage.name, start: stage.start, end: end)
    found.append((stage.report, closed))
  }

  /// Gives each report of the ID its stages, in the order in which they began.
  private mutating func takeStages(from first: Int) {
    let isInOrder = zip(found, found.dropFirst()).allSatisfy {
      ($0.report, $0.stage.start) <= ($1.report, $1.stage.start)
    }
    if !isInOrder {
      found.sort { ($0.report, $0.stage.start) < ($1.report, $1.stage.start) }
    }
    var next = 0
    for report in first..<reports.count {
      let start = stages.count
      while next < found.count, found[next].report == report {
        stages.append(found[next].stage)
        next += 1
      }
      reports[report].stages = start..<stages.count
    }
    found.removeAll(keepingCapacity: true)
  }
}
