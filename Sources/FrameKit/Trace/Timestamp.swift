/// An instant on the trace clock, in whole nanoseconds from the clock's own zero.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The time from the second instant to the first, negative when it comes later.
  public static func - (end: Timestamp, start: Timestamp) -> Nanoseconds {
    Nanoseconds(end.nanoseconds - start.nanoseconds)
  }

  public static func + (start: Timestamp, length: Nanoseconds) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds + length.count)
  }
}
