// What a trace holds is within ``Timestamp/bound``, where nothing here overflows. Products of what a
// file states may all the same: they wrap around, as no file may stop the tool.

extension Timestamp {
  /// The first and the last instant there can be: the ends of a range without any.
  package static let earliest = Timestamp(nanoseconds: .min)
  package static let latest = Timestamp(nanoseconds: .max)

  /// The time from the second instant to the first, negative when it comes later.
  public static func - (end: Timestamp, start: Timestamp) -> Nanoseconds {
    Nanoseconds(end.nanoseconds &- start.nanoseconds)
  }

  /// The instant a length after another.
  public static func + (start: Timestamp, length: Nanoseconds) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds &+ length.count)
  }

  /// The instant a length before another.
  public static func - (start: Timestamp, length: Nanoseconds) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds &- length.count)
  }
}

extension Nanoseconds: AdditiveArithmetic {
  /// No time at all.
  public static let zero = Nanoseconds(0)

  /// Both lengths, one after the other.
  public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count &+ right.count)
  }

  /// The first length less the second.
  public static func - (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
    Nanoseconds(left.count &- right.count)
  }

  /// The length with the other sign.
  public static prefix func - (length: Nanoseconds) -> Nanoseconds { zero - length }

  /// The length so many times.
  public static func * (length: Nanoseconds, times: Int64) -> Nanoseconds {
    Nanoseconds(length.count &* times)
  }

  /// A part of a length, rounded toward zero.
  public static func / (length: Nanoseconds, parts: Int64) -> Nanoseconds {
    Nanoseconds(length.count / parts)
  }

  /// How many whole times the second length goes into the first.
  public static func / (length: Nanoseconds, other: Nanoseconds) -> Int64 {
    length.count / other.count
  }

  /// What is left of the first length after whole ones of the second.
  public static func % (length: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
    Nanoseconds(length.count % other.count)
  }

  /// The length without its sign.
  public var magnitude: Nanoseconds { count < 0 ? Nanoseconds(0 &- count) : self }

  /// How many times the other length this one is.
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
  var length: Nanoseconds { upperBound - lowerBound }
}
