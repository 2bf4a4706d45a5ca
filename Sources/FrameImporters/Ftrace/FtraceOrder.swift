/// Puts the kernel's events in order of time, in bounded memory.
///
/// Perfetto writes the events of each processor in bundles of their own, so that a thread that moves from
/// one processor to another would otherwise be seen to end what it has yet to begin. Linux,
/// `Documentation/trace/ring-buffer-design.rst`: there is a buffer for each processor.
struct FtraceOrder {
  /// An event that is held back until those before it have come.
  struct Event {
    let time: Int64
    /// The thread that caused it.
    let thread: Int64
    let content: Content
  }

  /// What an event says.
  enum Content {
    case mark(String)
    case change(Change)
    case waking(thread: Int64, priority: Int64?)
    case jobRun(identifier: Int64, ring: String, fence: FenceEvents.JobFence)
    case jobDone(fence: FenceEvents.JobFence)
    case fence(FenceStep, FenceEvents.Fence)
  }

  /// A processor's change from one thread to another.
  struct Change {
    let from: Int64?
    /// The bits of the state that the thread is left in.
    let bits: Int64
    let next: Int64
    let priority: Int64?
    let name: String?
  }

  /// What happens to a fence.
  enum FenceStep { case began, signaled, waitBegan, waitEnded }

  /// How many events are held at most: processors are written out a second or so apart, at up to a few
  /// hundred thousand events a second.
  private let capacity: Int
  private var held: [Event] = []
  private var last = Int64.min
  /// Events that came after a later one had been given out.
  private(set) var lateCount = 0

  init(capacity: Int = 1 << 20) { self.capacity = max(2, capacity) }

  /// Takes an event, and gives out the earlier half of those held when there is no room for it.
  /// - Complexity: O(log n) for each event, n being how many are held; O(1) where they come in order.
  mutating func take(_ event: Event, _ give: (Event) -> Void) {
    if held.count == capacity { giveOut(capacity / 2, give) }
    held.append(event)
  }

  /// Gives out what is held.
  mutating func finish(_ give: (Event) -> Void) { giveOut(held.count, give) }

  private mutating func giveOut(_ count: Int, _ give: (Event) -> Void) {
    // Those of one time stay in the order in which they came.
    let order = held.indices.sorted { (held[$0].time, $0) < (held[$1].time, $1) }
    for place in order.prefix(count) {
      let event = held[place]
      if event.time < last { lateCount += 1 }
      last = max(last, event.time)
      give(event)
    }
    held = order.dropFirst(count).map { held[$0] }
  }
}
