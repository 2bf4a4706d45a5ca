/// The contents of the hang and signpost tables.
struct XctraceMarkFacts {
  /// A named period, or a named instant.
  struct Mark: Hashable {
    let name: String
    let start: Int64
    let end: Int64?
    let process: String?
    let thread: Int64?
  }

  /// A signpost's begin, end or event.
  struct Signpost {
    enum Kind: String {
      case begin = "Begin"
      case end = "End"
      case event = "Event"
    }

    /// The key shared by the signposts of one interval.
    struct Key: Hashable {
      let name, subsystem, category: String?
      let identifier: Int64?
      let process: XctraceProcess?
      /// The thread of signposts that begin and end on one thread; `nil` for other signposts.
      let thread: Int64?
    }

    let kind: Kind
    let time: Int64
    let key: Key
    let thread: Int64?
  }

  /// A hang, with the source's name for its kind.
  struct Hang: Hashable {
    let kind: String
    let start: Int64
    let duration: Int64
    let process: String?
    let thread: Int64?
  }

  var marks: [Mark] = []
  var hangs: [Hang] = []
  var signposts: [Signpost] = []
}

extension XctraceRecording {
  static let markReaders: [String: Reader] = [
    "potential-hangs": { $1.takeHang($0) },
    "hang-risks": { $1.takeRisk($0) },
    "os-signpost": { $1.takeSignpost($0) },
    "os-signpost-interval": { $1.takeInterval($0) },
    "OSSignpostIntervals": { $1.takeInterval($0) },
    "hitches-hid-signal": { $1.takeMoment($0, named: "HID signal") },
    "hitches-hid-dispatch-interval": { $1.takeMoment($0, named: "HID dispatch") },
  ]

  /// Reads a hang. A hang is also a mark, so that a region can begin with the hang.
  private mutating func takeHang(_ row: XctraceRow) -> Bool {
    guard let (start, end) = row.span else { return false }
    let kind = row.text(.hangType) ?? "hang"
    add(row, kind, start: start, end: end)
    if let mark = marks.marks.last {
      marks.hangs.append(
        .init(
          kind: kind, start: start, duration: end &- start, process: mark.process,
          thread: mark.thread))
    }
    return true
  }

  private mutating func takeRisk(_ row: XctraceRow) -> Bool {
    guard let time = row.time(.time) else { return false }
    add(row, row.text(.message) ?? "hang risk", start: time, end: nil)
    return true
  }

  private mutating func takeMoment(_ row: XctraceRow, named name: String) -> Bool {
    guard let time = row.instant else { return false }
    add(row, name, start: time, end: row.time(.duration).map { time + $0 })
    return true
  }

  private mutating func takeInterval(_ row: XctraceRow) -> Bool {
    guard let start = row.time(.start) else { return false }
    let end = row.time(.duration).map { start + $0 }
    add(row, row.text(.name) ?? "signpost", start: start, end: end, thread: .startThread)
    return true
  }

  private mutating func add(
    _ row: XctraceRow, _ name: String, start: Int64, end: Int64?,
    thread column: XctraceColumn = .thread
  ) {
    let thread = threads.note(row.value(column))
    let process = XctraceProcess(row.value(.process)) ?? thread?.process
    marks.marks.append(
      .init(
        name: name, start: start, end: end, process: process?.name, thread: thread?.identifier))
  }

  private mutating func takeSignpost(_ row: XctraceRow) -> Bool {
    guard let time = row.time(.time),
      let kind = row.text(.eventType).flatMap(XctraceMarkFacts.Signpost.Kind.init)
    else { return false }
    let thread = threads.note(row.value(.thread))
    let isOnThread = row.text(.scope) == "Thread"
    marks.signposts.append(
      .init(
        kind: kind, time: time,
        key: .init(
          name: row.text(.name), subsystem: row.text(.subsystem),
          category: row.text(.category), identifier: row.value(.identifier).number,
          process: XctraceProcess(row.value(.process)) ?? thread?.process,
          thread: isOnThread ? thread?.identifier : nil),
        thread: thread?.identifier))
    return true
  }
}
