/// Reads bundles of the kernel's events, one processor's each.
struct PerfettoFtrace {
  /// What the events of a bundle have in common.
  private struct Bundle {
    let bytes: [UInt8]
    let processor: UInt64
    /// What to add to times to get ones of the main clock.
    let shift: Int64
    /// Events before it are of the bundle before.
    let start: Int64
  }

  /// The thread on each processor, by the last switch.
  private var running: [UInt64: Int64] = [:]
  private(set) var broken = 0
  /// Times that the kernel lost events before.
  private(set) var lossCount = 0
  private(set) var unknownClock = 0

  /// Takes an `FtraceEventBundle`.
  /// - Parameter boottime: What to add to times since boot; `nil` where that clock is not joined.
  mutating func take(
    _ context: PerfettoRecording.Context, boottime: Int64?, into recording: inout PerfettoRecording
  ) {
    let message = context.message
    var shift = boottime
    if let clock = message[5]?.number, clock != 0 {
      shift = Self.shift(message, boottime)
    }
    guard let shift else {
      unknownClock += 1
      return
    }
    if message.flag(3) == true { lossCount += 1 }
    let bundle = Bundle(
      bytes: context.bytes, processor: message[1]?.number ?? 0, shift: shift,
      start: max(message.integer(10) ?? 0, message.integer(9) ?? 0, 0))
    if let compact = message.message(4) { takeCompact(compact, bundle, into: &recording) }
    for value in message.all(2) {
      if let range = value.range { takeEvent(range, bundle, into: &recording) }
    }
  }

  /// For a bundle on a clock of the kernel's own: the same instant on that one and since boot.
  private static func shift(_ message: ProtobufMessage, _ boottime: Int64?) -> Int64? {
    guard let own = message.integer(6), let boot = message.integer(8), let boottime else {
      return nil
    }
    let distance = boot.subtractingReportingOverflow(own)
    let sum = distance.partialValue.addingReportingOverflow(boottime)
    return distance.overflow || sum.overflow ? nil : sum.partialValue
  }

  private mutating func takeEvent(
    _ range: Range<Int>, _ bundle: Bundle, into recording: inout PerfettoRecording
  ) {
    var fields = ProtobufFields(bundle.bytes, range)
    var timestamp: Int64?
    var thread: Int64 = 0
    var event: (field: Int, range: Range<Int>)?
    while let value = fields.next() {
      switch fields.number {
      case 1: timestamp = value.signed
      case 2: thread = value.signed ?? 0
      default: if let range = value.range { event = (fields.number, range) }
      }
    }
    guard let raw = timestamp, raw >= bundle.start, let event else {
      if timestamp == nil { broken += 1 }
      return
    }
    let (time, overflow) = raw.addingReportingOverflow(bundle.shift)
    guard !overflow, time.magnitude < 1 << 61 else {
      broken += 1
      return
    }
    let content = { ProtobufMessage(bundle.bytes, event.range) }
    switch event.field {
    case 3:
      if let text = content().text(2) {
        recording.marks.take(text[...], at: time, thread: thread)
      }
    case 4:
      let content = content()
      guard let next = content.integer(6) else { return note() }
      recording.threads.takeSwitch(
        at: time, from: content.integer(2), .init(bits: content.integer(4) ?? 0), to: next,
        priority: content.integer(7), name: content.text(5))
      running[bundle.processor] = next
    case 20:
      let content = content()
      guard let woken = content.integer(2) else { return note() }
      recording.threads.takeWaking(
        at: time, of: woken, by: thread, priority: content.integer(3))
    case 409: takeRefresh(content(), at: time, bundle, into: &recording)
    case 412...418: takeFence(event.field, content(), by: thread, at: time, into: &recording)
    default: break
    }
  }

  private mutating func note() { broken += 1 }

  /// Newer kernels say when the refresh was; the event itself comes from the interrupt behind it.
  private mutating func takeRefresh(
    _ content: ProtobufMessage, at time: Int64, _ bundle: Bundle,
    into recording: inout PerfettoRecording
  ) {
    guard let number = content.integer(3) else { return note() }
    let stated = content.integer(4).flatMap { stated -> Int64? in
      // Stated on the monotonic clock by some; one that is off by more than a second is of no use here.
      stated > 0 && (stated &+ bundle.shift &- time).magnitude < 1_000_000_000
        ? stated &+ bundle.shift : nil
    }
    recording.refreshes[content[1]?.number ?? 0, default: [:]][number] = stated ?? time
  }
}

extension PerfettoFtrace {
  /// Jobs of the GPU, and the fences behind them.
  private mutating func takeFence(
    _ field: Int, _ content: ProtobufMessage, by thread: Int64, at time: Int64,
    into recording: inout PerfettoRecording
  ) {
    switch field {
    case 412:
      guard let fence = content[2]?.number else { return note() }
      recording.fences.runJob(
        content.integer(4) ?? 0, ring: content.text(6) ?? "GPU", fence: fence, at: time)
    case 413:
      guard let fence = content[1]?.number else { return note() }
      recording.fences.finishJob(fence: fence, at: time)
    default:
      guard let number = content.integer(3) else { return note() }
      let fence = FenceEvents.Fence(
        context: content.integer(1) ?? 0, number: number,
        timeline: content.text(4) ?? content.text(2) ?? "a timeline")
      switch field {
      case 414: recording.fences.begin(fence, at: time)
      case 416: recording.fences.signal(fence, at: time)
      case 417: recording.fences.beginWait(for: fence, by: thread, at: time)
      case 418: recording.fences.endWait(for: fence, by: thread, at: time)
      default: break
      }
    }
  }

  /// The packed arrays of `CompactSched`: a number for each event, times as distances.
  private mutating func takeCompact(
    _ compact: ProtobufMessage, _ bundle: Bundle, into recording: inout PerfettoRecording
  ) {
    let names = compact.all(5).compactMap { $0.text(in: bundle.bytes) }
    let array = { (field: Int) in Self.numbers(compact, field, bundle.bytes) }
    let (times, states, threads) = (array(1), array(2), array(3))
    let (priorities, nameNumbers) = (array(4), array(6))
    let wakings = (times: array(7), threads: array(8), priorities: array(10))
    var switches: [(time: Int64, place: Int)] = []
    var time: Int64 = 0
    for (place, step) in times.enumerated() {
      time = time &+ step
      switches.append((time, place))
    }
    var wakes: [(time: Int64, place: Int)] = []
    time = 0
    for (place, step) in wakings.times.enumerated() {
      time = time &+ step
      wakes.append((time, place))
    }
    // Both lists are of one processor, and in order of time.
    var nextWake = 0
    for (raw, place) in switches {
      while nextWake < wakes.count, wakes[nextWake].time <= raw {
        takeWake(wakes[nextWake], wakings.threads, wakings.priorities, bundle, &recording)
        nextWake += 1
      }
      guard place < threads.count, raw >= bundle.start, let time = Self.time(raw, bundle) else {
        continue
      }
      let number = place < nameNumbers.count ? Int(truncatingIfNeeded: nameNumbers[place]) : -1
      recording.threads.takeSwitch(
        at: time, from: running[bundle.processor],
        .init(bits: place < states.count ? states[place] : 0), to: threads[place],
        priority: place < priorities.count ? priorities[place] : nil,
        name: names.indices.contains(number) ? names[number] : nil)
      running[bundle.processor] = threads[place]
    }
    for wake in wakes[nextWake...] {
      takeWake(wake, wakings.threads, wakings.priorities, bundle, &recording)
    }
  }

  private mutating func takeWake(
    _ wake: (time: Int64, place: Int), _ threads: [Int64], _ priorities: [Int64],
    _ bundle: Bundle, _ recording: inout PerfettoRecording
  ) {
    guard wake.place < threads.count, wake.time >= bundle.start,
      let time = Self.time(wake.time, bundle)
    else { return }
    recording.threads.takeWaking(
      at: time, of: threads[wake.place], by: running[bundle.processor] ?? 0,
      priority: wake.place < priorities.count ? priorities[wake.place] : nil)
  }

  private static func time(_ raw: Int64, _ bundle: Bundle) -> Int64? {
    let (time, overflow) = raw.addingReportingOverflow(bundle.shift)
    return overflow || time.magnitude >= 1 << 61 ? nil : time
  }

  /// The numbers of a field that is packed, or written one by one.
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
