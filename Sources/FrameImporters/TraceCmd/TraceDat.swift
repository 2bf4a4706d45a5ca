import FrameTrace

/// Recordings of `trace-cmd`: the kernel log as the kernel wrote it, with the formats of its events.
///
/// Documentation: trace-cmd, `trace-cmd.dat.v6.txt` and `trace-cmd.dat.v7.txt`. Each event is converted to the line
/// that the kernel prints for it, with nanoseconds, and that line is read.
struct TraceDat: TraceImporter {
  let name = "trace-cmd"
  let title = "trace-cmd, trace.dat"
  let versions = "versions 6 and 7"
  let documentation = "https://www.trace-cmd.org/Documentation/trace-cmd/trace-cmd.dat.v7.5.html"
  let platform: Platform? = .linux
  let framesAdvice: String? =
    "trace-cmd records threads; '--threads FILE' joins them to the frames of another recorder"

  private static let magic: [UInt8] = [0x17, 0x08, 0x44] + Array("tracing".utf8)
  /// The largest file that is read, in bytes.
  private static let mostBytes = 1 << 30

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.bytes.starts(with: Self.magic) else { return nil }
    let version = String(
      decoding: head.bytes.dropFirst(Self.magic.count).prefix { $0 != 0 }.prefix(8), as: UTF8.self)
    return Recognition(
      format: "trace-cmd recording, version \(version)", reason: "it begins as trace.dat files do")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let bytes = try input.readAll(atMost: Self.mostBytes, of: "a trace")
    let file: TraceDatFile
    do throws(TraceDatProblem) {
      file = try TraceDatFile(bytes, after: Self.magic.count)
    } catch {
      throw ParseError(
        path: input.path, position: .byte(error.offset), problem: error.problem, help: error.help)
    }
    let lines = TraceDatLines(file)
    var log = FtraceLog()
    var text: [UInt8] = []
    for event in file.events {
      if case .lost = event.content { log.lose(on: Int64(event.processor)) }
      lines.write(event, to: &text)
      let end = text.count
      // Names are compared eight bytes at a time.
      text += [UInt8](repeating: 0, count: 8)
      if let line = FtraceLine(text.span, 0..<end) {
        log.consume(line, text.span)
      } else {
        log.skip(text.span, 0..<end)
      }
    }
    guard log.count > 0 else {
      throw ParseError(
        path: input.path, problem: "expected events in the trace-cmd recording, found none",
        help: "record with 'trace-cmd record -e sched'")
    }
    var builder = FtraceJoin.trace(
      log, provenance, clock: JoinedThreads.clockName(file.clock ?? "local"),
      resolution: Nanoseconds(1))
    for (severity, words, count) in file.remarks {
      builder.log.note(.conditions, severity, words, count: count)
    }
    return builder
  }
}

/// A problem in a recording.
struct TraceDatProblem: Error {
  let offset: Int
  let problem: String
  var help = "copy the file whole; 'trace-cmd report' shows what can be read of it"
}
