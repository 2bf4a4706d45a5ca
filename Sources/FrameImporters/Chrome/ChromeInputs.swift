import FrameTrace

/// Inputs as Chromium reported them before `EventLatency`, and events as pages see them.
///
/// Chromium, `ui/latency/latency_info.h`: an `InputLatency` has the times at which the input passed
/// each component. It ends when a frame with the input was swapped, or when the input led to no
/// frame. `EventTiming` is the web's own measure of an event, in steps of 8 ms.
struct ChromeInputs {
  private struct Input {
    var made: Int64
    var delivered: Int64?
    var swapped: Int64?
    let device: TouchColumn.Device?
    let phase: TouchColumn.Phase?
  }

  private struct Timing {
    let name: String
    let start: Int64
    let duration: Double?
    let interaction: Int64
    /// The times from the event's start to the start and the end of its handlers, in ns.
    let handlers: (start: Int64, end: Int64)?
    let process, thread: Int64?
  }

  private var reader = ChromeNumbers()
  private var inputs: [Input] = []
  /// The start times of the older form, by ID.
  private var begins: [String: Int64] = [:]
  /// The event timings that have begun, by ID; an ID can be reused before its event ends.
  private var timings: [String: [Timing]] = [:]
  private var ended: [(timing: Timing, end: Int64)] = []

  /// Consumes an event if it is an `InputLatency` or an `EventTiming`.
  mutating func consume(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) {
    let isTiming = bytes.holds(ChromeName.eventTiming, in: event.name)
    guard isTiming || bytes.begins(ChromeName.inputLatency, in: event.name), let time = event.time
    else {
      return
    }
    let identifier = event.identifier.map { bytes.text($0) } ?? ""
    if isTiming {
      takeTiming(event, bytes, identifier, event.arguments(bytes)?["data"], at: time)
      return
    }
    let type = bytes.text(event.name).split(separator: ":").last.map(String.init) ?? ""
    switch event.phase {
    case UInt8(ascii: "b"):
      if let info = event.arguments(bytes)?["chrome_latency_info"] {
        add(Self.components(info), type, time)
      }
    case UInt8(ascii: "S"): begins[identifier] = time
    case UInt8(ascii: "F"):
      let begin = begins.removeValue(forKey: identifier)
      add(Self.oldComponents(event.arguments(bytes)?["data"]), type, begin ?? time)
    default: break
    }
  }

  /// The component times by name, in nanoseconds.
  private static func components(_ info: JSONNode) -> [String: Int64] {
    var times: [String: Int64] = [:]
    for component in info["component_info"]?.array ?? [] {
      guard let name = component["component_type"]?.text,
        let time = component["time_us"]?.number.flatMap({ Timestamp.believed($0, unit: 1e3) })
      else { continue }
      times[String(name.dropFirst("COMPONENT_".count))] = time
    }
    return times
  }

  private static func oldComponents(_ data: JSONNode?) -> [String: Int64] {
    var times: [String: Int64] = [:]
    for (name, value) in data?.members ?? [] where name.hasSuffix("_COMPONENT") {
      guard let time = value["time"]?.number.flatMap({ Timestamp.believed($0, unit: 1e3) })
      else { continue }
      times[String(name.dropLast("_COMPONENT".count))] = time
    }
    return times
  }

  private mutating func add(_ times: [String: Int64], _ type: String, _ begin: Int64) {
    let swaps = [
      "INPUT_EVENT_LATENCY_TERMINATED_FRAME_SWAP", "INPUT_EVENT_LATENCY_FRAME_SWAP",
      "INPUT_EVENT_GPU_SWAP_BUFFER",
    ]
    let kind = Self.kind(type)
    inputs.append(
      Input(
        made: times["INPUT_EVENT_LATENCY_ORIGINAL"] ?? begin,
        delivered: times["INPUT_EVENT_LATENCY_RENDERER_MAIN"],
        swapped: swaps.lazy.compactMap { times[$0] }.first, device: kind.device, phase: kind.phase))
  }

  /// The device and phase of an event type; none for gestures and scrolls, which derive from
  /// touches.
  private static func kind(
    _ type: String
  ) -> (device: TouchColumn.Device?, phase: TouchColumn.Phase?) {
    switch type {
    case "TouchStart": (.touch, .began)
    case "TouchMove": (.touch, .moved)
    case "TouchEnd": (.touch, .ended)
    case "TouchCancel": (.touch, .cancelled)
    case "MouseDown": (.click, .began)
    case "MouseUp": (.click, .ended)
    case "MouseMove": (.pointer, .moved)
    case "MouseWheel": (.pointer, nil)
    case "RawKeyDown", "KeyDown": (.key, .began)
    case "KeyUp": (.key, .ended)
    case "InputLatency": (.input, nil)
    default: (nil, nil)
    }
  }

  private mutating func takeTiming(
    _ event: ChromeTraceEvent, _ bytes: Span<UInt8>, _ identifier: String, _ data: JSONNode?,
    at time: Int64
  ) {
    let key = "\(event.process ?? 0) \(identifier)"
    if event.phase == UInt8(ascii: "b") {
      timings[key, default: []].append(
        Timing(
          name: data?["type"]?.text ?? "event", start: time, duration: data?["duration"]?.number,
          interaction: data?["interactionId"]?.integer ?? 0, handlers: Self.handlers(data),
          process: event.process, thread: event.thread(bytes, &reader)))
    } else if event.phase == UInt8(ascii: "e"), let timing = timings[key]?.popLast() {
      ended.append((timing, time))
    }
  }

  /// The handler times, relative to the event's time; the event states them in ms since the page's start.
  private static func handlers(_ data: JSONNode?) -> (start: Int64, end: Int64)? {
    guard let made = data?["timeStamp"]?.number, let start = data?["processingStart"]?.number,
      let end = data?["processingEnd"]?.number,
      let first = Timestamp.believed(start - made, unit: 1e6),
      let last = Timestamp.believed(end - made, unit: 1e6), 0 <= first, first <= last
    else { return nil }
    return (first, last)
  }

  /// Adds the events of pages as marks, and how long interactions took.
  func addTimings(to builder: inout TraceBuilder, name: (Int64) -> String?) {
    for (timing, end) in ended {
      builder.addMark(
        timing.name, timing.start, max(timing.start, end), process: nil, thread: nil)
      add(timing, end, to: &builder, name)
      guard timing.interaction != 0, let duration = timing.duration else { continue }
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: StatedMetric.interactionDuration.rawValue, value: duration,
          unit: StatedMetric.interactionDuration.unit, label: "EventTiming duration"))
    }
    builder.log.note(
      .brokenReference, .dataLoss, "page events without an end in the trace, left out",
      count: timings.values.reduce(0) { $0 + $1.count })
  }

  private func add(
    _ timing: Timing, _ end: Int64, to builder: inout TraceBuilder, _ name: (Int64) -> String?
  ) {
    var row = Table<PageEventColumn>.Row()
    row[.interaction] = timing.interaction
    row[.kind] = builder.trace.pageEvents.texts.number(of: timing.name)
    row[.start] = timing.start
    row[.processingStart] = timing.handlers.map { timing.start &+ $0.start }
    row[.processingEnd] = timing.handlers.map { timing.start &+ $0.end }
    row[.end] = max(timing.start, end)
    // Several pages can have processes with the same name.
    row[.process] = timing.process.map { process in
      builder.trace.pageEvents.texts.number(of: "\(name(process) ?? "process") (\(process))")
    }
    row[.thread] = timing.thread
    builder.trace.pageEvents.append(row)
  }

  /// Adds the inputs, and the time from each to the swap of a frame with the input.
  func add(to builder: inout TraceBuilder) {
    var others = 0
    for input in inputs.sorted(by: { $0.made < $1.made }) {
      guard let device = input.device else {
        others += 1
        continue
      }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = device.rawValue
      row[.phase] = input.phase?.rawValue
      row[.scanStart] = input.made
      row[.delivered] = input.delivered
      builder.trace.touches.append(row)
      guard let swapped = input.swapped, swapped >= input.made else { continue }
      builder.add(
        StatedFigure(
          scene: nil, run: 0, metric: StatedMetric.inputLatency.rawValue,
          value: Nanoseconds(swapped - input.made).milliseconds,
          unit: StatedMetric.inputLatency.unit,
          label: "InputLatency, to the swap"))
    }
    builder.log.note(
      .unknownRecord, .info, "gestures and scrolls, which consist of other inputs, left out",
      count: others)
  }
}
