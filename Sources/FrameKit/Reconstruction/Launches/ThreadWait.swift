/// The time that a thread was blocked until the same other thread ended it, for the same reason.
public struct ThreadWait: Hashable, Sendable {
  /// The thread that ended the wait; `nil` when the source does not tell.
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
