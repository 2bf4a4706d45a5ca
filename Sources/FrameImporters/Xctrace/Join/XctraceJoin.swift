import FrameTrace

/// Assembles the tables of a recording into a trace.
///
/// Assumptions that no table states are noted in the trace's log.
struct XctraceJoin {
  let recording: XctraceRecording
  var builder: TraceBuilder
  /// Whether all tables cover one display, however they name it.
  let isOneDisplay: Bool
  /// The numbers of displays by the names that tables use; empty if there is only one display.
  private var displayNumbers: [String: Int64] = [:]
  /// The display whose surface was last looked up, which is usually also the display of the next row.
  private var last: (display: String, surface: Int)?

  static func trace(
    _ recording: XctraceRecording, _ provenance: Provenance, _ log: IssueLog
  ) -> TraceBuilder {
    var join = XctraceJoin(recording, provenance, log)
    join.addRefreshes()
    XctraceFrames.add(to: &join)
    join.addHitches()
    join.addMarks()
    join.addHangs()
    join.addThreads()
    join.addLaunches()
    join.noteConditions()
    return join.builder
  }

  private init(_ recording: XctraceRecording, _ provenance: Provenance, _ log: IssueLog) {
    self.recording = recording
    builder = TraceBuilder(provenance)
    builder.log = log
    builder.trace.clocks = [
      ClockDomain(
        name: ClockDomain.recordingStart, join: .traceClock, offset: nil, resolution: Nanoseconds(1)
      )
    ]
    let (frames, displays) = (recording.frames, recording.displays)
    let stretches = [frames.updates, frames.gpu, frames.waits, frames.lifetimes]
    let names: [Set<String>] =
      stretches.map { Self.distinct($0.lazy.map(\.display)) } + [
        Self.distinct(frames.renders.lazy.map(\.display)),
        Self.distinct(frames.hitches.lazy.map(\.display)),
        Self.distinct(displays.swaps.lazy.map(\.display)),
        Self.distinct(displays.shown.lazy.map(\.display)), Set(displays.refreshes.keys),
      ]
    isOneDisplay = names.allSatisfy { $0.count <= 1 }
    let all = names.reduce(into: Set<String>()) { $0.formUnion($1) }
    if !isOneDisplay {
      displayNumbers = Dictionary(uniqueKeysWithValues: zip(all.sorted(), Int64(0)...))
    }
    if isOneDisplay, all.count > 1 {
      builder.log.note(
        .joinAssumed, .info,
        "names that tables use for their only display, assumed to be one display: "
          + all.sorted().joined(separator: ", "), count: all.count)
    }
  }

  /// The distinct names, where most names equal the previous name.
  private static func distinct(_ names: some Sequence<String>) -> Set<String> {
    var found: Set<String> = []
    var last: String?
    for name in names where name != last {
      found.insert(name)
      last = name
    }
    return found
  }

  /// The number of a display, found by a table's name for it; 0 if there is only one display.
  func number(ofDisplay name: String) -> Int64 {
    isOneDisplay ? 0 : displayNumbers[name] ?? Int64(displayNumbers.count)
  }

  /// The index of a display, by the first name that it had.
  mutating func display(_ name: String) -> Int {
    if isOneDisplay, !builder.trace.displays.isEmpty { return 0 }
    return builder.display(name)
  }

  /// The index of the surface that the compositor draws for a display.
  mutating func surface(of name: String) -> Int {
    if let last, last.display == name { return last.surface }
    let display = display(name)
    let id = builder.trace.displays[display].id
    let surface = builder.surface(id) {
      Surface(
        id: id, display: display, bufferOwner: .compositor, numbersCountFrames: false)
    }
    last = (name, surface)
    return surface
  }

  /// The index of the surface that an app draws for itself.
  mutating func surface(of app: XctraceProcess, on name: String?) -> Int {
    let position = name.map { display($0) }
    let id = "\(app.name ?? "app") (\(app.identifier.map { "\($0)" } ?? "?"))"
    return builder.surface(id) {
      Surface(
        id: id, process: app.name, processID: app.identifier.flatMap { Int(exactly: $0) },
        display: position, bufferOwner: .app, numbersCountFrames: false)
    }
  }

  private mutating func addRefreshes() {
    for (name, times) in recording.displays.refreshes.sorted(by: { $0.key < $1.key }) {
      let position = display(name)
      for time in Set(times).sorted() {
        var row = Table<RefreshColumn>.Row()
        row[.time] = time
        builder.trace.displays[position].refreshes.append(row)
      }
    }
  }

  /// The surface of a display's recorded hitches: the surface that the compositor draws, otherwise the display's only
  /// surface with frames.
  private mutating func surfaceOfHitches(on name: String) -> Int {
    let display = display(name)
    let shown = builder.trace.surfaces.indices.filter {
      builder.trace.surfaces[$0].display == display && builder.trace.surfaces[$0].frames.count > 0
    }
    let composed = shown.first { builder.trace.surfaces[$0].bufferOwner == .compositor }
    if let position = composed ?? (shown.count == 1 ? shown[0] : nil) { return position }
    if builder.trace.frameCount > 0 {
      builder.log.note(
        .joinAssumed, .info, "hitches of the display \(name), for which no table has frames")
    }
    return surface(of: name)
  }

  private mutating func addHitches() {
    var seen: Set<XctraceFrameFacts.HitchRow.Span> = []
    for hitch in recording.frames.hitches {
      // A hitch under several colors, or in two tables, counts once.
      guard seen.insert(hitch.span).inserted else {
        builder.log.note(
          .unknownRecord, .info, "duplicate hitches, counted once")
        continue
      }
      var row = Table<HitchColumn>.Row()
      row[.start] = hitch.start
      row[.duration] = hitch.duration
      row[.kind] = Self.kind(hitch.narrative ?? "").rawValue
      row[.surface] = Int64(surfaceOfHitches(on: hitch.display))
      row[.narrative] = hitch.narrative.map { builder.trace.statedHitches.texts.number(of: $0) }
      row[.process] = hitch.process.map { builder.trace.statedHitches.texts.number(of: $0) }
      builder.trace.statedHitches.append(row)
    }
  }

  /// Which side was late, if the narrative names only one.
  static func kind(_ narrative: String) -> HitchColumn.Kind {
    // The time between commit and render belongs to neither side.
    if narrative.contains("Commit to Render") { return .unknown }
    let isApp = narrative.contains("app update") || narrative.contains("Commit")
    let isRender = ["expensive render", "Expensive Render", "GPU"].contains {
      narrative.contains($0)
    }
    if isApp == isRender { return .unknown }
    return isApp ? .commit : .render
  }

  private mutating func noteConditions() {
    for words in recording.conditions { builder.log.note(.conditions, .info, words) }
    for ability in recording.displays.abilities {
      // A display's highest rate is not its actual rate: intervals come from its refreshes.
      builder.log.note(
        .conditions, .info, "\(ability.name) can refresh at up to \(ability.highestRate) Hz")
    }
  }
}
