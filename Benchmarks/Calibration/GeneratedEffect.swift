import FrameKit

/// A change of a series near stutters.
enum GeneratedEffect: Sendable {
  /// A clock that drops to a third this many seconds before a share of the stutters, until it is
  /// that many seconds after them.
  case drop(before: Double, share: Double, after: Double)
  /// Values that rise by their standard deviation in the 0.2 s before stutters.
  case shift
  /// A temperature that rises when a stutter ends, and falls with a time constant in seconds.
  case rise(Double)
  /// A temperature that rises this many seconds after a stutter ends, and falls within 5 s.
  case laterRise(Double)
  /// A size that grows at the end of stutters and stays.
  case growth

  /// The series, changed near the stutters of a recording.
  /// - Parameter interval: The time between two readings of the sensor, in nanoseconds.
  func apply(
    to series: MomentDifferences.Series, readEvery interval: Int64,
    _ recording: GeneratedStutters, _ random: inout SplitMix64
  ) -> MomentDifferences.Series {
    let affected = recording.events.filter { _ in random.nextUnit() < share }
    let values = zip(series.times, series.values).map { time, value in
      affected.reduce(base(value)) { $0 + change(time / interval * interval, $1) }
    }
    return .init(times: series.times, values: values)
  }

  private var share: Double {
    if case .drop(_, let share, _) = self { return share }
    return 1
  }

  /// The value of the changed series where no stutter is near.
  private func base(_ value: Double) -> Double {
    if case .drop = self { return 1800 + 10 * value }
    return value
  }

  private func change(_ time: Int64, _ event: Range<Int64>) -> Double {
    let before = Double(event.lowerBound - time) * 1e-9
    let after = Double(time - event.upperBound) * 1e-9
    switch self {
    case .drop(let lead, _, let trail): return before < lead && after <= trail ? -1200 : 0
    case .shift: return before < 0.2 && before >= 0 ? 1 : 0
    case .rise(let constant): return after > 0 ? 5 * Elementary.exp(-after / constant) : 0
    case .laterRise(let delay):
      return after > delay ? 5 * Elementary.exp(-(after - delay) / 5) : 0
    case .growth: return after > 0 ? 5 : 0
    }
  }
}
