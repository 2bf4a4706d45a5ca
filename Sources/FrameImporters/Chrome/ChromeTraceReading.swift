import FrameTrace

/// Consumes the events of a trace one by one.
struct ChromeTraceReading {
  var log = IssueLog()
  private(set) var count = 0
  private var reports = ChromeReports()
  private var marks = ChromeMarks()
  private var inputs = ChromeInputs()
  private var scrollJank = ChromeScrollJank()
  private var tasks = ChromeTasks()
  private var processes: [Int64: String] = [:]
  private var numbers = ChromeNumbers()
  /// Memory that is reused for each irregular element.
  private var odd = (
    list: [JSONScanner.Member](), members: JSONMembers(), events: ChromeEventReader()
  )

  /// Consumes an event.
  /// - Parameters:
  ///   - bytes: The bytes from which the event was read.
  ///   - event: The event; an event without a name or a phase is only counted.
  mutating func consume(_ bytes: Span<UInt8>, _ event: ChromeTraceEvent) {
    count += 1
    guard event.isComplete else { return }
    if event.phase == UInt8(ascii: "M") {
      if bytes.holds(ChromeName.processName, in: event.name), let process = event.process,
        let name = event.arguments(bytes)?["name"]?.text
      {
        processes[process] = name
      } else if bytes.holds(ChromeName.threadName, in: event.name) {
        tasks.takeThread(event, bytes)
      }
    } else if !scrollJank.consume(event, bytes), !reports.consume(event, bytes, &numbers) {
      // Reports cover the same frames in more detail.
      if reports.frameCount == 0 { marks.consume(event, bytes, &numbers) }
      inputs.consume(event, bytes)
      tasks.consume(event, bytes)
    }
  }

  /// Consumes an irregular element: not an object, not JSON, or deeply nested.
  mutating func consume(odd bytes: [UInt8], _ element: Range<Int>, at offset: Int) {
    var scanner = JSONScanner(bytes, element)
    do throws(JSONScanner.Problem) {
      try scanner.object(into: &odd.list)
    } catch {
      log.note(
        .malformedLine, .dataLoss, "events that are not JSON: expected \(error.expected)",
        at: .byte(offset + error.offset - element.lowerBound))
      return
    }
    odd.members.set(odd.list)
    odd.events.read(bytes.span, odd.members)
    consume(bytes.span, odd.events.event)
  }

  /// Chromium's names for its processes in traces.
  private static let processesOfChromium: Set<String> = [
    "Browser", "Renderer", "GPU Process", "Utility",
  ]

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
    ChromeFrames.add(found, judged: scrollJank.judged, to: &builder, name: name)
    scrollJank.addCounts(to: &builder)
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
      let isOfChromium = processes.values.contains(where: Self.processesOfChromium.contains)
      throw ParseError(
        path: input.path,
        problem:
          "expected a frame or input event of Chromium, found none among \(count) event\(count == 1 ? "" : "s")\(isOfChromium ? "" : ", and no process of Chromium")",
        help: isOfChromium
          ? "record with the categories cc,benchmark,input and disabled-by-default-devtools.timeline.frame"
          : "if it is of another program, record its frames with a tool for the platform: Perfetto, Instruments, PresentMon, or MangoHud"
      )
    }
    return builder
  }
}
