/// A length of time in whole nanoseconds; negative lengths are real, as where a GPU is done
/// before its frame is presented.
public struct Nanoseconds: Hashable, Comparable, Sendable {
  public var count: Int64

  public init(_ count: Int64) { self.count = count }

  /// Milliseconds as a whole number of nanoseconds, rounded to the nearest.
  public static func milliseconds(_ count: Double) -> Nanoseconds {
    Nanoseconds(Int64((count * 1e6).rounded()))
  }

  /// The length in milliseconds, for people and derived figures.
  public var milliseconds: Double { Double(count) / 1e6 }

  public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
  public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count + right.count)
  }
  public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count - right.count)
  }
}
