import FrameTrace

/// What the main threads of Chromium's processes worked on: complete events, and the parts of long animation frames.
///
/// Chromium, "Trace Event Format": an event of phase `X` has a length; `AnimationFrame` and its parts begin with `b` and
/// end with `e` on one thread. The names of scripts are in the arguments.
struct ChromeTasks {
  private struct Thread: Hashable {
    let process, number: Int64
  }

  private struct Slice {
    let name: Int32
    let start, end: Int64
  }

  /// Reads lengths and thread numbers, which have fewer digits than times.
  private var reader = ChromeNumbers()
  private var threads: [Thread: String] = [:]
  private var slices: [Thread: [Slice]] = [:]
  private var numbers: [String: Int32] = [:]
  private var names: [String] = []
  /// Parts of animation frames that have begun, by their names.
  private var open: [Thread: [(name: String, start: Int64, text: String)]] = [:]

  /// Shorter events are not kept: a frame has thousands of them, and none makes it late.
  private static let shortest: Int64 = 100_000
  /// The most slices that are kept.
  private static let most = 2_000_000
  private var count = 0
  private(set) var leftOut = 0

  /// What the main threads of pages and of the browser are called.
  private static let mainNames = ["CrRendererMain", "CrBrowserMain"]

  /// Takes the name of a thread.
  mutating func takeThread(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) {
    guard let process = event.process, let number = event.thread(bytes, &reader),
      let name = event.arguments(bytes)?["name"]?.text
    else { return }
    threads[Thread(process: process, number: number)] = name
  }

  /// Takes an event if it is work of a thread.
  mutating func take(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) {
    guard let start = event.time, let process = event.process else { return }
    switch event.phase {
    case UInt8(ascii: "X"):
      guard let length = event.length(bytes, &reader), length >= Self.shortest,
        let number = event.thread(bytes, &reader)
      else { return }
      add(
        Self.text(event, bytes), from: start, to: start + length,
        of: Thread(process: process, number: number))
    case UInt8(ascii: "b"), UInt8(ascii: "e"):
      guard bytes.begins(ChromeName.animationFrame, in: event.name),
        let number = event.thread(bytes, &reader)
      else { return }
      let thread = Thread(process: process, number: number)
      let name = bytes.text(event.name)
      if event.phase == UInt8(ascii: "b") {
        open[thread, default: []].append((name, start, Self.text(event, bytes)))
      } else if let place = open[thread]?.lastIndex(where: { $0.name == name }),
        let begun = open[thread]?.remove(at: place), start - begun.start >= Self.shortest
      {
        add(begun.text, from: begun.start, to: start, of: thread)
      }
    default: break
    }
  }

  private mutating func add(
    _ text: String, from start: Int64, to end: Int64, of thread: Thread
  ) {
    guard count < Self.most else {
      leftOut += 1
      return
    }
    count += 1
    let name: Int32
    if let known = numbers[text] {
      name = known
    } else {
      name = Int32(names.count)
      numbers[text] = name
      names.append(text)
    }
    slices[thread, default: []].append(Slice(name: name, start: start, end: end))
  }

  /// What an event is called: its name, and which script or event it is about.
  private static func text(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) -> String {
    let name = bytes.text(event.name)
    switch name {
    case "FunctionCall":
      let data = event.arguments(bytes)?["data"]
      return [
        name, data?["functionName"]?.text, place(data?["url"]?.text, data?["lineNumber"]?.integer),
      ]
      .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    case "EvaluateScript", "v8.compile":
      let data = event.arguments(bytes)?["data"]
      return [name, place(data?["url"]?.text, nil)].compactMap { $0 }.joined(separator: " ")
    case "EventDispatch":
      return [name, event.arguments(bytes)?["data"]?["type"]?.text].compactMap { $0 }
        .joined(separator: " ")
    case "AnimationFrame::Script::Execute":
      let script = event.arguments(bytes)?["animation_frame_script_timing_info"]
      return [
        name, script?["source_location_function_name"]?.text,
        place(script?["source_location_url"]?.text, nil),
      ].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    default: return name
    }
  }

  /// The file of a script and its line: `(app.js:12)`.
  private static func place(_ url: String?, _ line: Int64?) -> String? {
    guard let url, !url.isEmpty else { return nil }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let file = path.split(separator: "/").last.map(String.init) ?? url
    return "(\(file)\(line.map { ":\($0)" } ?? ""))"
  }

  /// Adds the main threads, and what they worked on.
  func add(to builder: inout TraceBuilder, name: (Int64) -> String?) {
    let main = threads.filter { Self.mainNames.contains($0.value) && slices[$0.key] != nil }
    for (thread, threadName) in main.sorted(by: {
      ($0.key.process, $0.key.number) < ($1.key.process, $1.key.number)
    }) {
      var row = Table<ThreadColumn>.Row()
      row[.identifier] = thread.number
      row[.name] = builder.trace.threads.texts.number(of: threadName)
      row[.process] = name(thread.process).map { builder.trace.threads.texts.number(of: $0) }
      row[.main] = 1
      builder.trace.threads.append(row)
      for slice in (slices[thread] ?? []).sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
        builder.addMark(
          names[Int(slice.name)], slice.start, slice.end, process: name(thread.process),
          thread: thread.number)
      }
    }
    builder.log.note(
      .cutOff, .dataLoss, "slices of threads beyond the first \(Self.most), left out",
      count: leftOut)
  }
}
