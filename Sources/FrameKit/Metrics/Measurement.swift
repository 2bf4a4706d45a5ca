/// What a metric gives for a surface: values, one figure, or the reason why there is none.
public struct Measurement: Sendable {
  /// The figures of a measurement.
  public enum Content: Sendable {
    /// One value each for a number of frames or inputs; lengths of time in nanoseconds.
    case sample(Sample)
    /// One figure made of `n` frames.
    case figure(Double, n: Int)
    /// Nothing, and why.
    case unavailable(String)
  }

  /// Frames that were left out on purpose.
  public struct Exclusion: Hashable, Sendable {
    public let reason: String
    public let count: Int
  }

  public internal(set) var content: Content
  /// Which of the metric's definitions the source allowed; `nil` when it has only one.
  public var definition: String?
  /// Why a better definition was passed over: how few frames have what it takes. `nil` where none was.
  public var passedOver: String?
  /// How many frames should have a value and have none.
  public var missing = 0
  public var exclusions: [Exclusion] = []
  /// Whether a value was inferred and not recorded.
  public var isInferred = false

  static func unavailable(_ reason: String) -> Measurement {
    Measurement(content: .unavailable(reason))
  }
}
