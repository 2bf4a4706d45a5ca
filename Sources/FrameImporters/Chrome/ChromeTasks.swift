import FrameStatistics
import FrameTrace

/// The work of the main threads of Chromium's processes: complete events, and the parts of long animation frames.
///
/// Chromium, "Trace Event Format": an event of phase `X` has a length; `AnimationFrame` and its parts begin with `b`
/// and end with `e` on one thread. The names of scripts are in the arguments.
struct ChromeTasks {
  private struct Thread: Hashable {
    let process, number: Int64
  }

  private struct Slice {
    /// The index of its thread.
    let thread: Int32
    let name: Int32
    let start, end: Int64
  }

  /// Reads lengths and thread numbers, which have fewer digits than times.
  private var reader = ChromeNumbers()
  private var names: [Thread: String] = [:]
  /// The work of all threads, in the order of the trace.
  private var slices = PieceList<Slice>()
  /// The threads that worked, and the index of each by its process and number.
  private var threads: [Thread] = []
  private var positions = PairTable()
  /// The names of events, and those of scripts and inputs, whose numbers are negative.
  private var plain = ByteTable()
  private var numbers: [String: Int32] = [:]
  private var detailed: [String] = []
  /// Parts of animation frames that have begun, by name.
  private var open: [Part: [(start: Int64, text: Int32)]] = [:]

  private struct Part: Hashable {
    let thread: Thread
    let name: Int
  }

  /// Shorter events are not kept: a frame has thousands of them, and none makes the frame late.
  private static let shortest: Int64 = 100_000
  /// The maximum number of slices that are kept.
  private static let most = 2_000_000
  private(set) var leftOut = 0

  /// The names of the main threads of pages and of the browser.
  private static let mainNames = ["CrRendererMain", "CrBrowserMain"]

  /// Reads the name of a thread.
  mutating func takeThread(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) {
    guard let process = event.process, let number = event.thread(bytes, &reader),
      let name = event.arguments(bytes)?["name"]?.text
    else { return }
    names[Thread(process: process, number: number)] = name
  }

  /// Consumes an event if it is work of a thread.
  mutating func consume(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) {
    guard let start = event.time, let process = event.process else { return }
    switch event.phase {
    case UInt8(ascii: "X"):
      guard let length = event.length(bytes, &reader), length >= Self.shortest,
        let number = event.thread(bytes, &reader)
      else { return }
      add(
        text(event, bytes), from: start, to: start + length,
        of: Thread(process: process, number: number))
    case UInt8(ascii: "b"), UInt8(ascii: "e"):
      guard bytes.begins(ChromeName.animationFrame, in: event.name),
        let number = event.thread(bytes, &reader)
      else { return }
      let thread = Thread(process: process, number: number)
      let part = Part(thread: thread, name: plain.number(bytes, event.name))
      if event.phase == UInt8(ascii: "b") {
        open[part, default: []].append((start, text(event, bytes)))
      } else if let begun = open[part]?.popLast(), start - begun.start >= Self.shortest {
        add(begun.text, from: begun.start, to: start, of: thread)
      }
    default: break
    }
  }

  private mutating func add(
    _ text: Int32, from start: Int64, to end: Int64, of thread: Thread
  ) {
    guard slices.count < Self.most else {
      leftOut += 1
      return
    }
    slices.append(Slice(thread: position(of: thread), name: text, start: start, end: end))
  }

  /// The index of a thread, which is assigned if the thread is new.
  private mutating func position(of thread: Thread) -> Int32 {
    if let position = positions[thread.process, thread.number] { return position }
    threads.append(thread)
    positions[thread.process, thread.number] = Int32(threads.count - 1)
    return Int32(threads.count - 1)
  }

  /// The number of an event's label: its name, and the script or input that it is about.
  private mutating func text(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) -> Int32 {
    guard let details = Self.details(event, bytes) else {
      return Int32(plain.number(bytes, event.name))
    }
    let text = ([bytes.text(event.name)] + details.compactMap { $0 }.filter { !$0.isEmpty })
      .joined(separator: " ")
    if let known = numbers[text] { return known }
    detailed.append(text)
    numbers[text] = -Int32(detailed.count)
    return -Int32(detailed.count)
  }

  /// What an event is about; `nil` if the event has only a name.
  private static func details(_ event: ChromeTraceEvent, _ bytes: Span<UInt8>) -> [String?]? {
    if bytes.holds(ChromeName.functionCall, in: event.name) {
      let data = event.arguments(bytes)?["data"]
      return [
        data?["functionName"]?.text, position(data?["url"]?.text, data?["lineNumber"]?.integer),
      ]
    }
    if bytes.holds(ChromeName.evaluateScript, in: event.name) {
      return [position(event.arguments(bytes)?["data"]?["url"]?.text, nil)]
    }
    if bytes.holds(ChromeName.eventDispatch, in: event.name) {
      return [event.arguments(bytes)?["data"]?["type"]?.text]
    }
    if bytes.holds(ChromeName.scriptExecute, in: event.name) {
      let script = event.arguments(bytes)?["animation_frame_script_timing_info"]
      return [
        script?["source_location_function_name"]?.text,
        position(script?["source_location_url"]?.text, nil),
      ]
    }
    return nil
  }

  /// The file of a script and its line: `(app.js:12)`.
  private static func position(_ url: String?, _ line: Int64?) -> String? {
    guard let url, !url.isEmpty else { return nil }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let file = path.split(separator: "/").last.map(String.init) ?? url
    return "(\(file)\(line.map { ":\($0)" } ?? ""))"
  }

  /// Adds the main threads, and their work.
  func add(to builder: inout TraceBuilder, name: (Int64) -> String?) {
    let work = mainWork
    builder.trace.markers.reserve(
      builder.trace.markers.count + work.reduce(0) { $0 + $1.slices.count })
    for (thread, slices) in work {
      let process = name(thread.process)
      var row = Table<ThreadColumn>.Row()
      row[.identifier] = thread.number
      row[.name] = names[thread].map { builder.trace.threads.texts.number(of: $0) }
      row[.process] = process.map { builder.trace.threads.texts.number(of: $0) }
      row[.main] = 1
      builder.trace.threads.append(row)
      add(slices, of: thread, process, to: &builder)
    }
    builder.log.note(
      .cutOff, .dataLoss, "slices of threads beyond the first \(Self.most), left out",
      count: leftOut)
  }

  /// The main threads, ordered by process and number, and the work of each, ordered by start, the longest first.
  private var mainWork: [(thread: Thread, slices: [Slice])] {
    var counts = [Int](repeating: 0, count: threads.count)
    for slice in slices { counts[Int(slice.thread)] += 1 }
    // The index of each thread among the main threads; −1 for any other.
    var mainPositions = [Int](repeating: -1, count: threads.count)
    var work: [(thread: Thread, slices: [Slice])] = []
    for (position, thread) in threads.enumerated()
    where names[thread].map(Self.mainNames.contains) ?? false {
      mainPositions[position] = work.count
      work.append((thread, []))
      work[work.count - 1].slices.reserveCapacity(counts[position])
    }
    for slice in slices {
      let position = mainPositions[Int(slice.thread)]
      if position >= 0 { work[position].slices.append(slice) }
    }
    for position in work.indices {
      // Chromium writes a slice when it ends, after those within it.
      work[position].slices.sortNearlySorted { ($0.start, $1.end) < ($1.start, $0.end) }
    }
    return work.sorted {
      ($0.thread.process, $0.thread.number) < ($1.thread.process, $1.thread.number)
    }
  }

  private func add(
    _ slices: [Slice], of thread: Thread, _ process: String?, to builder: inout TraceBuilder
  ) {
    var row = Table<MarkerColumn>.Row()
    row[.process] = process.map { builder.trace.markers.texts.number(of: $0) }
    row[.thread] = thread.number
    var texts: [Int32: Int64] = [:]
    var last: Int32?
    for slice in slices {
      if slice.name != last {
        let text =
          texts[slice.name]
          ?? builder.trace.markers.texts.number(of: self.text(ofNumber: slice.name))
        texts[slice.name] = text
        row[.name] = text
        last = slice.name
      }
      row[.start] = slice.start
      row[.end] = slice.end
      builder.trace.markers.append(row)
    }
  }

  private func text(ofNumber number: Int32) -> String {
    number < 0 ? detailed[Int(-number) - 1] : plain.text(Int(number))
  }
}
