import FrameTrace

/// The kernel's log as text: `systrace` pages, `atrace` output, `trace-cmd report`, `/sys/kernel/tracing`.
///
/// Documentation: Android, "Capture a system trace", and Linux, `Documentation/trace/ftrace.rst`. The
/// lines
///
///     app-812   ( 812) [001] ...1 316.196720: tracing_mark_write: B|812|Choreographer#doFrame 7
///     app-812   ( 812) [001] ...1 316.201030: tracing_mark_write: E|812
///
/// are a slice of 4.31 ms, in which the app worked on the frame of vsync 7.
struct Systrace: TraceImporter {
  let name = "systrace"
  let title = "systrace, ftrace text"
  let versions = "Android 4 to 16, Linux"
  let documentation = "https://www.kernel.org/doc/html/latest/trace/ftrace.html"
  let platform: Platform? = .android
  let framesAdvice: String? =
    "for frames, record with 'atrace gfx view input sched'"

  func recognize(_ head: FileHead) -> Recognition? {
    let start = String(decoding: head.bytes.prefix(512), as: UTF8.self)
    let isPage =
      start.range(ofAny: ["<!DOCTYPE html", "<!DOCTYPE HTML", "<html"])
      && ["trace-data", "linuxPerfData", "Android System Trace", "Copyright (c) 2012 The Chromium"]
        .contains { String(decoding: head.bytes, as: UTF8.self).contains($0) }
    if isPage { return Recognition(format: "systrace page", reason: "a page of the trace viewer") }
    guard let text = FtraceText.start(of: head) else { return nil }
    let isLog =
      text.container == FtraceText.unread
      || text.lines.prefix(200).contains { FtraceLine(text.bytes.span, $0) != nil }
    return isLog
      ? Recognition(format: text.container, reason: "lines of the kernel's log") : nil
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    let text = try FtraceText(input)
    var log = FtraceLog()
    let bytes = text.bytes.span
    for line in text.lines {
      if let line = FtraceLine(bytes, line) {
        log.consume(line, bytes)
      } else {
        log.skip(bytes, line)
      }
    }
    guard log.count > 0 else {
      throw ParseError(
        path: input.path,
        problem: "expected lines of the kernel's log in the systrace file, found none",
        help: "record with 'atrace gfx view input sched', or with perfetto")
    }
    return FtraceJoin.trace(log, provenance)
  }
}

extension String {
  fileprivate func range(ofAny texts: [String]) -> Bool { texts.contains { contains($0) } }
}
