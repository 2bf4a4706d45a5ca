import FrameKit

/// A recording of a page in a Chromium browser, made with the browser's tracing.
struct ChromeRecording {
  private var tools: DevTools
  private let wish: StopWish

  /// The trace categories: frames with their stages, inputs with the frames that show them, and
  /// scripts.
  static let categories = [
    "benchmark", "blink.user_timing", "cc", "devtools.timeline",
    "disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame", "graphics.pipeline",
    "input", "input.scrolling", "latency", "latencyInfo", "viz",
  ]

  init(_ process: LaunchedProcess, _ wish: StopWish) {
    tools = DevTools(process, wish)
    self.wish = wish
  }

  /// Opens a page and traces it.
  /// - Parameters:
  ///   - duration: The duration in seconds after the page has loaded; `nil` to record until the
  ///     user stops.
  ///   - script: Touches to inject after the page has loaded.
  ///   - actions: Clicks, keys and scrolls after the touches, one after another.
  ///   - taking: Receives the trace, piece by piece.
  mutating func record(
    _ page: String, for duration: Double?, _ script: TouchScript?, _ actions: [PageAction],
    taking: ([UInt8]) -> Void
  ) throws(CommandError) {
    let session = try openPage()
    if script != nil {
      _ = try tools.call("Emulation.setTouchEmulationEnabled", in: session) { json in
        json.key("enabled")
        json.value(true)
      }
    }
    try start()
    let opened = try tools.call("Page.navigate", in: session) { json in
      json.key("url")
      json.value(page)
    }
    if let problem = opened["errorText"]?.text {
      throw CommandError(
        .inputOutput, "\(PrintableText.line(page)): \(problem)",
        help: "expected an address such as https://example.org or file:///…")
    }
    _ = try tools.event("Page.loadEventFired", until: LaunchedProcess.now + 30_000_000_000)
    let begun = LaunchedProcess.now
    if let script { try play(script, in: session, from: begun) }
    for action in actions where !wish.hasCome {
      try tools.listen(until: LaunchedProcess.now + PageAction.pause)
      try tools.perform(action, in: session)
    }
    // Actions take as long as the page's responses, so the duration is counted from the last action.
    let last = actions.isEmpty ? begun : LaunchedProcess.now
    try tools.listen(until: duration.map { last + Nanoseconds.seconds($0).count } ?? .max)
    try end(taking)
    tools.close()
  }

  /// The DevTools session of the page that the browser opened.
  private mutating func openPage() throws(CommandError) -> String {
    let limit = LaunchedProcess.now + 20_000_000_000
    while LaunchedProcess.now < limit {
      let targets = try tools.call("Target.getTargets")["targetInfos"]?.array ?? []
      if let page = targets.first(where: { $0["type"]?.text == "page" })?["targetId"]?.text {
        let attached = try tools.call("Target.attachToTarget") { json in
          json.key("targetId")
          json.value(page)
          json.key("flatten")
          json.value(true)
        }
        guard let session = attached["sessionId"]?.text else { break }
        _ = try tools.call("Page.enable", in: session)
        return session
      }
      LaunchedProcess.rest(milliseconds: 50)
    }
    throw DevTools.failed("the browser did not open a page")
  }

  private mutating func start() throws(CommandError) {
    _ = try tools.call("Tracing.start") { json in
      json.key("transferMode")
      json.value("ReturnAsStream")
      json.key("streamFormat")
      json.value("json")
      json.key("traceConfig")
      json.object { json in
        json.key("recordMode")
        json.value("recordContinuously")
        json.key("traceBufferSizeInKb")
        json.value(200_000)
        json.key("includedCategories")
        json.array { json in for name in Self.categories { json.value(name) } }
        json.key("excludedCategories")
        json.array { $0.value("*") }
      }
    }
  }

  private mutating func play(
    _ script: TouchScript, in session: String, from begun: Int64
  ) throws(CommandError) {
    let names = ["down": "touchStart", "move": "touchMove", "up": "touchEnd"]
    for step in script.steps where !wish.hasCome {
      wish.rest(until: begun + Nanoseconds.milliseconds(step.time).count)
      try tools.send("Input.dispatchTouchEvent", in: session) { json in
        json.key("type")
        json.value(names[step.action.rawValue] ?? "touchMove")
        json.key("touchPoints")
        json.array { json in
          guard step.action != .up else { return }
          json.object { json in
            for (key, value) in [("x", step.x), ("y", step.y), ("id", 0)] {
              json.key(key)
              json.value(value)
            }
          }
        }
      }
    }
  }

  private mutating func end(
    _ taking: ([UInt8]) -> Void
  ) throws(CommandError) {
    try tools.send("Tracing.end")
    // The trace is also saved if the user stops the recording.
    let limit = LaunchedProcess.now + 60_000_000_000
    var stream: String?
    while stream == nil, LaunchedProcess.now < limit {
      stream = try tools.finished("Tracing.tracingComplete")?["stream"]?.text
    }
    guard let stream else { throw DevTools.failed("the browser returned no trace") }
    while true {
      let piece = try tools.call("IO.read") { json in
        json.key("handle")
        json.value(stream)
        json.key("size")
        json.value(1 << 20)
      }
      guard let text = piece["data"]?.text, !(piece["base64Encoded"]?.isTrue ?? false) else {
        throw DevTools.failed("the browser returned its trace in an unknown form")
      }
      taking(Array(text.utf8))
      if piece["eof"]?.isTrue ?? true { return }
    }
  }
}
