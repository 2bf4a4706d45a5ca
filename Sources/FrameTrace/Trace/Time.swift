/// An instant on the trace clock, in whole nanoseconds from the clock's own zero.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The distance from the clock's zero.
  public var nanoseconds: Int64

  /// The instant so many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether the first instant is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

/// A length of time in whole nanoseconds; negative lengths are real, as where a GPU is done
/// before its frame is presented.
public struct Nanoseconds: Hashable, Comparable, Sendable {
  /// How many nanoseconds; negative where the length is.
  public var count: Int64

  /// So many nanoseconds.
  public init(_ count: Int64) { self.count = count }

  /// The nearest whole number of nanoseconds.
  /// - Precondition: It is within ``Timestamp/bound``.
  package init(rounding count: Double) { self.init(Int64(count.rounded())) }

  /// Milliseconds as a whole number of nanoseconds, rounded to the nearest.
  public static func milliseconds(_ count: Double) -> Nanoseconds {
    Nanoseconds(rounding: count * 1e6)
  }

  /// The length in milliseconds, for people and derived figures.
  public var milliseconds: Double { Double(count) / 1e6 }

  /// Whether the first length is shorter.
  public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
}

/// A clock that times of an input were taken on, and how it was joined to the trace clock.
public struct ClockDomain: Hashable, Sendable {
  /// How the distance of a clock to the trace clock is known.
  public enum Join: String, Sendable, CaseIterable {
    /// It is the trace clock.
    case traceClock
    /// The input states the distance.
    case stated
    /// The distance was worked out from times given on both.
    case measured
    /// Nothing says so; the distance was assumed.
    case assumed
  }

  /// The clock's name, as `QPC`, `monotonic` or `capture start`.
  public let name: String
  /// How its distance to the trace clock is known.
  public let join: Join
  /// What to add to a time on this clock to get one on the trace clock; `nil` for the trace
  /// clock itself.
  public let offset: Nanoseconds?
  /// The smallest step its times can have; `nil` when not known.
  public let resolution: Nanoseconds?

  package init(
    name: String, join: Join, offset: Nanoseconds?, resolution: Nanoseconds?
  ) {
    self.name = name
    self.join = join
    self.offset = offset
    self.resolution = resolution
  }
}

extension Timestamp {
  /// Times, lengths and counts of every format are believed up to this far from zero. In nanoseconds
  /// these are 73 years: more than any clock has counted, and differences of two of them can be added
  /// and doubled.
  @inlinable package static var bound: Int64 { 1 << 61 }

  /// A time or a length of a source in nanoseconds; `nil` for one that is not believed.
  /// - Parameter unit: How many nanoseconds one of the source's units has.
  package static func believed(_ value: Int64, unit: Int64 = 1) -> Int64? {
    value.magnitude <= UInt64(bound / unit) ? value * unit : nil
  }

  /// A time or a length of a source, rounded to nanoseconds; `nil` for one that is not believed.
  package static func believed(_ value: Double, unit: Double = 1) -> Int64? {
    let time = (value * unit).rounded()
    return abs(time) <= Double(bound) ? Int64(time) : nil
  }
}
