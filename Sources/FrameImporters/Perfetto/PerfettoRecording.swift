import FrameTrace

/// The contents of a trace's packets, before they are assembled.
struct PerfettoRecording {
  var timeline = PerfettoTimeline()
  var buffers = PerfettoBuffers()
  var gpu = PerfettoGPU()
  var inputs = PerfettoInputs()
  var evdev = PerfettoEvdev()
  var processes = PerfettoProcesses()
  /// Refreshes by CRTC, timed by interrupts or by timestamps from the hardware.
  var refreshes: [UInt64: NumberedRefreshes] = [:]
  var marks = AtraceMarks()
  var threads = SchedEvents()
  var binder = BinderCalls()
  var fences = FenceEvents()
  var log = IssueLog()

  /// The context in which a part of a packet is read.
  struct Context {
    let bytes: [UInt8]
    let range: Range<Int>
    /// On the main clock; `nil` for packets without a time.
    let time: Int64?
    let state: PerfettoSequences.State

    var message: ProtobufMessage { ProtobufMessage(bytes, range) }
  }

  private typealias Packet = PerfettoSchema.TracePacket
  private typealias Reader = @Sendable (Context, inout PerfettoRecording) -> Void

  /// The reader of each part of a packet, by field number.
  private static let readers: [Int: Reader] = [
    Packet.processTree: { $1.processes.consume($0.message) },
    Packet.gpuCounterEvent: { $1.gpu.takeCounters($0) },
    Packet.gpuRenderStageEvent: { $1.gpu.takeStage($0) },
    Packet.graphicsFrameEvent: { $1.buffers.consume($0) },
    Packet.frameTimelineEvent: { $1.timeline.consume($0) },
    Packet.winscopeExtensions: { $1.inputs.consume($0) },
    Packet.evdevEvent: { $1.evdev.consume($0) },
  ]

  /// The same readers, indexed by field number because each packet looks them up.
  private static let readersInOrder: [Reader?] = (0...(readers.keys.max() ?? 0)).map { readers[$0] }

  /// Consumes a part of a packet; skips a part that has no reader.
  mutating func consume(_ field: Int, _ context: Context) {
    guard Self.reads(field) else { return }
    Self.readersInOrder[field]?(context, &self)
  }

  static func reads(_ field: Int) -> Bool {
    readersInOrder.indices.contains(field) && readersInOrder[field] != nil
  }

  /// Consumes a kernel event; events come in order of time.
  /// - Parameter names: The strings that the event refers to.
  mutating func consume(_ event: FtraceOrder.Event, _ names: [String]) {
    let (time, thread) = (event.time, event.thread)
    switch event.content {
    case .mark(let mark): marks.consume(mark, at: time, thread: thread)
    case .change(let change):
      threads.takeSwitch(
        at: time, from: change.from, .init(bits: Int64(change.state)), to: change.next,
        priority: change.priority.map(Int64.init), name: change.name.map { names[Int($0)] },
        on: change.processor)
    case .waking(let woken, let priority):
      threads.takeWaking(at: time, of: woken, by: thread, priority: priority)
    case .blockedReason(let woken, let function, let isForDisk):
      threads.takeReason(of: woken, function.map { names[$0] }, isForDisk: isForDisk)
    case .clock(let processor, let rate): threads.takeClock(at: time, of: processor, rate)
    case .binderSent(let transaction): binder.send(transaction, by: thread, at: time)
    case .binderReceived(let number): binder.receive(number, by: thread, at: time)
    case .jobRun(let identifier, let ring, let fence):
      fences.runJob(identifier, ring: names[ring], fence: fence, at: time)
    case .jobDone(let fence): fences.finishJob(fence: fence, at: time)
    case .fence(let step, let context, let number, let timeline):
      let fence = FenceEvents.Fence(context: context, number: number, timeline: names[timeline])
      switch step {
      case .began: fences.begin(fence, at: time)
      case .signaled: fences.signal(fence, at: time)
      case .waitBegan: fences.beginWait(for: fence, by: thread, at: time)
      case .waitEnded: fences.endWait(for: fence, by: thread, at: time)
      }
    }
  }
}

/// The names of processes and threads.
struct PerfettoProcesses {
  private typealias Tree = PerfettoSchema.ProcessTree

  private(set) var names: [Int64: String] = [:]
  private(set) var threads: [Int64: (process: Int64, name: String?)] = [:]

  /// Reads a `ProcessTree`.
  mutating func consume(_ tree: ProtobufMessage) {
    for process in tree.messages(Tree.processes) {
      guard let identifier = process.integer(Tree.Process.pid) else { continue }
      if let name = process.text(Tree.Process.cmdline) { names[identifier] = name }
    }
    for thread in tree.messages(Tree.threads) {
      guard let identifier = thread.integer(Tree.Thread.tid),
        let process = thread.integer(Tree.Thread.tgid)
      else { continue }
      threads[identifier] = (process, thread.text(Tree.Thread.name))
    }
  }
}
