import FrameTrace

/// The worst value of each time interval, which shows whether a trace gets worse over time.
struct WorstTrend {
  /// The length of an interval, in seconds.
  let length: Double
  private var worst: [Int: Double] = [:]

  /// The approximate number of intervals that the eye can follow.
  private static let stretches = 30.0
  /// The minimum number of values per interval, on average, for the worst value to be meaningful.
  private static let fewest = 10

  /// - Parameters:
  ///   - range: The visible time range, in seconds.
  ///   - count: The number of values.
  /// - Returns: `nil` if the trace is so short that its values show the trend.
  init?(_ range: ClosedRange<Double>, count: Int) {
    length = ValueBins.round((range.upperBound - range.lowerBound) / Self.stretches)
    guard length > 0,
      Double(count) * length >= Double(Self.fewest) * (range.upperBound - range.lowerBound)
    else { return nil }
  }

  mutating func add(_ time: Double, _ value: Double) {
    let position = Int((time / length).rounded(.down))
    worst[position] = max(worst[position] ?? value, value)
  }

  /// A line at the worst value of each interval that has values.
  func layer(_ color: PlotColor, within range: ClosedRange<Double>) -> PlotLayer {
    let rows = worst.sorted { $0.key < $1.key }.map { position, value in
      [
        max(Double(position) * length, range.lowerBound), value,
        min(Double(position + 1) * length, range.upperBound), value,
      ]
    }
    let words =
      length < 1
      ? "\(FixedNumber.text(Nanoseconds.seconds(length).milliseconds, decimals: 0)) ms"
      : "\(FixedNumber.text(length, decimals: 0)) s"
    return PlotLayer(.segments, "worst of each \(words)", color, rows).with(.strong)
  }
}
