public import FrameTrace

/// How long a thread spent in each state.
public struct ThreadTimes: Hashable, Sendable {
  /// How long the thread ran.
  public internal(set) var running = Nanoseconds.zero
  /// How long the thread could have run but had no processor.
  public internal(set) var runnable = Nanoseconds.zero
  /// How long the thread was preempted by something more urgent.
  public internal(set) var preempted = Nanoseconds.zero
  /// How long the thread waited for something.
  public internal(set) var blocked = Nanoseconds.zero
  /// The time for which the source reports no state.
  public internal(set) var unknown = Nanoseconds.zero

  /// The time in all states.
  public var total: Nanoseconds { running + runnable + preempted + blocked + unknown }

  /// The time in which the thread would have run if a processor had been available.
  public var starved: Nanoseconds { runnable + preempted }

  mutating func add(_ length: Nanoseconds, _ state: ThreadStateColumn.State?) {
    switch state {
    case .running: running += length
    case .runnable: runnable += length
    case .preempted: preempted += length
    case .blocked: blocked += length
    case nil: unknown += length
    }
  }
}

/// The time for which a thread was blocked until the same other thread unblocked it, for the same reason.
public struct ThreadWait: Hashable, Sendable {
  /// The thread that ended the wait; `nil` when the source does not say.
  public let unblockedBy: ThreadName?
  /// What the thread waited for, in the source's words.
  public let reason: String?
  /// The total length of the waits.
  public internal(set) var length: Nanoseconds
  /// The number of waits.
  public internal(set) var count: Int
}

/// A thread in readable form.
public struct ThreadName: Hashable, Sendable {
  /// The thread's number.
  public let identifier: Int64
  /// The thread's name; `nil` when not known.
  public let name: String?

  /// The thread's name, or its number if it has none.
  public var words: String { name ?? "thread \(identifier)" }
}
