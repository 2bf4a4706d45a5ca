import FrameTrace

/// The output of a program run with `WAYLAND_DEBUG=1`: its messages to and from the compositor.
///
/// Documentation: Wayland, "Debugging" in its book, and `src/connection.c` of libwayland for the grammar; versions 1.16
/// to 1.26 were examined. The lines
///
///     [3209274.552]  -> wl_surface@3.attach(wl_buffer@20, 0, 0)
///     [3209274.556]  -> wl_surface@3.commit()
///     [3209307.868] wp_presentation_feedback@74.presented(0, 3178, 729036700, 16666666, 0, 0, 0)
///
/// are the commit of a frame that was displayed 33 ms later.
struct WaylandLog: WaylandImporter {
  let name = "wayland-debug"
  let title = "WAYLAND_DEBUG log"
  let versions = "libwayland 1.16 to 1.26"
  let documentation = "https://wayland.freedesktop.org/docs/html/"
  let framesAdvice: String? = "for frames, record while a program draws"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "no presentation feedback was answered; 'frametool capture wayland -- PROGRAM' asks for it"
    case .gpuTimes, .touches: nil
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    let lines = head.bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 400, omittingEmptySubsequences: true
    ).prefix(400)
    var reader = WaylandLines()
    var found: WaylandLogLine?
    for line in lines where found == nil { found = reader.read(line) }
    guard let line = found else { return nil }
    let grammar =
      line.stamp == .timeOfDay ? "1.24 and later" : line.hasNumberSign ? "1.23" : "up to 1.22"
    return Recognition(
      format: "WAYLAND_DEBUG log, libwayland \(grammar)", reason: "lines of Wayland messages")
  }
}

/// Reads the lines of one log.
struct WaylandLogReader {
  private(set) var connections = WaylandConnections()
  private(set) var stamps: WaylandStamps
  private var words = 0
  private var lines = WaylandLines()

  init(_ clocks: ClockSidecar?) { stamps = WaylandStamps(clocks) }

  mutating func read(_ input: InputFile, _ log: inout IssueLog) throws(ParseError) {
    let broken = try TextLines.visit(input) { (bytes, position) throws(ParseError) in
      try read(bytes, position.range, input)
    }
    log.note(break: broken)
  }

  private mutating func read(
    _ bytes: [UInt8], _ range: Range<Int>, _ input: InputFile
  ) throws(ParseError) {
    guard let line = lines.read(bytes, range) else {
      words += 1
      return
    }
    if line.kind.isOfCompositor {
      throw ParseError(
        path: input.path,
        problem:
          "expected a program's log, found a compositor's (WAYLAND_DEBUG=server), which does not tell its programs apart",
        help: "run the program with WAYLAND_DEBUG=1, or the compositor with its timeline")
    }
    connections.consume(line, at: stamps.time(of: line))
  }

  func note(in log: inout IssueLog, path: String?) {
    log.note(
      .unknownRecord, .info, "lines without a message, printed by the program", count: words)
    log.note(
      .brokenReference, .dataLoss,
      "frames that could belong to any of several programs that wrote to the log at once, left out: log each program to its own file",
      count: connections.doubtful)
    if stamps.areJoinedByOrder {
      log.note(
        .clockAssumed, .repaired,
        "timestamps of two kinds, aligned by the order of their lines: estimated")
    }
    if stamps.contradictsClocks {
      log.note(
        .clockAssumed, .repaired,
        "the log's clock does not match \(path ?? "the sidecar"), which is not used for the log"
      )
    }
  }
}
