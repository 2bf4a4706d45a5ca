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
  public let join: Join
  /// What to add to a time on this clock to get one on the trace clock; `nil` for the trace
  /// clock itself.
  public let offset: Nanoseconds?
  /// The smallest step its times can have; `nil` when not known.
  public let resolution: Nanoseconds?
}
