import FrameTrace

/// Reads the lines of an input recording in any grammar.
enum EvdevText {
  /// How a line was read.
  enum Outcome { case event, other, malformed }

  /// Reads all lines of an input.
  /// - Parameter body: Receives each line without its line ending, and returns how the line was read.
  static func read(
    _ input: InputFile, _ log: inout IssueLog, _ body: (Substring) -> Outcome
  ) throws(ParseError) {
    let broken = try TextLines.read(input) { line in
      let text = String(decoding: line.bytes, as: UTF8.self)
      if body(text[...]) == .malformed {
        log.note(malformed: line, "unreadable event lines, left out")
      }
    }
    log.note(break: broken)
  }

  /// Seconds and a fraction, as nanoseconds.
  static func time(_ text: Substring) -> Int64? {
    guard case .value(let time) = DecimalNumber.read(Array(text.utf8)[...], scale: 9),
      0...Timestamp.bound ~= time
    else { return nil }
    return time
  }

  /// Seconds and microseconds, as nanoseconds.
  static func time(_ seconds: Int64, _ microseconds: Int64) -> Int64? {
    guard 0..<1 << 31 ~= seconds, 0..<1_000_000 ~= microseconds else { return nil }
    return seconds * 1_000_000_000 + microseconds * 1000
  }

  /// The trace of a recording.
  /// - Parameter help: What to do if there is no event.
  static func trace(
    _ recording: EvdevRecording, _ provenance: Provenance, _ log: IssueLog, _ input: InputFile,
    nothing: String = "expected input events, found none", help: String
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    builder.log = log
    // Times count from the epoch or from a start that the recording chose.
    let isEpoch = recording.devices.values.contains { device in
      (device.contacts.scans.first?.time ?? 0) > 1_000_000_000_000_000_000
    }
    builder.trace.clocks = [
      ClockDomain(
        name: isEpoch ? "the kernel's real time" : "the recording's kernel clock",
        join: .traceClock, offset: nil, resolution: Nanoseconds(1000))
    ]
    recording.add(to: &builder)
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path,
        problem: recording.eventCount == 0
          ? nothing : "expected a contact or a key press among the input events, found none",
        help: help)
    }
    return builder
  }
}
