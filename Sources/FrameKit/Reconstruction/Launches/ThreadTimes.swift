/// How long a thread spent in each state, in nanoseconds.
public struct ThreadTimes: Hashable, Sendable {
  public internal(set) var running: Int64 = 0
  /// It could have run and had no processor.
  public internal(set) var runnable: Int64 = 0
  /// It ran and was put aside for something more urgent.
  public internal(set) var preempted: Int64 = 0
  public internal(set) var blocked: Int64 = 0
  /// The source tells no state.
  public internal(set) var unknown: Int64 = 0

  /// The time in all states.
  public var total: Int64 { running + runnable + preempted + blocked + unknown }

  /// Time that it would have run in, had there been a processor for it.
  public var starved: Int64 { runnable + preempted }

  mutating func add(_ length: Int64, _ state: ThreadStateColumn.State?) {
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
  /// In nanoseconds.
  public internal(set) var length: Int64
  public internal(set) var count: Int
}

/// A thread as people read it.
public struct ThreadName: Hashable, Sendable {
  public let identifier: Int64
  public let name: String?

  /// Its name, or its number where it has none.
  public var words: String { name ?? "thread \(identifier)" }
}
