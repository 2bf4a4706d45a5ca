/// What a program prints with `WAYLAND_DEBUG=1`: its messages to the compositor and back.
///
/// Documentation: Wayland, "Debugging" in its book, and `src/connection.c` of libwayland for the grammar;
/// versions 1.16 to 1.26 were seen. The lines
///
///     [3209274.552]  -> wl_surface@3.attach(wl_buffer@20, 0, 0)
///     [3209274.556]  -> wl_surface@3.commit()
///     [3209307.868] wp_presentation_feedback@74.presented(0, 3178, 729036700, 16666666, 0, 0, 0)
///
/// are a frame that was committed, and displayed 33 ms later.
struct WaylandLog: TraceImporter {
  let name = "wayland-debug"
  let title = "WAYLAND_DEBUG log"
  let versions = "libwayland 1.16 to 1.26"
  let family = "wayland"
  let documentation = "https://wayland.freedesktop.org/docs/html/"

  func recognise(_ head: FileHead) -> Recognition? {
    let lines = head.bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 400, omittingEmptySubsequences: true
    ).prefix(400)
    guard let line = lines.lazy.compactMap({ WaylandLogLine($0) }).first else { return nil }
    let grammar =
      line.stamp == .timeOfDay ? "1.24 and later" : line.hasNumberSign ? "1.23" : "up to 1.22"
    return Recognition(
      format: "WAYLAND_DEBUG log, libwayland \(grammar)", reason: "lines of Wayland messages")
  }

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

/// Reads the lines of one log.
struct WaylandLogReader {
  private(set) var connections = WaylandConnections()
  private(set) var stamps: WaylandStamps
  private var words = 0
  private var isCut = false

  init(_ clocks: ClockSidecar?) { stamps = WaylandStamps(clocks) }

  mutating func read(_ input: InputFile, _ log: inout IssueLog) throws(ParseError) {
    var window = LineWindow(input)
    var hasRead = false
    do throws(ParseError) {
      while try window.next() {
        for line in window.bytes[window.lines].split(separator: UInt8(ascii: "\n")) {
          try read(line, input)
        }
        hasRead = true
        isCut = window.endsWithoutLineFeed
      }
    } catch {
      guard hasRead, error.kind == .badData, !Self.isRefusal(error) else { throw error }
      log.note(.brokenCompression, .dataLoss, error.problem, at: error.place)
    }
  }

  private static let refusal = "a log of a compositor (WAYLAND_DEBUG=server)"
  private static func isRefusal(_ error: ParseError) -> Bool { error.problem.hasPrefix(refusal) }

  private mutating func read(_ bytes: ArraySlice<UInt8>, _ input: InputFile) throws(ParseError) {
    guard let line = WaylandLogLine(bytes) else {
      words += 1
      return
    }
    // What only a compositor sends.
    let message = line.message
    let sends = [("wl_display", "delete_id"), ("wl_callback", "done"), ("wl_registry", "global")]
    if message.isRequest,
      sends.contains(where: { $0 == message.interface && $1 == message.name })
    {
      throw ParseError(
        path: input.path,
        problem:
          "\(Self.refusal), which does not tell its programs apart, expected that of a program",
        help: "run the program with WAYLAND_DEBUG=1, or the compositor with its timeline")
    }
    connections.take(line, at: stamps.time(of: line))
  }

  func note(in log: inout IssueLog, path: String?) {
    log.note(
      .unknownRecord, .info, "lines without a message, the program's own words", count: words)
    log.note(
      .brokenReference, .dataLoss,
      "frames that could be of several programs that wrote into the log at once, left out: log each program to a file of its own",
      count: connections.doubtful)
    if stamps.areJoinedByOrder {
      log.note(
        .clockAssumed, .repaired,
        "stamps of two kinds, joined by the order of their lines: estimated")
    }
    if stamps.contradictsClocks {
      log.note(
        .clockAssumed, .repaired,
        "a clock of the log that is not at the time of \(path ?? "the side-car"), which is not used for it"
      )
    }
  }
}
