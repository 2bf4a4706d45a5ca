/// What lines of the kernel's log say, before it is put together.
struct FtraceLog {
  private(set) var marks = AtraceMarks()
  private(set) var threads = SchedEvents()
  private(set) var fences = FenceEvents()
  /// The names of threads, and the processes that they are of.
  private(set) var names: [Int64: String] = [:]
  private(set) var processes: [Int64: Int64] = [:]
  /// Refreshes by their CRTC and number.
  private(set) var refreshes: [Int64: [Int64: Int64]] = [:]
  /// How far the log's clock is ahead of the monotonic one; `nil` where nothing tells.
  private(set) var monotonicOffset: Int64?
  /// Events that are not read.
  private(set) var unread = UnreadRecords()
  /// How many events there were.
  private(set) var count = 0
  private(set) var broken = 0
  /// Events that the kernel's buffer had no room for.
  private(set) var lost = 0
  /// Texts that somebody wrote and that are no marks of `atrace`.
  private(set) var remarks: [(time: Int64, thread: Int64, text: String)] = []

  /// Takes note of a line that is no event.
  mutating func skip(_ line: Substring) {
    // `CPU:1 [LOST 3 EVENTS]`.
    if let count = line.range(ofASCII: "[LOST ")?.upperBound {
      lost &+= Int(line[count...].prefix { $0 != " " }).flatMap { $0 < 1 << 32 ? $0 : nil } ?? 1
      return
    }
    // A line that names a mark and cannot be read was one.
    if line.range(ofASCII: "tracing_mark_write:") != nil
      || line.range(ofASCII: "sched_switch:") != nil
    {
      broken += 1
    }
  }

  mutating func take(_ line: FtraceLine) {
    count += 1
    // `<...>` or `<7952>` for a thread whose name was not kept.
    if !line.task.hasPrefix("<") { names[line.thread] = String(line.task) }
    if let process = line.process { processes[line.thread] = process }
    switch line.event {
    case "tracing_mark_write", "0", "print": takeMark(line)
    case "sched_switch": takeSwitch(line)
    case "sched_waking", "sched_wakeup": takeWaking(line)
    case "drm_vblank_event": takeRefresh(line)
    case "dma_fence_init", "dma_fence_signaled", "dma_fence_wait_start", "dma_fence_wait_end":
      takeFence(line)
    case "drm_run_job", "drm_sched_job_run": takeJob(line)
    case "drm_sched_process_job", "drm_sched_job_done":
      guard let fence = Self.jobFence(line.details) else {
        broken += 1
        return
      }
      fences.finishJob(fence: fence, at: line.time)
    default: unread.note("events \(line.event)")
    }
  }

  /// `entity=0xffffa00d52574810, id=135, fence=0xffffa00d9baf9c40, ring=gfx_0.0.0, …`, since Linux 6.17
  /// `dev=0000:03:00.0, fence=312:135, ring=gfx_0.0.0, …`.
  private mutating func takeJob(_ line: FtraceLine) {
    guard let fence = Self.jobFence(line.details) else {
      broken += 1
      return
    }
    let stated = Self.value(line.details, "id=", until: ",").flatMap { Int64($0) }
    let identifier =
      switch fence {
      case .address: stated ?? 0
      case .number(_, let number): Int64(truncatingIfNeeded: number)
      }
    let ring = Self.value(line.details, "ring=", until: ",").map(String.init) ?? "GPU"
    fences.runJob(identifier, ring: ring, fence: fence, at: line.time)
  }

  /// The fence that a job's line names: by its address, or as `context:number`.
  private static func jobFence(_ details: Substring) -> FenceEvents.JobFence? {
    guard let text = value(details, "fence=", until: nil)?.prefix(while: { $0 != "," }) else {
      return nil
    }
    let parts = text.split(separator: ":")
    if parts.count == 2, let context = UInt64(parts[0]), let number = UInt64(parts[1]) {
      return .number(context: context, number)
    }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text
    return UInt64(digits, radix: 16).map { .address($0) }
  }

  private mutating func takeMark(_ line: FtraceLine) {
    var text = line.details
    // trace-cmd puts the place in the program before the text.
    if line.event == "print", let colon = text.range(ofASCII: ": "),
      text[..<colon.lowerBound].range(ofASCII: "|") == nil
    {
      text = text[colon.upperBound...]
    }
    if text.hasPrefix("trace_event_clock_sync: parent_ts=") {
      let seconds = text.split(separator: "=").last.flatMap { Double($0) } ?? 0
      if seconds > 0, seconds < 1e9 {
        monotonicOffset = line.time - Int64((seconds * 1e9).rounded())
      }
      return
    }
    let before = marks.slices.count + marks.counters.count + marks.unmatchedEnds
    marks.take(text, at: line.time, thread: line.thread)
    let isMark =
      text.dropFirst().first == "|" || text == "E"
      || before != marks.slices.count + marks.counters.count + marks.unmatchedEnds
    if !isMark, !text.hasPrefix("trace_event_clock_sync") {
      remarks.append((line.time, line.thread, String(text)))
    }
  }

  /// The text after a key, up to the next one.
  private static func value(_ details: Substring, _ key: String, until next: String?) -> Substring?
  {
    guard let start = details.range(ofASCII: key)?.upperBound else { return nil }
    let rest = details[start...]
    guard let next, let end = rest.range(ofASCII: next)?.lowerBound else {
      return Substring(rest.utf8.prefix { $0 != UInt8(ascii: " ") })
    }
    return rest[..<end]
  }

  private static func number(_ details: Substring, _ key: String) -> Int64? {
    value(details, key, until: nil).flatMap { Int64($0) }
  }

  private mutating func takeSwitch(_ line: FtraceLine) {
    let details = line.details
    guard let next = Self.number(details, "next_pid="), let from = Self.number(details, "prev_pid=")
    else {
      broken += 1
      return
    }
    let letters = Self.value(details, "prev_state=", until: nil) ?? "R"
    threads.takeSwitch(
      at: line.time, from: from, .init(letters: letters), to: next,
      priority: Self.number(details, "next_prio="),
      name: Self.value(details, "next_comm=", until: " next_pid=").map(String.init))
  }

  private mutating func takeWaking(_ line: FtraceLine) {
    guard let woken = Self.number(line.details, " pid=") else {
      broken += 1
      return
    }
    threads.takeWaking(
      at: line.time, of: woken, by: line.thread, priority: Self.number(line.details, " prio="))
  }

  /// `driver=amdgpu timeline=gfx context=11 seqno=4711`.
  private mutating func takeFence(_ line: FtraceLine) {
    guard let number = Self.number(line.details, "seqno=") else {
      broken += 1
      return
    }
    let timeline = Self.value(line.details, "timeline=", until: " context=")
    let fence = FenceEvents.Fence(
      context: Self.number(line.details, "context=") ?? 0, number: number,
      timeline: timeline.map(String.init) ?? "a timeline")
    switch line.event {
    case "dma_fence_init": fences.begin(fence, at: line.time)
    case "dma_fence_signaled": fences.signal(fence, at: line.time)
    case "dma_fence_wait_start": fences.beginWait(for: fence, by: line.thread, at: line.time)
    default: fences.endWait(for: fence, by: line.thread, at: line.time)
    }
  }

  private mutating func takeRefresh(_ line: FtraceLine) {
    let number = { (key: String) in
      Self.value(line.details, key, until: nil).flatMap { Int64($0.prefix { $0 != "," }) }
    }
    guard let sequence = number("seq=") else {
      broken += 1
      return
    }
    // Newer kernels state the refresh itself; the event comes from the interrupt after it.
    let stated = number(" time=").flatMap { ($0 &- line.time).magnitude < 1_000_000_000 ? $0 : nil }
    refreshes[number("crtc=") ?? 0, default: [:]][sequence] = stated ?? line.time
  }
}
