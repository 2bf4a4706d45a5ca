import FrameTrace

/// An importer of one kind of file in a recording of a Wayland compositor and its programs. All files of the recording
/// form one trace.
protocol WaylandImporter: TraceImporter {}

extension WaylandImporter {
  var family: String { "wayland" }
  var platform: Platform? { .linux }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try WaylandRecording.read([input], provenance)
  }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try WaylandRecording.read(inputs, provenance)
  }
}

/// Reads the files of one recording of a Wayland compositor and its programs: libwayland's log, the
/// proxy's recording, and the compositor's timeline.
struct WaylandRecording {
  private var proxied = WaylandProxyConnections()
  private var logged: [WaylandConnection] = []
  private var timeline: WestonTimelineFacts?
  private var stampClock = WaylandClocks.StampClock.monotonic
  private var sidecar: ClockSidecar?
  private var log = IssueLog()
  private var unread = UnreadRecords()
  /// Whether frames of the log could belong to several programs.
  private var isDoubtful = false

  static func read(
    _ inputs: [InputFile], _ provenance: Provenance
  ) throws(ParseError) -> TraceBuilder {
    var recording = WaylandRecording()
    for input in inputs { try recording.read(input) }
    let builder = recording.finish(provenance)
    if let input = inputs.first, builder.trace.isEmpty, recording.isDoubtful {
      throw ParseError(
        path: input.path,
        problem:
          "expected one program's log, found messages of several programs that cannot be distinguished",
        help: "let each program write its standard error to its own file")
    }
    return builder
  }

  private mutating func read(_ input: InputFile) throws(ParseError) {
    let head = FileHead(input.head)
    if sidecar == nil { sidecar = try ClockSidecar.find(beside: input) }
    if WestonTimeline.isTimeline(head) {
      timeline = try WestonTimeline.read(input, into: timeline ?? WestonTimelineFacts(), &log)
    } else if WaylandProxy.isProxy(head) {
      try proxied.read(input, &log)
    } else {
      try readLog(input)
    }
  }

  private mutating func readLog(_ input: InputFile) throws(ParseError) {
    guard logged.isEmpty else {
      throw ParseError(
        path: input.path, problem: "expected one log per recording, found a second one",
        help: "each log is from one program: leave --one-recording out")
    }
    var reader = WaylandLogReader(sidecar)
    try reader.read(input, &log)
    logged = reader.connections.connections
    stampClock = reader.stamps.isAbsolute ? .realtime : .unknown
    isDoubtful = reader.connections.doubtful > 0
    let count = reader.connections.messageCount
    unread.note(
      count == 1
        ? "message, which commits no frame" : "messages, none of which commits a frame",
      count: count)
    reader.note(in: &log, path: sidecar?.path)
  }

  private func finish(_ provenance: Provenance) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    builder.log = log
    builder.trace.setting = proxied.setting
    builder.trace.telemetry = proxied.telemetry.series
    builder.unread = unread
    var timeline = timeline
    builder.log.note(
      .joinAssumed, .info,
      "repaints with a late refresh on an output timed by the compositor, the delay attributed to the compositor",
      count: timeline?.settle() ?? 0)
    if let path = sidecar?.path { builder.trace.provenance.companions.append(path) }
    // The proxy sees messages as they pass; a log of the same program adds nothing to them.
    let isProxied = !proxied.connections.isEmpty
    let connections = isProxied ? proxied.connections : logged
    if isProxied, !logged.isEmpty {
      builder.log.note(
        .unknownRecord, .info,
        "a log not used: its messages are also in the socket's recording, with the socket's times"
      )
    }
    let clocks = WaylandClocks(
      connections, isProxied || logged.isEmpty ? .monotonic : stampClock,
      isProxied ? proxied.clocks ?? sidecar : sidecar, &builder.log)
    if timeline != nil, !isProxied, !logged.isEmpty, stampClock == .unknown {
      builder.log.note(
        .clockAssumed, .dataLoss,
        "a log left out: its clock cannot be aligned with the timeline's without NAME.meta.json next to it"
      )
      WaylandJoin.fill(
        &builder, [], WaylandClocks([], .monotonic, nil, &builder.log), timeline)
      return builder
    }
    WaylandJoin.fill(
      &builder, connections, clocks, timeline, proxied)
    for words in proxied.notes { builder.log.note(.conditions, .info, words) }
    return builder
  }
}
