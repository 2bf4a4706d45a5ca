package import FrameKit

/// Writes traces in Chromium's JSON form: a `PipelineReporter` for each frame, and an `EventLatency` for each input
/// that names its frame.
package struct ChromeTraceEncoder: TraceEncoder {
  package let name = "chrome"
  package let importer = "chrome"

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    guard trace.surfaces.count == 1, let frames = trace.surfaces.first?.frames, frames.count > 0
    else { return "the format needs exactly one surface, with frames" }
    let rows = 0..<frames.count
    guard rows.allSatisfy({ frames[$0, .displayed] != nil && frames[$0, .commit] != nil }) else {
      return "the format has no frames that were never displayed"
    }
    guard rows.allSatisfy({ frames[$0, .appStart] != nil }) else {
      return "a report needs the main thread's start"
    }
    if trace.surfaces[0].display.map({ trace.displays[$0].isVariable == true }) ?? false {
      return "begin frames need a fixed refresh interval"
    }
    let refreshes = CountedRefreshes(trace, trace.surfaces[0])
    let between = rows.count { row in
      frames[row, .appStart].map { refreshes?.isNear($0) == false } ?? false
    }
    guard between * 10 <= frames.count else {
      return "a begin frame starts at a refresh, and the app's frames start anywhere between"
    }
    return nil
  }

  package func whyMisread(_ trace: Trace) -> String? {
    let classic = FrameColumn.Mode.classic.rawValue
    let isWoken = trace.surfaces.contains { surface in
      (0..<surface.frames.count).contains { surface.frames[$0, .mode] == classic }
    }
    return isWoken
      ? "Chromium's display compositor draws as soon as it receives an update, and no refresh wakes it"
      : nil
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let surface = trace.surfaces.first else { return [] }
    // The clock has already been running for a while.
    var text = ChromeTraceText(
      shift: 1_000_000_000 - (trace.timeRange?.lowerBound.nanoseconds ?? 0))
    text.process(named: surface.process ?? surface.id)
    let refreshes = CountedRefreshes(trace, surface)
    for row in 0..<surface.frames.count {
      let start = surface.frames[row, .appStart]
      text.frame(
        row, surface.frames,
        refresh: start.flatMap { refreshes?.number(startingAt: $0) } ?? Int64(row) + 1,
        begun: start.flatMap { refreshes?.time(startingAt: $0) } ?? start)
    }
    let touches = trace.touches
    for row in 0..<touches.count where touches[row, .frame] != nil { text.input(row, touches) }
    return Array(text.text.utf8)
  }
}

/// The events of a trace, one per line.
private struct ChromeTraceText {
  private var events: [String] = []
  private let shift: Int64
  private static let frameCategory = "cc,benchmark,disabled-by-default-devtools.timeline.frame"
  private static let inputCategory = "cc,benchmark,input,input.scrolling"

  init(shift: Int64) { self.shift = shift }

  var text: String { "{\"traceEvents\":[\n" + events.joined(separator: ",\n") + "\n]}\n" }

  mutating func process(named name: String) {
    let plain = name.filter { $0 != "\"" && $0 != "\\" }
    events.append(
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":7,\"tid\":7,\"ts\":0,\"args\":{\"name\":\"\(plain)\"}}"
    )
  }

  private mutating func add(
    _ name: String, _ phase: String, _ time: Int64, _ category: String, id: Int,
    _ arguments: String = "{}"
  ) {
    let (whole, part) = ((time + shift) / 1000, (time + shift) % 1000)
    let digits = String(repeating: "0", count: 3 - "\(part)".count) + "\(part)"
    events.append(
      "{\"name\":\"\(name)\",\"cat\":\"\(category)\",\"ph\":\"\(phase)\",\"pid\":7,\"tid\":9,\"id2\":{\"local\":\"0x\(String(id, radix: 16))\"},\"ts\":\(whole).\(digits),\"args\":\(arguments)}"
    )
  }

  private mutating func stage(_ name: String, _ start: Int64?, _ end: Int64?, id: Int) {
    guard let start, let end, end >= start else { return }
    add(name, "b", start, Self.frameCategory, id: id)
    add(name, "e", end, Self.frameCategory, id: id)
  }

  /// - Parameters:
  ///   - refresh: The number of the refresh that began the frame, which is also the frame's number.
  ///   - begun: The time of that refresh; the main thread may start later.
  mutating func frame(_ row: Int, _ frames: Table<FrameColumn>, refresh: Int64, begun: Int64?) {
    guard let start = frames[row, .appStart], let commit = frames[row, .commit],
      let displayed = frames[row, .displayed]
    else { return }
    let id = row + 1
    add(
      "PipelineReporter", "b", min(begun ?? start, start), Self.frameCategory, id: id,
      "{\"frame_reporter\":{\"state\":\"STATE_PRESENTED_ALL\",\"frame_sequence\":\(refresh),\"frame_source\":1,\"layer_tree_host_id\":1,\"surface_frame_trace_id\":\(row + 1)}}"
    )
    stage("SendBeginMainFrameToCommit", start, commit, id: id)
    stage("Commit", commit, commit, id: id)
    stage("SubmitCompositorFrameToPresentationCompositorFrame", commit, displayed, id: id)
    stage(
      "StartDrawToSwapStart", frames[row, .compositorStart], frames[row, .compositorEnd], id: id)
    stage("Swap", frames[row, .gpuStart], frames[row, .gpuEnd], id: id)
    add("PipelineReporter", "e", displayed, Self.frameCategory, id: id)
  }

  mutating func input(_ row: Int, _ touches: Table<TouchColumn>) {
    guard let made = touches[row, .scanStart], let frame = touches[row, .frame],
      touches[row, .kind] ?? 0 == TouchColumn.Kind.main.rawValue
    else { return }
    let isTouch = touches[row, .device] ?? 0 == TouchColumn.Device.touch.rawValue
    let id = 1_000_000 + row
    let type = isTouch ? "TOUCH_MOVED" : "MOUSE_PRESSED"
    add(
      "EventLatency", "b", made, Self.inputCategory, id: id,
      "{\"event_latency\":{\"event_type\":\"\(type)\",\"surface_frame_trace_id\":\(frame + 1)}}")
    let delivered = touches[row, .delivered] ?? made
    add("BrowserMainToRendererCompositor", "b", made, Self.inputCategory, id: id)
    add("BrowserMainToRendererCompositor", "e", max(made, delivered), Self.inputCategory, id: id)
    add("EventLatency", "e", max(made, delivered), Self.inputCategory, id: id)
  }
}
