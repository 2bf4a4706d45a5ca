import FrameTrace

/// Chromium traces in JSON, from `chrome://tracing`, DevTools, Lighthouse and test runners.
///
/// Documentation: "Trace Event Format". An object with `traceEvents`, or an array of events that may end
/// anywhere; files of 2013 to 2026 were seen. The events
///
///     {"name": "PipelineReporter", "ph": "b", "ts": 3563007, "id2": {"local": "0x1"}, "args": {
///       "frame_reporter": {"state": "STATE_PRESENTED_ALL", "frame_sequence": 44}}, …}
///     {"name": "PipelineReporter", "ph": "e", "ts": 3594012, "id2": {"local": "0x1"}, …}
///
/// describe a frame that began at 3.563 s and was displayed 31 ms later.
struct ChromeTrace: TraceImporter {
  let name = "chrome"
  let title = "Chromium trace, JSON"
  let versions = "Chromium 30 to 156"
  let documentation =
    "https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU"
  let platform: Platform? = .browser

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "record with the categories cc,benchmark,disabled-by-default-devtools.timeline.frame"
    case .touches:
      "record with the category input, and touch the page"
    case .gpuTimes: nil
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    guard head.isJSON else { return nil }
    let start = head.bytes.withoutByteOrderMark.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
    let text = String(decoding: start.prefix(4096), as: UTF8.self)
    if text.first == "{" {
      // The metadata of the recording can be longer than the part examined here.
      let isDescribed =
        head.bytes.count == InputFile.headSize
        && text.dropFirst().drop { $0.isWhitespace }.hasPrefix("\"metadata\"")
      guard head.contains("\"traceEvents\"") || isDescribed,
        !head.contains("\"devToolsSnapshot\"")
      else { return nil }
      return Recognition(
        format: "Chromium trace, JSON object", reason: "an object with traceEvents")
    }
    let rest = text.dropFirst().drop { $0.isWhitespace }
    guard rest.first == "{", text.contains("\"ph\""), text.contains("\"pid\"") else { return nil }
    return Recognition(format: "Chromium trace, JSON array", reason: "an array of events")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var reading = ChromeTraceReading()
    var elements = JSONElements(input, member: "traceEvents")
    do throws(ParseError) {
      var members = JSONMembers()
      while let element = try elements.next(into: &members) {
        if members.list.isEmpty {
          reading.take(odd: elements.bytes, element, at: elements.offset(element.lowerBound))
        } else {
          reading.take(elements.bytes.span, members)
        }
      }
    } catch {
      guard reading.count > 0, error.kind == .badData else { throw error }
      reading.log.note(.brokenCompression, .dataLoss, error.problem, at: error.place)
    }
    return try reading.finish(provenance, input, elements)
  }
}

/// Takes the events of a trace one by one.
private struct ChromeTraceReading {
  var log = IssueLog()
  private(set) var count = 0
  private var reports = ChromeReports()
  private var marks = ChromeMarks()
  private var inputs = ChromeInputs()
  private var scrollJank = ChromeScrollJank()
  private var tasks = ChromeTasks()
  private var processes: [Int64: String] = [:]
  private var numbers = ChromeNumbers()
  private var identifiers = JSONMembers()

  mutating func take(_ bytes: Span<UInt8>, _ members: JSONMembers) {
    count += 1
    guard let event = ChromeTraceEvent(bytes, members, &numbers, &identifiers) else { return }
    if event.phase == UInt8(ascii: "M") {
      if bytes.holds(ChromeName.processName, in: event.name), let process = event.process,
        let name = event.arguments(bytes)?["name"]?.text
      {
        processes[process] = name
      } else if bytes.holds(ChromeName.threadName, in: event.name) {
        tasks.takeThread(event, bytes)
      }
    } else if !scrollJank.take(event, bytes), !reports.take(event, bytes, &numbers) {
      marks.take(event, bytes, &numbers)
      inputs.take(event, bytes)
      tasks.take(event, bytes)
    }
  }

  /// Takes an irregular element: not an object, not JSON, or deeply nested.
  mutating func take(odd bytes: [UInt8], _ element: Range<Int>, at offset: Int) {
    var scanner = JSONScanner(bytes, element)
    var list: [JSONScanner.Member] = []
    do throws(JSONScanner.Problem) {
      try scanner.object(into: &list)
    } catch {
      log.note(
        .malformedLine, .dataLoss, "events that are not JSON: expected \(error.expected)",
        at: .byte(offset + error.offset - element.lowerBound))
      return
    }
    var members = JSONMembers()
    members.set(list)
    take(bytes.span, members)
  }

  consuming func finish(
    _ provenance: Provenance, _ input: InputFile, _ elements: JSONElements
  ) throws(ParseError) -> TraceBuilder {
    var builder = TraceBuilder(provenance)
    builder.log = log
    builder.trace.clocks = [
      ClockDomain(
        name: "trace clock of Chromium", join: .traceClock, offset: nil,
        resolution: Nanoseconds(1000))
    ]
    let name = { [processes] (process: Int64) in processes[process] }
    let found = reports.finish()
    ChromeFrames.add(
      found.frames, found.inputs, judged: scrollJank.judged, to: &builder, name: name)
    scrollJank.addCounts(to: &builder)
    // Reports cover the same frames in more detail.
    if reports.frameCount == 0 { marks.add(to: &builder, name: name) }
    if reports.inputCount == 0 { inputs.add(to: &builder) }
    inputs.addTimings(to: &builder, name: name)
    tasks.add(to: &builder, name: name)
    if elements.isCutWithin || (elements.isCut && elements.isMember) {
      builder.log.note(
        .cutOff, .dataLoss, "a truncated trace; later events are missing")
    } else if elements.isCut {
      builder.log.note(
        .cutOff, .info, "an event array without a closing bracket, which the format allows")
    }
    builder.log.note(
      .malformedLine, .dataLoss, "reports whose arguments are not JSON", count: reports.malformed)
    builder.log.note(
      .brokenReference, .dataLoss, "ends of reports that began before the trace",
      count: reports.unmatchedEnds)
    builder.log.note(
      .brokenReference, .info, "reports and stages that do not end in the trace",
      count: reports.unmatchedBegins)
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path,
        problem:
          "expected a frame or input event in the Chromium trace, found none (events in all: \(count))",
        help:
          "record with the categories cc,benchmark,input and disabled-by-default-devtools.timeline.frame"
      )
    }
    return builder
  }
}
