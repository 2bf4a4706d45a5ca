public import FrameTrace

/// How long a thread spent in each state.
public struct ThreadTimes: Hashable, Sendable {
  /// How long the thread ran.
  public internal(set) var running = Nanoseconds.zero
  /// How long the thread could have run but had no processor.
  public internal(set) var runnable = Nanoseconds.zero
  /// How long the thread was preempted by something more urgent.
  public internal(set) var preempted = Nanoseconds.zero
  /// How long it waited for something.
  public internal(set) var blocked = Nanoseconds.zero
  /// How long the source reports no state.
  public internal(set) var unknown = Nanoseconds.zero

  /// The time in all states.
  public var total: Nanoseconds { running + runnable + preempted + blocked + unknown }

  /// Time that it would have run in, had there been a processor for it.
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

/// The time that a thread was blocked until the same other thread ended it, for the same reason.
public struct ThreadWait: Hashable, Sendable {
  /// The thread that ended the wait; `nil` when the source does not say.
  public let unblockedBy: ThreadName?
  /// What was waited for, in the source's words.
  public let reason: String?
  /// How long the waits took together.
  public internal(set) var length: Nanoseconds
  /// How many waits there were.
  public internal(set) var count: Int
}

/// A thread as people read it.
public struct ThreadName: Hashable, Sendable {
  /// The thread's number.
  public let identifier: Int64
  /// The thread's name; `nil` when not known.
  public let name: String?

  /// Its name, or its number where it has none.
  public var words: String { name ?? "thread \(identifier)" }
}
