import FrameTrace

/// The present requests to an X server, and when the server presented the pixmaps, one JSON line each: arrays like
/// those of `wayland-proxy`.
///
/// The array has the monotonic time in ns at which the recorder read it, the process, the direction, `x11`, the
/// window, the message and its arguments:
///
///     [3876061012000,811,">","x11",6291456,"present",[2,6291458,0,0,3876044]]
///     [3876061013000,811,"<","x11",6291456,"complete",[2,232573,3876060890000,0]]
///     [3876061014000,811,"<","x11",6291456,"idle",[2,6291458]]
///
/// A present has its serial, the pixmap, the options, the target refresh, and the server's time in ms. Its completion
/// has the serial, the number of the refresh, the time of the refresh in ns on the server's clock, and how the pixmap
/// was shown.
struct X11Presents: TraceImporter {
  let name = "x11-present"
  let title = "X11 presents as JSON lines"
  let versions = "arrays of seven"
  let documentation = "Sources/FrameKit/FrameKit.docc/X11.md"
  let family = "x11"
  let platform: Platform? = .linux
  let framesAdvice: String? = "for frames, record while a program draws"

  /// The interface of the lines, which distinguishes a file with such lines from a file of Wayland messages.
  static let interface = "x11"

  func recognize(_ head: FileHead) -> Recognition? {
    guard let line = head.lines(1).first, line.hasPrefix("["),
      let node = try? JSONNode(Array(line.utf8)), let message = RecordedMessage(node),
      message.interface == Self.interface
    else { return nil }
    return Recognition(
      format: title, reason: "arrays of time, process, direction, window and message")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try read(recording: [input], provenance, demand)
  }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var (recording, log) = (X11Recording(), IssueLog())
    for input in inputs {
      let broken = try TextLines.read(input) { line in
        if !recording.consume(line.bytes) {
          log.note(malformed: line, "lines that are not messages")
        }
      }
      log.note(break: broken)
    }
    var builder = TraceBuilder(provenance)
    builder.log = log
    recording.fill(&builder)
    return builder
  }
}
