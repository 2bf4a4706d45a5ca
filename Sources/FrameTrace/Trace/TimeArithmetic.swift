// The values in a trace are within ``Timestamp/bound``, where these operations cannot overflow. Sums and products with
// other numbers from a file can overflow; they saturate at the nearest representable value.

extension Timestamp {
  /// The earliest and the latest representable instant: the ends of an unlimited range.
  package static let earliest = Timestamp(nanoseconds: .min)
  package static let latest = Timestamp(nanoseconds: .max)

  /// The time from the second instant to the first, negative if the second instant is later.
  public static func - (end: Timestamp, start: Timestamp) -> Nanoseconds {
    Nanoseconds(end.nanoseconds - start.nanoseconds)
  }

  /// The instant a given length after another.
  public static func + (start: Timestamp, length: Nanoseconds) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds + length.count)
  }

  /// The instant a given length before another.
  public static func - (start: Timestamp, length: Nanoseconds) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds - length.count)
  }
}

extension Nanoseconds: AdditiveArithmetic {
  /// A length of zero.
  public static let zero = Nanoseconds(0)

  /// Both lengths, one after the other.
  public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count + right.count)
  }

  /// The first length minus the second.
  public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count - right.count)
  }

  /// The length with the opposite sign.
  public static prefix func - (length: Nanoseconds) -> Nanoseconds { zero - length }

  /// The length multiplied by a number.
  public static func * (length: Nanoseconds, times: Int64) -> Nanoseconds {
    Nanoseconds(length.count * times)
  }

  /// The length divided by a number, rounded toward zero.
  public static func / (length: Nanoseconds, parts: Int64) -> Nanoseconds {
    Nanoseconds(length.count / parts)
  }

  /// How many whole times the second length goes into the first.
  public static func / (length: Nanoseconds, other: Nanoseconds) -> Int64 {
    length.count / other.count
  }

  /// The remainder of the first length divided by the second.
  public static func % (length: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
    Nanoseconds(length.count % other.count)
  }

  /// The length without its sign.
  public var magnitude: Nanoseconds { count < 0 ? Nanoseconds(0 - count) : self }

  /// The length as a multiple of the other length.
  package func ratio(to other: Nanoseconds) -> Double { Double(count) / Double(other.count) }
}

extension Range<Timestamp> {
  /// All instants.
  package static var always: Range { .earliest ..< .latest }

  /// The time from the first instant to the last.
  package var length: Nanoseconds { upperBound - lowerBound }
}

extension ClosedRange<Timestamp> {
  /// The time from the first instant to the last.
  package var length: Nanoseconds { upperBound - lowerBound }
}
