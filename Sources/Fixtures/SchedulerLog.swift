import FrameKit

/// The kernel's log of a trace's threads: the scheduler's events and the threads' marks, in the order in which a kernel
/// writes them.
struct SchedulerLog {
  /// A line of the log.
  struct Event {
    let time: Int64
    let processor: Int64
    /// The thread that was running when the line was written; 0 for none.
    let thread: Int64
    let content: Content
  }

  enum Content {
    /// A processor switches from one thread, which is left in a state, to another; 0 stands for no thread.
    case change(from: Int64, Left, to: Int64)
    /// A thread's wait ends.
    case waking(Int64)
    /// The kernel function in which a woken thread waited.
    case blockedReason(Int64, function: String, isForDisk: Bool)
    /// The clock rate of the processor in kHz, from this time on.
    case clock(Int64)
    /// A call to another process, or the reply to the waiting thread.
    case binderSent(Int64, answerTo: Int64?)
    case binderReceived(Int64)
    case beginSlice(process: Int64, String)
    case endSlice(process: Int64)
  }

  /// The state in which a thread leaves its processor, as printed by the kernel and as bits.
  enum Left: String {
    case runnable = "R"
    case preempted = "R+"
    case sleeping = "S"
    case uninterruptible = "D"

    var bits: Int64 {
      switch self {
      case .runnable: 0
      case .sleeping: 1
      case .uninterruptible: 2
      case .preempted: 256
      }
    }
  }

  /// A thread and the number of its process.
  struct Thread {
    let number, process: Int64
    let name: String?
    let processName: String?
  }

  private(set) var events: [Event] = []
  let threads: [Thread]
  private let trace: Trace
  /// When threads start and stop running on processors.
  private var steps: [Position: Step] = [:]
  /// Events with the same time are written in this order: ends of waits and slices, changes, beginnings.
  private var early: [Event] = []
  private var late: [Event] = []
  /// The clock rates of processors, by the times from which they are known.
  private var clocks: [Position: Int64] = [:]

  private struct Position: Hashable {
    let time, processor: Int64
  }

  private struct Step {
    var from: Int64 = 0
    var left = Left.sleeping
    var next: Int64 = 0
  }

  /// The first of the processors to which waits without a known beginning are written.
  private static let spare: Int64 = 15

  /// - Returns: `nil` for a trace without thread states.
  init?(_ trace: Trace) {
    guard trace.threadStates.count > 0 else { return nil }
    self.trace = trace
    threads = Self.threads(of: trace)
    let states = trace.threadStates
    let byThread = Dictionary(grouping: 0..<states.count) { states[$0, .thread] ?? 0 }
    for (thread, rows) in byThread.sorted(by: { $0.key < $1.key }) where thread != 0 {
      add(thread, rows.sorted { (states[$0, .start] ?? 0, $0) < (states[$1, .start] ?? 0, $1) })
    }
    addSlices()
    addClocks()
    let changes = steps.sorted {
      ($0.key.time, $0.key.processor) < ($1.key.time, $1.key.processor)
    }
    .map { position, step in
      Event(
        time: position.time, processor: position.processor, thread: step.from,
        content: .change(from: step.from, step.left, to: step.next))
    }
    let ranked = [early, changes, late].enumerated().flatMap { rank, events in
      events.enumerated().map { (rank: rank, position: $0.offset, event: $0.element) }
    }
    events = ranked.sorted {
      ($0.event.time, $0.rank, $0.position) < ($1.event.time, $1.rank, $1.position)
    }.map(\.event)
  }

  /// The number of the app's process, which on Linux is the number of its main thread.
  static func process(of surface: Surface, in trace: Trace) -> Int64? {
    threads(of: trace).first { $0.number == $0.process && $0.processName == surface.process }?
      .process
  }

  /// The threads of a trace.
  static func threads(of trace: Trace) -> [Thread] {
    let table = trace.threads
    let numbers = (0..<table.count).compactMap { row in
      table[row, .identifier].map {
        (row: row, number: $0, process: table.text(row, .process))
      }
    }
    var processes: [String: Int64] = [:]
    for (row, number, process) in numbers where table[row, .main] == 1 {
      if let process { processes[process] = number }
    }
    // A process whose main thread is not listed has the number before the numbers of its threads.
    for (_, number, process) in numbers {
      if let process, processes[process] == nil { processes[process] = number - 1 }
    }
    return numbers.map { row, number, process in
      Thread(
        number: number, process: process.flatMap { processes[$0] } ?? number,
        name: table.text(row, .name), processName: process)
    }
  }

  /// Adds a thread's states, given their rows in time order.
  private mutating func add(_ thread: Int64, _ rows: [Int]) {
    let states = trace.threadStates
    for (position, row) in rows.enumerated() {
      guard let start = states[row, .start], let end = states[row, .end],
        let state = states[row, .state].flatMap(ThreadStateColumn.State.init)
      else { continue }
      let before = position > 0 ? rows[position - 1] : nil
      let last = before.flatMap { states[$0, .end] == start ? $0 : nil }
      let lastState = last.flatMap { states[$0, .state] }.flatMap(ThreadStateColumn.State.init)
      let following = position + 1 < rows.count ? rows[position + 1] : nil
      let next = following.flatMap { states[$0, .start] == end ? $0 : nil }
      let processor = states[row, .processor]
      switch state {
      case .running:
        if lastState != .runnable, lastState != .preempted { wake(thread, at: start, from: last) }
        let own = processor ?? 0
        steps[Position(time: start, processor: own), default: Step()].next = thread
        leave(thread, left(next), at: Position(time: end, processor: own))
        if let clock = states[row, .clock] { clocks[Position(time: start, processor: own)] = clock }
      case .runnable, .preempted:
        if lastState != .running { wake(thread, at: start, from: last) }
      case .blocked:
        if lastState != .running {
          var position = Position(time: start, processor: Self.spare)
          while steps[position] != nil {
            position = Position(time: start, processor: position.processor + 1)
          }
          leave(thread, left(row), at: position)
        }
        if next == nil { wake(thread, at: end, from: row) }
      }
    }
  }

  private mutating func leave(_ thread: Int64, _ left: Left, at position: Position) {
    var step = steps[position] ?? Step()
    (step.from, step.left) = (thread, left)
    steps[position] = step
  }

  /// How a thread leaves its processor for a state; `nil` for an unknown state.
  private func left(_ row: Int?) -> Left {
    guard let row else { return .sleeping }
    switch trace.threadStates[row, .state].flatMap(ThreadStateColumn.State.init) {
    case .runnable: return .runnable
    case .preempted: return .preempted
    default: return reason(row) == nil ? .sleeping : .uninterruptible
    }
  }

  /// The kernel function in which a thread waits uninterruptibly.
  private func reason(_ row: Int) -> (function: String, isForDisk: Bool)? {
    guard let reason = trace.threadStates.text(row, .reason),
      reason.hasPrefix(ThreadStateColumn.uninterruptible)
    else { return nil }
    let disk = ", for a disk"
    let start = "\(ThreadStateColumn.uninterruptible) in "
    let position = reason.hasPrefix(start) ? reason.dropFirst(start.count) : "0x0"
    return (String(position.replacing(disk, with: "")), reason.hasSuffix(disk))
  }

  /// Ends the wait of a thread.
  /// - Parameter row: The wait; `nil` if unknown.
  private mutating func wake(_ thread: Int64, at time: Int64, from row: Int?) {
    let waker = row.flatMap { trace.threadStates[$0, .unblockedBy] } ?? 0
    let processor = Self.spare
    early.append(
      Event(time: time, processor: processor, thread: waker, content: .waking(thread)))
    guard let row, let (function, isForDisk) = reason(row) else { return }
    early.append(
      Event(
        time: time, processor: processor, thread: waker,
        content: .blockedReason(thread, function: function, isForDisk: isForDisk)))
  }

  /// Adds changes of clock rates.
  private mutating func addClocks() {
    var rates: [Int64: Int64] = [:]
    for (position, rate) in clocks.sorted(by: {
      ($0.key.time, $0.key.processor) < ($1.key.time, $1.key.processor)
    }) where rates.updateValue(rate, forKey: position.processor) != rate {
      early.append(
        Event(time: position.time, processor: position.processor, thread: 0, content: .clock(rate)))
    }
  }

  /// The name of the slices that stand for calls to other processes.
  private static let call = "binder transaction"

  /// Adds calls to other processes as their driver writes them, answered by the thread that ends the caller's wait.
  private mutating func addCalls(_ calls: [(start: Int64, end: Int64, thread: Int64)]) {
    let states = trace.threadStates
    for (number, call) in calls.enumerated() {
      let wait = (0..<states.count).first {
        states[$0, .thread] == call.thread && states[$0, .end] == call.end
      }
      let server = wait.flatMap { states[$0, .unblockedBy] } ?? 0
      let add = { (time: Int64, thread: Int64, content: Content) in
        Event(time: time, processor: 0, thread: thread, content: content)
      }
      let (sent, answer) = (Int64(2 * number + 1), Int64(2 * number + 2))
      late.append(add(call.start, call.thread, .binderSent(sent, answerTo: nil)))
      late.append(add(call.start, server, .binderReceived(sent)))
      early.append(add(call.end, server, .binderSent(answer, answerTo: call.thread)))
      early.append(add(call.end, call.thread, .binderReceived(answer)))
    }
  }

  /// Adds the threads' marks: an outer slice begins before its inner slices, and ends after them.
  private mutating func addSlices() {
    let markers = trace.markers
    let processes = Dictionary(threads.map { ($0.number, $0.process) }) { first, _ in first }
    let slices = (0..<markers.count).compactMap {
      row -> (name: String, start: Int64, end: Int64, thread: Int64)? in
      guard let thread = markers[row, .thread], let name = markers.text(row, .name),
        let start = markers[row, .start], let end = markers[row, .end], end > start
      else { return nil }
      return (name, start, end, thread)
    }
    addCalls(slices.filter { $0.name == Self.call }.map { ($0.start, $0.end, $0.thread) })
    let outerFirst = slices.filter { $0.name != Self.call }.sorted {
      ($0.start, $1.end, $0.name) < ($1.start, $0.end, $1.name)
    }
    for slice in outerFirst {
      let content = Content.beginSlice(
        process: processes[slice.thread] ?? slice.thread, slice.name)
      late.append(Event(time: slice.start, processor: 0, thread: slice.thread, content: content))
    }
    for slice in outerFirst.reversed() {
      let content = Content.endSlice(process: processes[slice.thread] ?? slice.thread)
      early.append(Event(time: slice.end, processor: 0, thread: slice.thread, content: content))
    }
  }
}
