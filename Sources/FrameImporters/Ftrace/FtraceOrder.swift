import FrameTrace

/// Puts the kernel's events in order of time, in bounded memory.
///
/// Perfetto writes the events of each processor in separate bundles. Without sorting, a thread that
/// moves between processors could appear to end what it has yet to begin. Linux,
/// `Documentation/trace/ring-buffer-design.rst`: each processor has its own buffer.
struct FtraceOrder {
  /// An event held back until earlier events have arrived. Strings are stored as numbers in `names`, so that an event
  /// can be moved as plain bytes.
  struct Event {
    let time: Int64
    /// The thread that caused the event.
    let thread: Int64
    let content: Content
  }

  /// The content of an event.
  enum Content {
    case mark(AtraceMark)
    case change(Change)
    case waking(thread: Int64, priority: Int64?)
    /// Where in the kernel a woken thread waited; `nil` if the trace has no name for the function.
    case blockedReason(thread: Int64, function: Int?, isForDisk: Bool)
    /// The clock rate of a processor from this event on, in kHz.
    case clock(processor: Int64, rate: Int64)
    case binderSent(BinderCalls.Transaction)
    case binderReceived(number: Int64)
    case jobRun(identifier: Int64, ring: Int, fence: FenceEvents.JobFence)
    case jobDone(fence: FenceEvents.JobFence)
    case fence(FenceStep, context: Int64, number: Int64, timeline: Int)
  }

  /// A processor's change from one thread to another.
  struct Change {
    let from: Int64?
    /// The state of the thread that is switched out: its low bits, and whether other bits are set.
    let state: Int16
    let next: Int64
    let priority: Int32?
    /// The name of the next thread.
    let name: Int32?
    let processor: Int64

    /// - Parameters:
    ///   - bits: The state bits of the thread that is switched out.
    ///   - name: The number of the next thread's name.
    init(
      from: Int64?, bits: Int64, next: Int64, priority: Int64?, name: Int?, processor: UInt64
    ) {
      (self.from, self.next) = (from, next)
      state = Int16(bits & 0xff) | (bits & ~0xff == 0 ? 0 : 0x100)
      self.priority = priority.map(Int32.init(clamping:))
      self.name = name.map(Int32.init(clamping:))
      self.processor = Int64(clamping: processor)
    }
  }

  /// What happens to a fence.
  enum FenceStep { case began, signaled, waitBegan, waitEnded }

  /// The maximum number of events held. Processors are written about a second apart, at up to a few hundred thousand
  /// events per second.
  private let capacity: Int
  /// The strings that events refer to.
  var names = NumberedNames()
  private var held = PieceList<Event>()
  private var last = Int64.min
  /// The number of events that arrived after a later event had been emitted.
  private(set) var lateCount = 0

  init(capacity: Int = 1 << 20) { self.capacity = max(2, capacity) }

  /// Consumes an event; if there is no room, first emits the earlier half of the held events.
  /// - Parameter give: Receives an event and the strings that it refers to.
  /// - Complexity: O(log n) per event for n held events; O(1) if they arrive in order.
  mutating func consume(_ event: Event, _ give: (Event, [String]) -> Void) {
    if held.count == capacity { giveOut(capacity / 2, give) }
    held.append(event)
  }

  /// Emits the held events.
  mutating func finish(_ give: (Event, [String]) -> Void) { giveOut(held.count, give) }

  private mutating func giveOut(_ count: Int, _ give: (Event, [String]) -> Void) {
    // Events with the same time keep their order of arrival.
    let isInOrder = zip(held, held.dropFirst()).allSatisfy { $0.time <= $1.time }
    let order =
      isInOrder
      ? Array(held.indices) : held.indices.sorted { (held[$0].time, $0) < (held[$1].time, $1) }
    for position in order.prefix(count) {
      let event = held[position]
      if event.time < last { lateCount += 1 }
      last = max(last, event.time)
      give(event, names.names)
    }
    var rest = PieceList<Event>()
    for position in order.dropFirst(count) { rest.append(held[position]) }
    held = rest
  }
}
