import FrameTrace

/// The contents of kernel log lines, before they are assembled.
struct FtraceLog {
  private(set) var marks = AtraceMarks()
  private(set) var threads = SchedEvents()
  private(set) var binder = BinderCalls()
  private(set) var fences = FenceEvents()
  /// The process of each thread.
  private(set) var processes: [Int64: Int64] = [:]
  /// The index of each thread's name in `texts`; there are many lines but few names.
  private var nameNumbers: [Int64: Int] = [:]
  private var texts = ByteTable()
  /// The thread of the last line, with the name and process in that line.
  private var last: (thread: Int64, name: Int, process: Int64?)?

  /// The names of threads.
  var names: [Int64: String] { nameNumbers.mapValues { texts.text($0) } }

  /// Refreshes by their CRTC and number.
  private(set) var refreshes: [Int64: NumberedRefreshes] = [:]
  /// How far the log's clock is ahead of the monotonic one; `nil` if unknown.
  private(set) var monotonicOffset: Int64?
  /// Events that are not read.
  private(set) var unread = UnreadRecords()
  /// The number of events.
  private(set) var count = 0
  private(set) var broken = 0
  /// The number of events that the kernel's buffer had no room for.
  private(set) var lost = 0
  /// The written strings that are not `atrace` marks.
  private(set) var remarks: [(time: Int64, thread: Int64, text: String)] = []

  /// Records the loss of a processor's events; the thread that ran there may have stopped.
  mutating func lose(on processor: Int64) { threads.lose(on: processor) }

  /// Notes a line that is not an event.
  mutating func skip(_ bytes: Span<UInt8>, _ line: Range<Int>) {
    // `CPU:1 [LOST 3 EVENTS]`.
    if let position = bytes.first(FtraceName.lost, in: line) {
      let start = position + FtraceName.lost.length
      let end = bytes.first(0x20, in: start..<line.upperBound) ?? line.upperBound
      lost &+= bytes.whole(start..<end).flatMap { 0..<1 << 32 ~= $0 ? Int($0) : nil } ?? 1
      return
    }
    // A line that names an event but cannot be read is broken.
    if bytes.first(FtraceName.markColon, in: line) != nil
      || bytes.first(FtraceName.switchColon, in: line) != nil
    {
      broken += 1
    }
  }

  mutating func consume(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    count += 1
    takeThread(line, bytes)
    if line.isEvent(FtraceName.schedSwitch, bytes) {
      takeSwitch(line, bytes)
    } else if line.isEvent(FtraceName.mark, bytes) || line.isEvent(FtraceName.zero, bytes)
      || line.isEvent(FtraceName.print, bytes)
    {
      takeMark(line, bytes)
    } else if line.isEvent(FtraceName.waking, bytes) || line.isEvent(FtraceName.wakeup, bytes) {
      takeWaking(line, bytes)
    } else if line.isEvent(FtraceName.blockedReason, bytes) {
      takeReason(line, bytes)
    } else if line.isEvent(FtraceName.clock, bytes) {
      takeClock(line, bytes)
    } else if line.isEvent(FtraceName.binderSent, bytes) {
      takeTransaction(line, bytes)
    } else if line.isEvent(FtraceName.binderReceived, bytes) {
      guard let number = Self.number(line.details, bytes, FtraceName.transaction) else {
        broken += 1
        return
      }
      binder.receive(number, by: line.thread, at: line.time)
    } else if line.isEvent(FtraceName.vblank, bytes) {
      takeRefresh(line, bytes)
    } else if line.isEvent(FtraceName.fenceInit, bytes)
      || line.isEvent(FtraceName.fenceSignaled, bytes)
      || line.isEvent(FtraceName.fenceWaitStart, bytes)
      || line.isEvent(FtraceName.fenceWaitEnd, bytes)
    {
      takeFence(line, bytes)
    } else if line.isEvent(FtraceName.runJob, bytes) || line.isEvent(FtraceName.schedRunJob, bytes)
    {
      takeJob(line, bytes)
    } else if line.isEvent(FtraceName.processJob, bytes) || line.isEvent(FtraceName.jobDone, bytes)
    {
      guard let fence = Self.jobFence(line.details, bytes) else {
        broken += 1
        return
      }
      fences.finishJob(fence: fence, at: line.time)
    } else {
      unread.note("events \(bytes.text(line.event))")
    }
  }

  private mutating func takeThread(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    let name = texts.number(bytes, line.task)
    if let last, last == (line.thread, name, line.process) { return }
    last = (line.thread, name, line.process)
    // `<...>` or `<7952>` stands for a thread name that was not kept.
    if line.task.isEmpty || bytes[line.task.lowerBound] != UInt8(ascii: "<") {
      nameNumbers[line.thread] = name
    }
    if let process = line.process { processes[line.thread] = process }
  }

  /// `entity=0xffffa00d52574810, id=135, fence=0xffffa00d9baf9c40, ring=gfx_0.0.0, …`, since Linux 6.17
  /// `dev=0000:03:00.0, fence=312:135, ring=gfx_0.0.0, …`.
  private mutating func takeJob(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    guard let fence = Self.jobFence(line.details, bytes) else {
      broken += 1
      return
    }
    let stated = Self.value(line.details, bytes, FtraceName.identifier, until: FtraceName.comma)
      .flatMap { bytes.whole($0) }
    let identifier =
      switch fence {
      case .address: stated ?? 0
      case .number(_, let number): Int64(truncatingIfNeeded: number)
      }
    let ring =
      Self.value(line.details, bytes, FtraceName.ring, until: FtraceName.comma)
      .map { bytes.text($0) } ?? "GPU"
    fences.runJob(identifier, ring: ring, fence: fence, at: line.time)
  }

  /// The fence in a job's line, as an address or as `context:number`.
  private static func jobFence(
    _ details: Range<Int>, _ bytes: Span<UInt8>
  ) -> FenceEvents.JobFence? {
    guard let range = value(details, bytes, FtraceName.fence, until: nil) else { return nil }
    let text = bytes.text(range).prefix { $0 != "," }
    let parts = text.split(separator: ":")
    if parts.count == 2, let context = UInt64(parts[0]), let number = UInt64(parts[1]) {
      return .number(context: context, number)
    }
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text
    return UInt64(digits, radix: 16).map { .address($0) }
  }

  private mutating func takeMark(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    var text = line.details
    // trace-cmd puts the code location before the text.
    if bytes.holds(FtraceName.print, in: line.event),
      let colon = bytes.first(FtraceName.colon, in: text),
      bytes.first(UInt8(ascii: "|"), in: text.lowerBound..<colon) == nil
    {
      text = colon + 2..<text.upperBound
    }
    let isClockSync = bytes.begins(FtraceName.clockSync, in: text)
    let afterSync = text.lowerBound + FtraceName.clockSync.length
    if isClockSync, bytes.begins(FtraceName.parentTime, in: afterSync..<text.upperBound) {
      let number = afterSync + FtraceName.parentTime.length..<text.upperBound
      let seconds = Double(bytes.text(number)) ?? 0
      if seconds > 0, seconds < 1e9 {
        monotonicOffset = line.time - Int64((seconds * 1e9).rounded())
      }
      return
    }
    if let mark = marks.read(bytes, text) {
      marks.consume(mark, at: line.time, thread: line.thread)
      return
    }
    let isLikeMark = text.count > 1 && bytes[text.lowerBound + 1] == UInt8(ascii: "|")
    if !isLikeMark, !isClockSync {
      remarks.append((line.time, line.thread, bytes.text(text)))
    }
  }

  /// The range of the text after a key, up to the next key.
  private static func value(
    _ details: Range<Int>, _ bytes: Span<UInt8>, _ key: ByteName, until next: ByteName?
  ) -> Range<Int>? {
    guard let position = bytes.first(key, in: details) else { return nil }
    let start = position + key.length
    let end =
      next.flatMap { bytes.first($0, in: start..<details.upperBound) }
      ?? bytes.first(0x20, inWordsOf: start..<details.upperBound) ?? details.upperBound
    return start..<end
  }

  private static func number(
    _ details: Range<Int>, _ bytes: Span<UInt8>, _ key: ByteName
  ) -> Int64? {
    value(details, bytes, key, until: nil).flatMap { bytes.whole($0) }
  }

  private mutating func takeSwitch(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    let details = line.details
    guard let next = Self.number(details, bytes, FtraceName.nextProcess),
      let from = Self.number(details, bytes, FtraceName.previousProcess)
    else {
      broken += 1
      return
    }
    let letters = Self.value(details, bytes, FtraceName.previousState, until: nil)
    let name = Self.value(
      details, bytes, FtraceName.nextName, until: FtraceName.beforeNextProcess)
    threads.takeSwitch(
      at: line.time, from: from, .init(letters: letters.map { bytes.text($0)[...] } ?? "R"),
      to: next, priority: Self.number(details, bytes, FtraceName.nextPriority),
      name: name.map { bytes.text($0) }, on: line.processor)
  }

  /// `pid=7591 iowait=0 caller=wait_on_page_bit+0x64/0x80`.
  private mutating func takeReason(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    guard let thread = Self.number(line.details, bytes, FtraceName.waiter),
      let caller = Self.value(line.details, bytes, FtraceName.caller, until: nil)
    else {
      broken += 1
      return
    }
    let function = bytes.text(caller).prefix { $0 != "+" }
    // Without symbols, the function is an address, which gives no information.
    let isAddress = function.hasPrefix("0x") || function.hasPrefix("[")
    threads.takeReason(
      of: thread, isAddress ? nil : String(function),
      isForDisk: Self.number(line.details, bytes, FtraceName.disk) == 1)
  }

  /// `state=1785600 cpu_id=4`.
  private mutating func takeClock(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    guard let rate = Self.number(line.details, bytes, FtraceName.rate),
      let processor = Self.number(line.details, bytes, FtraceName.processor)
    else {
      broken += 1
      return
    }
    threads.takeClock(at: line.time, of: processor, rate)
  }

  /// `transaction=4711 dest_node=12 dest_proc=601 dest_thread=0 reply=0 flags=0x10 code=0x1`.
  private mutating func takeTransaction(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    let details = line.details
    guard let transaction = Self.number(details, bytes, FtraceName.transaction),
      let reply = Self.number(details, bytes, FtraceName.reply),
      let flags = Self.value(details, bytes, FtraceName.flags, until: nil)
    else {
      broken += 1
      return
    }
    binder.send(
      BinderCalls.Transaction(
        number: transaction, isReply: reply != 0,
        flags: Int64(bytes.text(flags), radix: 16) ?? 0,
        receiver: Self.number(details, bytes, FtraceName.receiver) ?? 0),
      by: line.thread, at: line.time)
  }

  private mutating func takeWaking(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    guard let woken = Self.number(line.details, bytes, FtraceName.process) else {
      broken += 1
      return
    }
    threads.takeWaking(
      at: line.time, of: woken, by: line.thread,
      priority: Self.number(line.details, bytes, FtraceName.priority))
  }

  /// `driver=amdgpu timeline=gfx context=11 seqno=4711`.
  private mutating func takeFence(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    guard let number = Self.number(line.details, bytes, FtraceName.sequence) else {
      broken += 1
      return
    }
    let timeline = Self.value(
      line.details, bytes, FtraceName.timeline, until: FtraceName.beforeContext)
    let fence = FenceEvents.Fence(
      context: Self.number(line.details, bytes, FtraceName.context) ?? 0, number: number,
      timeline: timeline.map { bytes.text($0) } ?? "a timeline")
    if bytes.holds(FtraceName.fenceInit, in: line.event) {
      fences.begin(fence, at: line.time)
    } else if bytes.holds(FtraceName.fenceSignaled, in: line.event) {
      fences.signal(fence, at: line.time)
    } else if bytes.holds(FtraceName.fenceWaitStart, in: line.event) {
      fences.beginWait(for: fence, by: line.thread, at: line.time)
    } else {
      fences.endWait(for: fence, by: line.thread, at: line.time)
    }
  }

  private mutating func takeRefresh(_ line: FtraceLine, _ bytes: Span<UInt8>) {
    guard let sequence = Self.listed(line.details, bytes, FtraceName.refreshNumber) else {
      broken += 1
      return
    }
    // Newer kernels state the time of the refresh itself; the event comes from the interrupt after the refresh.
    let stated = Self.listed(line.details, bytes, FtraceName.refreshTime).flatMap {
      ($0 &- line.time).magnitude < 1_000_000_000 ? $0 : nil
    }
    let crtc = Self.listed(line.details, bytes, FtraceName.crtc) ?? 0
    refreshes[crtc, default: NumberedRefreshes()].set(sequence, to: stated ?? line.time)
  }

  /// The number after a key; a comma may follow it.
  private static func listed(
    _ details: Range<Int>, _ bytes: Span<UInt8>, _ key: ByteName
  ) -> Int64? {
    guard let value = value(details, bytes, key, until: nil) else { return nil }
    let end = bytes.first(UInt8(ascii: ","), in: value) ?? value.upperBound
    return bytes.whole(value.lowerBound..<end)
  }
}
