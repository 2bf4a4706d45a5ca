import FrameTrace

/// Reads bundles of kernel events, each from one processor.
struct PerfettoFtrace {
  private typealias Field = PerfettoSchema.FtraceEventBundle
  private typealias Compact = PerfettoSchema.FtraceEventBundle.CompactSched
  private typealias Event = PerfettoSchema.FtraceEvent
  private typealias Switch = PerfettoSchema.SchedSwitchFtraceEvent
  private typealias Vblank = PerfettoSchema.DrmVblankEventFtraceEvent
  private typealias Fence = PerfettoSchema.DmaFenceFtraceEvent

  /// The data shared by all events of a bundle.
  private struct Bundle {
    let bytes: [UInt8]
    let processor: UInt64
    /// The offset from the bundle's times to the main clock.
    let shift: Int64
    /// Events before this time belong to the previous bundle.
    let start: Int64
    /// The names of the kernel's functions, by number.
    let symbols: [UInt64: String]
  }

  /// The thread on each processor, according to the last switch.
  private var running: [UInt64: Int64] = [:]
  private(set) var broken = 0
  /// The number of bundles before which the kernel lost events.
  private(set) var lossCount = 0
  private(set) var unknownClock = 0
  /// The number of events of kinds that are not read.
  private(set) var unreadCount = 0
  private var order = FtraceOrder()

  /// The number of events that came after a later one had been read, and may be joined incorrectly.
  var lateCount: Int { order.lateCount }

  /// Reads an `FtraceEventBundle`.
  /// - Parameter boottime: The offset from times since boot to the main clock; `nil` if that clock
  ///   is not linked.
  mutating func consume(
    _ context: PerfettoRecording.Context, boottime: Int64?, into recording: inout PerfettoRecording
  ) {
    let message = context.message
    var shift = boottime
    if let clock = message[Field.ftraceClock]?.number, clock != 0 {
      shift = Self.shift(message, boottime)
    }
    guard let shift else {
      unknownClock += 1
      return
    }
    if message.flag(Field.lostEvents) == true { lossCount += 1 }
    let bundle = Bundle(
      bytes: context.bytes, processor: message[Field.cpu]?.number ?? 0, shift: shift,
      start: max(
        message.integer(Field.previousBundleEndTimestamp) ?? 0,
        message.integer(Field.lastReadEventTimestamp) ?? 0, 0),
      symbols: context.state.names[.kernelSymbol] ?? [:])
    if let compact = message.message(Field.compactSched) {
      takeCompact(compact, bundle, into: &recording)
    }
    for value in message.all(Field.event) {
      if let range = value.range { takeEvent(range, bundle, into: &recording) }
    }
  }

  /// Emits the held events.
  mutating func finish(into recording: inout PerfettoRecording) {
    order.finish { recording.consume($0, $1) }
  }

  private mutating func add(
    _ content: FtraceOrder.Content, at time: Int64, by thread: Int64,
    to recording: inout PerfettoRecording
  ) {
    order.consume(.init(time: time, thread: thread, content: content)) {
      recording.consume($0, $1)
    }
  }

  /// The offset of a bundle on an ftrace clock, which states one instant both on that clock and as a time since boot.
  private static func shift(_ message: ProtobufMessage, _ boottime: Int64?) -> Int64? {
    guard let own = message.integer(Field.ftraceTimestamp),
      let boot = message.integer(Field.bootTimestamp), let boottime
    else {
      return nil
    }
    let distance = boot.subtractingReportingOverflow(own)
    let sum = distance.partialValue.addingReportingOverflow(boottime)
    return distance.overflow || sum.overflow ? nil : sum.partialValue
  }

  private mutating func takeEvent(
    _ range: Range<Int>, _ bundle: Bundle, into recording: inout PerfettoRecording
  ) {
    let bytes = bundle.bytes.span
    var fields = ProtobufFields(range)
    var timestamp: Int64?
    var thread: Int64 = 0
    var event: (field: Int, range: Range<Int>)?
    while let value = fields.next(bytes) {
      switch fields.number {
      case Event.timestamp: timestamp = value.signed
      case Event.pid: thread = value.signed ?? 0
      default: if let range = value.range { event = (fields.number, range) }
      }
    }
    guard let raw = timestamp, raw >= bundle.start, let event else {
      if timestamp == nil { broken += 1 }
      return
    }
    guard let time = Self.time(raw, bundle) else { return note() }
    // In many traces, most events are prints, so the fields of prints are not collected.
    if event.field == Event.print {
      guard let text = Self.printedText(bytes, event.range),
        let mark = recording.marks.read(bytes, text)
      else { return }
      return add(.mark(mark), at: time, by: thread, to: &recording)
    }
    takeContent(event.field, event.range, at: time, by: thread, bundle, into: &recording)
  }

  /// Reads an event other than a print.
  private mutating func takeContent(
    _ field: Int, _ range: Range<Int>, at time: Int64, by thread: Int64, _ bundle: Bundle,
    into recording: inout PerfettoRecording
  ) {
    // Fields are collected only for the few kinds that are read.
    let content = { ProtobufMessage(bundle.bytes, range) }
    switch field {
    case Event.schedSwitch:
      let content = content()
      guard let next = content.integer(Switch.nextPID) else { return note() }
      let change = FtraceOrder.Change(
        from: content.integer(Switch.prevPID), bits: content.integer(Switch.prevState) ?? 0,
        next: next, priority: content.integer(Switch.nextPrio),
        name: name(content, Switch.nextComm, bundle), processor: bundle.processor)
      add(.change(change), at: time, by: thread, to: &recording)
      running[bundle.processor] = next
    case Event.schedWaking:
      let content = content()
      guard let woken = content.integer(PerfettoSchema.SchedWakingFtraceEvent.pid) else {
        return note()
      }
      add(
        .waking(
          thread: woken, priority: content.integer(PerfettoSchema.SchedWakingFtraceEvent.prio)),
        at: time, by: thread, to: &recording)
    case Event.cpuFrequency:
      typealias Clock = PerfettoSchema.CpuFrequencyFtraceEvent
      let content = content()
      guard let rate = content.integer(Clock.state) else { return note() }
      add(
        .clock(processor: content.integer(Clock.cpuID) ?? 0, rate: rate), at: time, by: thread,
        to: &recording)
    case Event.schedBlockedReason:
      typealias Reason = PerfettoSchema.SchedBlockedReasonFtraceEvent
      let content = content()
      guard let woken = content.integer(Reason.pid) else { return note() }
      // Without symbols, the caller is an address, which gives no information.
      let function = (content[Reason.caller]?.number).flatMap { bundle.symbols[$0] }
        .map { order.names.number($0) }
      add(
        .blockedReason(
          thread: woken, function: function, isForDisk: content.flag(Reason.ioWait) == true),
        at: time, by: thread, to: &recording)
    case Event.binderTransaction:
      typealias Transaction = PerfettoSchema.BinderTransactionFtraceEvent
      let content = content()
      guard let number = content.integer(Transaction.debugID) else { return note() }
      let transaction = BinderCalls.Transaction(
        number: number, isReply: content.integer(Transaction.reply) ?? 0 != 0,
        flags: content.integer(Transaction.flags) ?? 0,
        receiver: content.integer(Transaction.toThread) ?? 0)
      add(.binderSent(transaction), at: time, by: thread, to: &recording)
    case Event.binderTransactionReceived:
      typealias Received = PerfettoSchema.BinderTransactionReceivedFtraceEvent
      guard let number = content().integer(Received.debugID) else { return note() }
      add(.binderReceived(number: number), at: time, by: thread, to: &recording)
    case Event.drmVblankEvent: takeRefresh(content(), at: time, bundle, into: &recording)
    case Event.drmRunJob...Event.dmaFenceWaitEnd, Event.drmSchedJobDone, Event.drmSchedJobRun:
      guard let content = fence(field, content(), bundle) else { return note() }
      add(content, at: time, by: thread, to: &recording)
    default: unreadCount += 1
    }
  }

  /// The text of a `PrintFtraceEvent`.
  private static func printedText(_ bytes: Span<UInt8>, _ event: Range<Int>) -> Range<Int>? {
    var fields = ProtobufFields(event)
    var text: Range<Int>?
    while let value = fields.next(bytes) {
      if fields.number == PerfettoSchema.PrintFtraceEvent.buf { text = value.range }
    }
    return text
  }

  private mutating func note() { broken += 1 }

  /// Reads a refresh. Newer kernels state the time of the refresh; the event itself comes from the interrupt after it.
  private mutating func takeRefresh(
    _ content: ProtobufMessage, at time: Int64, _ bundle: Bundle,
    into recording: inout PerfettoRecording
  ) {
    guard let number = content.integer(Vblank.seq) else { return note() }
    let stated = content.integer(Vblank.time).flatMap { stated -> Int64? in
      // Some kernels state the time on the monotonic clock; a time off by more than a second is not usable.
      stated > 0 && (stated &+ bundle.shift &- time).magnitude < 1_000_000_000
        ? stated &+ bundle.shift : nil
    }
    recording.refreshes[content[Vblank.crtc]?.number ?? 0, default: NumberedRefreshes()]
      .set(number, to: stated ?? time)
  }
}

extension PerfettoFtrace {
  /// The content of a GPU job or fence event; `nil` if it does not name its fence.
  private mutating func fence(
    _ field: Int, _ content: ProtobufMessage, _ bundle: Bundle
  ) -> FtraceOrder.Content? {
    switch field {
    case Event.drmRunJob:
      typealias Job = PerfettoSchema.DrmRunJobFtraceEvent
      guard let address = content[Job.fence]?.number else { return nil }
      return .jobRun(
        identifier: content.integer(Job.id) ?? 0,
        ring: ring(content, Job.name, bundle),
        fence: .address(address))
    case Event.drmSchedProcessJob:
      return (content[PerfettoSchema.DrmSchedProcessJobFtraceEvent.fence]?.number).map {
        .jobDone(fence: .address($0))
      }
    case Event.drmSchedJobDone:
      typealias Job = PerfettoSchema.DrmSchedJobDoneFtraceEvent
      guard let context = content[Job.fenceContext]?.number,
        let number = content[Job.fenceSeqno]?.number
      else { return nil }
      return .jobDone(fence: .number(context: context, number))
    case Event.drmSchedJobRun:
      typealias Job = PerfettoSchema.DrmSchedJobRunFtraceEvent
      guard let context = content[Job.fenceContext]?.number,
        let number = content[Job.fenceSeqno]?.number
      else { return nil }
      return .jobRun(
        identifier: Int64(truncatingIfNeeded: number),
        ring: ring(content, Job.name, bundle),
        fence: .number(context: context, number))
    default:
      guard let number = content.integer(Fence.seqno), let step = Self.steps[field] else {
        return nil
      }
      return .fence(
        step, context: content.integer(Fence.context) ?? 0, number: number,
        timeline: name(content, Fence.timeline, bundle) ?? name(content, Fence.driver, bundle)
          ?? order.names.number("a timeline"))
    }
  }

  /// The number of the name in a field; `nil` without that field.
  private mutating func name(
    _ content: ProtobufMessage, _ field: Int, _ bundle: Bundle
  ) -> Int? {
    content[field]?.range.map { order.names.number(bundle.bytes.span, $0) }
  }

  /// The number of the name of a job's ring.
  private mutating func ring(_ content: ProtobufMessage, _ field: Int, _ bundle: Bundle) -> Int {
    name(content, field, bundle) ?? order.names.number("GPU")
  }

  private static let steps: [Int: FtraceOrder.FenceStep] = [
    Event.dmaFenceInit: .began, Event.dmaFenceSignaled: .signaled,
    Event.dmaFenceWaitStart: .waitBegan, Event.dmaFenceWaitEnd: .waitEnded,
  ]

  /// Reads the packed arrays of `CompactSched`, with a number for each event and times as deltas.
  private mutating func takeCompact(
    _ compact: ProtobufMessage, _ bundle: Bundle, into recording: inout PerfettoRecording
  ) {
    let names = compact.all(Compact.internTable).compactMap(\.range)
    // A name is numbered only when it is used, because a bundle can list any name.
    var numbers = [Int?](repeating: nil, count: names.count)
    let array = { (field: Int) in Self.numbers(compact, field, bundle.bytes) }
    let (times, states, threads) = (
      array(Compact.switchTimestamp), array(Compact.switchPrevState), array(Compact.switchNextPID)
    )
    let (priorities, nameNumbers) = (
      array(Compact.switchNextPrio), array(Compact.switchNextCommIndex)
    )
    let wakings = (
      times: array(Compact.wakingTimestamp), threads: array(Compact.wakingPID),
      priorities: array(Compact.wakingPrio)
    )
    var switches: [(time: Int64, position: Int)] = []
    var time: Int64 = 0
    for (position, step) in times.enumerated() {
      time = time &+ step
      switches.append((time, position))
    }
    var wakes: [(time: Int64, position: Int)] = []
    time = 0
    for (position, step) in wakings.times.enumerated() {
      time = time &+ step
      wakes.append((time, position))
    }
    // Both lists are from one processor and ordered by time.
    var nextWake = 0
    for (raw, position) in switches {
      while nextWake < wakes.count, wakes[nextWake].time <= raw {
        takeWake(wakes[nextWake], wakings.threads, wakings.priorities, bundle, &recording)
        nextWake += 1
      }
      guard position < threads.count, raw >= bundle.start, let time = Self.time(raw, bundle) else {
        continue
      }
      let listed =
        position < nameNumbers.count ? Int(truncatingIfNeeded: nameNumbers[position]) : -1
      var name: Int?
      if names.indices.contains(listed) {
        name = numbers[listed] ?? order.names.number(bundle.bytes.span, names[listed])
        numbers[listed] = name
      }
      let change = FtraceOrder.Change(
        from: running[bundle.processor], bits: position < states.count ? states[position] : 0,
        next: threads[position], priority: position < priorities.count ? priorities[position] : nil,
        name: name, processor: bundle.processor)
      add(.change(change), at: time, by: change.from ?? 0, to: &recording)
      running[bundle.processor] = threads[position]
    }
    for wake in wakes[nextWake...] {
      takeWake(wake, wakings.threads, wakings.priorities, bundle, &recording)
    }
  }

  private mutating func takeWake(
    _ wake: (time: Int64, position: Int), _ threads: [Int64], _ priorities: [Int64],
    _ bundle: Bundle, _ recording: inout PerfettoRecording
  ) {
    guard wake.position < threads.count, wake.time >= bundle.start,
      let time = Self.time(wake.time, bundle)
    else { return }
    add(
      .waking(
        thread: threads[wake.position],
        priority: wake.position < priorities.count ? priorities[wake.position] : nil),
      at: time, by: running[bundle.processor] ?? 0, to: &recording)
  }

  private static func time(_ raw: Int64, _ bundle: Bundle) -> Int64? {
    let (time, overflow) = raw.addingReportingOverflow(bundle.shift)
    return overflow || time.magnitude > Timestamp.bound ? nil : time
  }

  /// The numbers of a repeated field, packed or unpacked.
  private static func numbers(
    _ message: ProtobufMessage, _ field: Int, _ bytes: [UInt8]
  ) -> [Int64] {
    var numbers: [Int64] = []
    for value in message.all(field) {
      if let range = value.range {
        numbers += ProtobufNumbers.all(bytes, range)
      } else if let number = value.signed {
        numbers.append(number)
      }
    }
    return numbers
  }
}
