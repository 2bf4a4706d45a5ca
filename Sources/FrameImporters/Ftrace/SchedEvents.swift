import FrameStatistics
import FrameTrace

/// Thread states, assembled from the scheduler's events.
///
/// Linux, `Documentation/trace/events.rst`: `sched_switch` takes a thread from a processor and puts
/// another one there, `sched_waking` ends a wait.
struct SchedEvents {
  struct Stretch {
    let thread, start: Int64
    fileprivate(set) var end: Int64?
    let state: ThreadStateColumn.State
    let priority: Int64?
    fileprivate(set) var unblockedBy: Int64?
    fileprivate(set) var reason: String?
    /// The processor on which the thread ran, or from which it was taken; `nil` if it is not recorded.
    let processor: Int64?
  }

  /// The state of a thread when it is taken off its processor.
  enum Left: Equatable {
    /// The thread could have continued.
    case runnable
    /// Another thread took its processor.
    case preempted
    /// The thread waits; the letter states for what.
    case blocked(String)

    /// Creates a state from the letters that the kernel prints: `S`, `D`, `R+`, `D|K`.
    init(letters: Substring) {
      switch letters {
      case "R": self = .runnable
      case "R+": self = .preempted
      default: self = .blocked(String(letters))
      }
    }

    /// Creates a state from the bits of the task's state.
    init(bits: Int64) {
      let letters: [(Int64, String)] = [
        (1, "S"), (2, "D"), (4, "T"), (8, "t"), (16, "X"), (32, "Z"), (64, "P"), (128, "I"),
      ]
      guard bits & 0xff == 0 else {
        self = .blocked(letters.first { bits & $0.0 != 0 }.map(\.1) ?? "")
        return
      }
      self = bits == 0 ? .runnable : .preempted
    }
  }

  private(set) var stretches: [Stretch] = []
  private(set) var names: [Int64: String] = [:]
  /// The clock rates of each processor in kHz, each with the time at which it was set.
  private var clocks: [Int64: [(time: Int64, rate: Int64)]] = [:]
  /// The thread on each processor.
  private var current: [Int64: Int64] = [:]
  /// The index of each thread's last stretch.
  private var last: [Int64: Int] = [:]
  /// The index of each thread's last uninterruptible wait.
  private var waits: [Int64: Int] = [:]

  /// Records a `sched_switch`.
  mutating func takeSwitch(
    at time: Int64, from thread: Int64?, _ left: Left, to next: Int64, priority: Int64?,
    name: String?, on processor: Int64? = nil
  ) {
    if let processor { current[processor] = next }
    // Thread 0 stands for an idle processor.
    if let thread, thread != 0 {
      switch left {
      case .runnable: begin(.runnable, of: thread, at: time, on: processor)
      case .preempted: begin(.preempted, of: thread, at: time, on: processor)
      case .blocked(let letters):
        begin(
          .blocked, of: thread, at: time,
          reason: letters == "D" ? ThreadStateColumn.uninterruptible : nil, on: processor)
      }
    }
    if next != 0 {
      begin(.running, of: next, at: time, priority: priority, on: processor)
      if let name, !name.isEmpty { names[next] = name }
    }
  }

  /// Records the loss of a processor's events. How long the thread on that processor ran is unknown, so its stretch
  /// ends where it began.
  mutating func lose(on processor: Int64) {
    guard let thread = current.removeValue(forKey: processor), let position = last[thread],
      stretches[position].end == nil, stretches[position].state == .running
    else { return }
    stretches[position].end = stretches[position].start
    last[thread] = nil
  }

  /// Records a `sched_waking`, with which one thread ends the wait of another.
  mutating func takeWaking(at time: Int64, of thread: Int64, by waker: Int64, priority: Int64?) {
    guard thread != 0 else { return }
    if let position = last[thread] {
      // A thread that is not waiting cannot be woken.
      guard stretches[position].state == .blocked, stretches[position].end == nil else { return }
      if waker != 0 { stretches[position].unblockedBy = waker }
    }
    begin(.runnable, of: thread, at: time, priority: priority)
  }

  /// Records a `sched_blocked_reason`, which states at the end of a thread's wait where in the kernel the thread
  /// waited.
  /// - Parameter function: The kernel function in which the thread waited; `nil` if it is not named.
  mutating func takeReason(of thread: Int64, _ function: String?, isForDisk: Bool) {
    // The event comes just before or after the thread is woken.
    guard let wait = waits[thread], stretches[wait].reason == ThreadStateColumn.uninterruptible
    else { return }
    let position = function.map { " in \($0)" } ?? ""
    let disk = isForDisk ? ", for a disk" : ""
    stretches[wait].reason = "\(ThreadStateColumn.uninterruptible)\(position)\(disk)"
  }

  /// Records a `cpu_frequency`, in kHz.
  mutating func takeClock(at time: Int64, of processor: Int64, _ rate: Int64) {
    guard rate > 0 else { return }
    clocks[processor, default: []].append((time, rate))
  }

  /// The mean clock rate of a processor in a stretch of time, in kHz; `nil` if no rate was set before.
  func clock(of processor: Int64, from start: Int64, to end: Int64) -> Int64? {
    guard let all = clocks[processor] else { return nil }
    let next = all.partitioningIndex { $0.time > start }
    guard next > 0 else { return nil }
    guard next < all.count, all[next].time < end, end > start else { return all[next - 1].rate }
    var (sum, position, rate) = (0.0, start, all[next - 1].rate)
    for change in all[next...].prefix(while: { $0.time < end }) {
      sum += Double(rate) * Double(change.time - position)
      (position, rate) = (change.time, change.rate)
    }
    sum += Double(rate) * Double(end - position)
    return Int64(sum / Double(end - start))
  }

  private mutating func begin(
    _ state: ThreadStateColumn.State, of thread: Int64, at time: Int64, priority: Int64? = nil,
    reason: String? = nil, on processor: Int64? = nil
  ) {
    if let position = last[thread] {
      stretches[position].end = max(time, stretches[position].start)
    }
    last[thread] = stretches.count
    if reason != nil { waits[thread] = stretches.count }
    stretches.append(
      Stretch(
        thread: thread, start: time, end: nil, state: state, priority: priority,
        unblockedBy: nil, reason: reason, processor: processor))
  }
}
