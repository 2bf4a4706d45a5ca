/// An instant on the trace clock, in whole nanoseconds from the clock's zero.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The distance from the clock's zero.
  public var nanoseconds: Int64

  /// The instant a number of nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether the first instant is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

/// A length of time in whole nanoseconds; negative lengths are real, for example if a GPU finishes before its frame is
/// presented.
public struct Nanoseconds: Hashable, Comparable, Sendable {
  /// How many nanoseconds; negative if the length is.
  public var count: Int64

  /// A length of a number of nanoseconds.
  public init(_ count: Int64) { self.count = count }

  /// The nearest whole number of nanoseconds.
  package init(rounding count: Double) { self.init(Int64(count.rounded())) }

  /// Milliseconds as a whole number of nanoseconds, rounded to the nearest.
  public static func milliseconds(_ count: Double) -> Nanoseconds {
    Nanoseconds(rounding: count * 1e6)
  }

  /// Seconds as a whole number of nanoseconds, rounded to the nearest.
  public static func seconds(_ count: Double) -> Nanoseconds { Nanoseconds(rounding: count * 1e9) }

  /// The length in milliseconds, for display and derived figures.
  public var milliseconds: Double { Double(count) / 1e6 }

  /// The length in seconds, for display and derived figures.
  public var seconds: Double { Double(count) / 1e9 }

  /// Whether the first length is shorter.
  public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool { left.count < right.count }
}

/// A clock used for times of an input, and how it was joined to the trace clock.
public struct ClockDomain: Hashable, Sendable {
  /// How the offset of a clock from the trace clock is known.
  public enum Join: String, Sendable, CaseIterable {
    /// The clock is the trace clock.
    case traceClock
    /// The input states the offset.
    case stated
    /// The offset was computed from times given on both clocks.
    case measured
    /// The offset is unknown and was assumed.
    case assumed
  }

  /// The clock's name, such as `QPC`, `monotonic` or `capture start`.
  public let name: String
  /// The name of a clock that counts from the start of a recording, as the recording tool shows times.
  package static let recordingStart = "recording start"
  /// How the clock's offset from the trace clock is known.
  public let join: Join
  /// The length to add to a time on this clock to get a time on the trace clock; `nil` for the trace clock itself.
  public let offset: Nanoseconds?
  /// The smallest possible step of the clock's times; `nil` if unknown.
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
  /// The plausible limit of times, lengths and counts in every format. In nanoseconds it is 73
  /// years: more than any clock has counted, and differences of two such times can be added and
  /// doubled.
  @inlinable package static var bound: Int64 { 1 << 61 }

  /// A source's time or length in nanoseconds; `nil` if it is implausible.
  /// - Parameter unit: The number of nanoseconds in the source's unit.
  package static func believed(_ value: Int64, unit: Int64 = 1) -> Int64? {
    value.magnitude <= UInt64(bound / unit) ? value * unit : nil
  }

  /// A source's time or length, rounded to nanoseconds; `nil` if it is implausible.
  package static func believed(_ value: Double, unit: Double = 1) -> Int64? {
    let time = (value * unit).rounded()
    return abs(time) <= Double(bound) ? Int64(time) : nil
  }
}
