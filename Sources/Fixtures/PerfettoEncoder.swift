package import FrameKit

/// Writes traces like Perfetto: SurfaceFlinger's frame timeline with the display's refreshes, the threads' work on
/// frames, and inputs with the frames they were dispatched for.
package struct PerfettoEncoder: TraceEncoder {
  package let name = "perfetto"
  package let importer = "perfetto"

  package init() {}

  package func whyNot(_ trace: Trace) -> String? {
    let surfaces = trace.surfaces.filter { $0.frames.count > 0 }
    guard surfaces.count == 1, let frames = surfaces.first?.frames else {
      return "the format needs exactly one surface with frames"
    }
    guard frames.has(.appStart), frames.has(.queued), frames.has(.displayed) else {
      return "a timeline frame needs its start, queue and display times"
    }
    let isWhole = (0..<frames.count).allSatisfy {
      frames[$0, .appStart] != nil && frames[$0, .queued] != nil
    }
    guard isWhole else { return "a timeline frame needs its start and queue times" }
    return frames.isShownUnevenly && !Self.isInOrder(frames)
      ? "on Android the GPU finishes a frame before the compositor takes it, so late frames would be attributed differently"
      : nil
  }

  package func whyMisread(_ trace: Trace) -> String? {
    trace.displays.contains { $0.isVariable == true }
      ? "the format cannot represent a display that waits for frames" : nil
  }

  /// Whether every frame was queued before the compositor took it.
  private static func isInOrder(_ frames: Table<FrameColumn>) -> Bool {
    (0..<frames.count).allSatisfy { row in
      guard let queued = frames[row, .queued], let start = frames[row, .compositorStart] else {
        return true
      }
      return queued <= start
    }
  }

  package func encode(_ trace: Trace) -> [UInt8] {
    guard let position = trace.surfaces.firstIndex(where: { $0.frames.count > 0 }) else {
      return []
    }
    var encoding = PerfettoEncoding(trace, position)
    encoding.addAll()
    return encoding.file.bytes
  }
}

/// A trace being written, packet by packet.
private struct PerfettoEncoding {
  private typealias Proto = PerfettoSchema
  private typealias Timeline = PerfettoSchema.FrameTimelineEvent

  private(set) var file = ProtobufText()
  private let trace: Trace
  private let surface: Surface
  private let position: Int
  private var cookie: Int64 = 0

  private static let compositor: Int64 = 480

  init(_ trace: Trace, _ position: Int) {
    self.trace = trace
    self.position = position
    surface = trace.surfaces[position]
  }

  private var process: Int64 {
    surface.processID.map(Int64.init) ?? SchedulerLog.process(of: surface, in: trace) ?? 1000
  }
  private var layer: String { surface.name ?? surface.id }
  private var frames: Table<FrameColumn> { surface.frames }

  /// The token of the app's frame; the display's frame has a different one.
  private func token(_ row: Int) -> Int64 { Int64(row) * 2 + 1001 }

  mutating func addAll() {
    let log = SchedulerLog(trace)
    addClocks()
    addProcesses(log?.threads ?? [])
    for row in 0..<frames.count { addFrame(row) }
    addKernelEvents()
    if let log { add(log) }
    addInputs()
  }

  private mutating func packet(at time: Int64?, _ body: (inout ProtobufText) -> Void) {
    file.add(Proto.Trace.packet) { packet in
      if let time { packet.add(Proto.TracePacket.timestamp, time) }
      body(&packet)
    }
  }

  /// Declares that the monotonic clock, which inputs use, is equal to the boot-time clock.
  private mutating func addClocks() {
    packet(at: nil) { packet in
      packet.add(Proto.TracePacket.clockSnapshot) { snapshot in
        for clock in [3, 6] as [Int64] {
          snapshot.add(Proto.ClockSnapshot.clocks) {
            $0.add(Proto.ClockSnapshot.Clock.clockID, clock)
            $0.add(Proto.ClockSnapshot.Clock.timestamp, 1)
          }
        }
      }
    }
  }

  /// - Parameter threads: The threads that the kernel's log names.
  private mutating func addProcesses(_ threads: [SchedulerLog.Thread]) {
    var names = [process: surface.process ?? "app", Self.compositor: "surfaceflinger"]
    for thread in threads {
      if let name = thread.processName { names[thread.process] = name }
    }
    packet(at: nil) { packet in
      packet.add(Proto.TracePacket.processTree) { tree in
        for (identifier, name) in names.sorted(by: { $0.key < $1.key }) {
          tree.add(Proto.ProcessTree.processes) {
            $0.add(Proto.ProcessTree.Process.pid, identifier)
            $0.add(Proto.ProcessTree.Process.cmdline, name)
          }
        }
        for thread in threads {
          tree.add(Proto.ProcessTree.threads) {
            $0.add(Proto.ProcessTree.Thread.tid, thread.number)
            if let name = thread.name { $0.add(Proto.ProcessTree.Thread.name, name) }
            $0.add(Proto.ProcessTree.Thread.tgid, thread.process)
          }
        }
      }
    }
  }

  private mutating func slice(
    from start: Int64, to end: Int64?, _ field: Int, _ body: (inout ProtobufText) -> Void
  ) {
    cookie += 1
    let own = cookie
    packet(at: start) { packet in
      packet.add(Proto.TracePacket.frameTimelineEvent) { event in
        event.add(field) { start in
          start.add(Timeline.Frame.cookie, own)
          body(&start)
        }
      }
    }
    guard let end else { return }
    packet(at: end) { packet in
      packet.add(Proto.TracePacket.frameTimelineEvent) {
        $0.add(Timeline.frameEnd) { $0.add(Timeline.Frame.cookie, own) }
      }
    }
  }

  /// SurfaceFlinger's verdict on a frame, as the bits of its jank types.
  private func jank(_ row: Int) -> Int64 {
    switch frames[row, .verdict].flatMap(FrameColumn.StatedVerdict.init) {
    case .app: 64
    case .compositor: 16
    case .gpu: 32
    case .display: 8
    case .late: 256
    case .onTime, .partial: 1
    case .dropped: 1024
    // The trace states no verdict for this frame.
    case nil: frames[row, .displayed] == nil ? 1024 : 0
    }
  }

  private mutating func addFrame(_ row: Int) {
    guard let start = frames[row, .appStart], let queued = frames[row, .queued] else { return }
    let (token, display, process, layer) = (token(row), token(row) + 1, process, layer)
    let (displayed, jank) = (frames[row, .displayed], jank(row))
    let surface = { (message: inout ProtobufText) in
      message.add(Timeline.Frame.token, token)
      message.add(Timeline.SurfaceFrame.displayFrameToken, display)
      message.add(Timeline.SurfaceFrame.pid, process)
      message.add(Timeline.SurfaceFrame.layerName, layer)
    }
    if let deadline = frames[row, .deadline] {
      slice(from: min(start, deadline), to: deadline, Timeline.expectedSurfaceFrameStart, surface)
    }
    slice(from: start, to: queued, Timeline.actualSurfaceFrameStart) { message in
      surface(&message)
      message.add(Timeline.SurfaceFrame.presentType, displayed == nil ? 4 : 1)
      message.add(Timeline.SurfaceFrame.jankType, jank)
    }
    guard let displayed else { return }
    let compositor = { (message: inout ProtobufText) in
      message.add(Timeline.Frame.token, display)
      message.add(Timeline.DisplayFrame.pid, Self.compositor)
    }
    let begun = frames[row, .compositorStart] ?? displayed
    if let expected = frames[row, .expectedDisplay] {
      // The app's time ends where the compositor must begin.
      slice(
        from: frames[row, .deadline].map { min($0, expected) } ?? min(begun, expected),
        to: expected, Timeline.expectedDisplayFrameStart, compositor)
    }
    slice(from: begun, to: displayed, Timeline.actualDisplayFrameStart) { message in
      compositor(&message)
      message.add(Timeline.DisplayFrame.presentType, 1)
      message.add(Timeline.DisplayFrame.jankType, 1)
    }
  }

  /// The number of rows in a bundle: the kernel's buffers are emptied from time to time.
  private static let bundle = 256

  /// Writes refreshes as interrupts, and the threads' work on frames as marks.
  private mutating func addKernelEvents() {
    let facts = self
    let refreshes = surface.display.map { trace.displays[$0].refreshes }
    for rows in Self.parts(of: refreshes?.count ?? 0) {
      addBundle { bundle in
        for row in rows {
          guard let time = refreshes?[row, .time] else { continue }
          bundle.add(Proto.FtraceEventBundle.event) { event in
            event.add(Proto.FtraceEvent.timestamp, time)
            event.add(Proto.FtraceEvent.pid, 0)
            event.add(Proto.FtraceEvent.drmVblankEvent) { vblank in
              vblank.add(Proto.DrmVblankEventFtraceEvent.crtc, 0)
              vblank.add(
                Proto.DrmVblankEventFtraceEvent.seq, refreshes?[row, .number] ?? Int64(row))
            }
          }
        }
      }
    }
    for rows in Self.parts(of: frames.count) {
      addBundle { bundle in
        for row in rows {
          let token = facts.token(row)
          facts.mark(row, "DrawFrames \(token)", .appStart, .appEnd, facts.process, into: &bundle)
          facts.mark(
            row, "composite \(token + 1)", .compositorStart, .compositorEnd,
            Self.compositor, into: &bundle)
        }
      }
    }
  }

  private static func parts(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: bundle).map { $0..<min($0 + bundle, count) }
  }

  private mutating func addBundle(_ body: (inout ProtobufText) -> Void) {
    packet(at: nil) { packet in
      packet.add(Proto.TracePacket.ftraceEvents) { bundle in
        bundle.add(Proto.FtraceEventBundle.cpu, 0)
        body(&bundle)
      }
    }
  }

  private func mark(
    _ row: Int, _ name: String, _ start: FrameColumn, _ end: FrameColumn, _ process: Int64,
    into bundle: inout ProtobufText
  ) {
    guard let start = frames[row, start], let end = frames[row, end] else { return }
    for (time, text) in [
      (start, "S|\(process)|\(name)|\(row)\n"), (end, "F|\(process)|\(name)|\(row)\n"),
    ] {
      bundle.add(Proto.FtraceEventBundle.event) { event in
        event.add(Proto.FtraceEvent.timestamp, time)
        event.add(Proto.FtraceEvent.pid, process)
        event.add(Proto.FtraceEvent.print) { $0.add(Proto.PrintFtraceEvent.buf, text) }
      }
    }
  }

  /// Writes the scheduler's events and slices, in separate bundles for each processor. Kernel functions are numbered by
  /// interned symbols.
  private mutating func add(_ log: SchedulerLog) {
    var symbols: [String: Int64] = [:]
    for case .blockedReason(_, let function, _) in log.events.map(\.content)
    where symbols[function] == nil {
      symbols[function] = Int64(symbols.count) + 1
    }
    packet(at: nil) { packet in
      packet.add(Proto.TracePacket.sequenceFlags, 1)
      packet.add(Proto.TracePacket.internedData) { data in
        for (name, number) in symbols.sorted(by: { $0.value < $1.value }) {
          data.add(Proto.InternedData.kernelSymbols) {
            $0.add(Proto.InternedEntry.iid, number)
            $0.add(Proto.InternedEntry.name, name)
          }
        }
      }
    }
    let names = Dictionary(log.threads.map { ($0.number, $0.name) }) { first, _ in first }
    var start = 0
    while start < log.events.count {
      let processor = log.events[start].processor
      let end = log.events[start...].firstIndex { $0.processor != processor } ?? log.events.count
      packet(at: nil) { packet in
        packet.add(Proto.TracePacket.ftraceEvents) { bundle in
          bundle.add(Proto.FtraceEventBundle.cpu, processor)
          for event in log.events[start..<end] {
            bundle.add(Proto.FtraceEventBundle.event) { message in
              message.add(Proto.FtraceEvent.timestamp, event.time)
              message.add(Proto.FtraceEvent.pid, event.thread)
              Self.write(event, to: &message, names, symbols)
            }
          }
        }
      }
      start = end
    }
  }

  private static func write(
    _ event: SchedulerLog.Event, to message: inout ProtobufText, _ names: [Int64: String?],
    _ symbols: [String: Int64]
  ) {
    switch event.content {
    case .change(let from, let left, let next):
      message.add(Proto.FtraceEvent.schedSwitch) {
        $0.add(Proto.SchedSwitchFtraceEvent.prevPID, from)
        $0.add(Proto.SchedSwitchFtraceEvent.prevState, left.bits)
        if let name = names[next].flatMap(\.self) {
          $0.add(Proto.SchedSwitchFtraceEvent.nextComm, name)
        }
        $0.add(Proto.SchedSwitchFtraceEvent.nextPID, next)
        $0.add(Proto.SchedSwitchFtraceEvent.nextPrio, 120)
      }
    case .waking(let thread):
      message.add(Proto.FtraceEvent.schedWaking) {
        $0.add(Proto.SchedWakingFtraceEvent.pid, thread)
        $0.add(Proto.SchedWakingFtraceEvent.prio, 120)
      }
    case .blockedReason(let thread, let function, let isForDisk):
      message.add(Proto.FtraceEvent.schedBlockedReason) {
        $0.add(Proto.SchedBlockedReasonFtraceEvent.pid, thread)
        $0.add(Proto.SchedBlockedReasonFtraceEvent.caller, symbols[function] ?? 0)
        $0.add(Proto.SchedBlockedReasonFtraceEvent.ioWait, isForDisk ? 1 : 0)
      }
    case .clock(let rate):
      message.add(Proto.FtraceEvent.cpuFrequency) {
        $0.add(Proto.CpuFrequencyFtraceEvent.state, rate)
        $0.add(Proto.CpuFrequencyFtraceEvent.cpuID, event.processor)
      }
    case .binderSent(let number, let receiver):
      message.add(Proto.FtraceEvent.binderTransaction) {
        $0.add(Proto.BinderTransactionFtraceEvent.debugID, number)
        $0.add(Proto.BinderTransactionFtraceEvent.toThread, receiver ?? 0)
        $0.add(Proto.BinderTransactionFtraceEvent.reply, receiver == nil ? 0 : 1)
        $0.add(Proto.BinderTransactionFtraceEvent.flags, 16)
      }
    case .binderReceived(let number):
      message.add(Proto.FtraceEvent.binderTransactionReceived) {
        $0.add(Proto.BinderTransactionReceivedFtraceEvent.debugID, number)
      }
    case .beginSlice(let process, let name):
      message.add(Proto.FtraceEvent.print) {
        $0.add(Proto.PrintFtraceEvent.buf, "B|\(process)|\(name)\n")
      }
    case .endSlice(let process):
      message.add(Proto.FtraceEvent.print) {
        $0.add(Proto.PrintFtraceEvent.buf, "E|\(process)\n")
      }
    }
  }

  private mutating func addInputs() {
    let touches = trace.touches
    for row in 0..<touches.count {
      guard touches[row, .kind] ?? 0 == TouchColumn.Kind.main.rawValue,
        let made = touches[row, .scanStart]
      else { continue }
      let identifier = UInt32(row + 1)
      packet(at: touches[row, .delivered] ?? made) { packet in
        packet.add(Proto.TracePacket.winscopeExtensions) { extensions in
          extensions.add(Proto.WinscopeExtensions.androidInputEvent) { event in
            event.add(Proto.AndroidInputEvent.dispatcherMotionEvent) { motion in
              motion.add(Proto.AndroidMotionEvent.eventID, fixed: identifier)
              // 0 is not a valid event time.
              motion.add(Proto.AndroidMotionEvent.eventTimeNanos, max(1, made))
              motion.add(Proto.AndroidMotionEvent.source, 0x1002)
            }
          }
        }
      }
      guard let frame = touches[row, .frame], touches[row, .surface] ?? 0 == Int64(position) else {
        continue
      }
      let token = token(Int(frame))
      packet(at: touches[row, .delivered] ?? made) { packet in
        packet.add(Proto.TracePacket.winscopeExtensions) { extensions in
          extensions.add(Proto.WinscopeExtensions.androidInputEvent) { event in
            event.add(Proto.AndroidInputEvent.dispatcherWindowDispatchEvent) { dispatch in
              dispatch.add(
                Proto.AndroidWindowInputDispatchEvent.eventID, fixed: identifier)
              dispatch.add(Proto.AndroidWindowInputDispatchEvent.vsyncID, token)
            }
          }
        }
      }
    }
  }
}
