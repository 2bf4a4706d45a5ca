import FrameStatistics
import FrameTrace

/// Intervals and instants as a series of their amounts in each short time step.
struct ActivitySeries {
  /// The end of each step, in nanoseconds, and its value.
  private(set) var times: [Int64]
  private(set) var values: [Double]
  private let start: Int64
  private let step: Int64

  /// The length of a step, unless a recording would then have more steps than ``mostSteps``.
  private static let shortestStep: Int64 = 20_000_000
  private static let mostSteps: Int64 = 50_000

  /// Creates a series without activity.
  /// - Returns: `nil` for a range that is shorter than a step.
  init?(_ range: Range<Timestamp>) {
    let length = range.length.count
    step = max(Self.shortestStep, length / Self.mostSteps)
    start = range.lowerBound.nanoseconds
    guard length >= step else { return nil }
    times = (1...(length / step)).map { [start, step] in start + $0 * step }
    values = [Double](repeating: 0, count: times.count)
  }

  /// Adds an interval: each step gets the share that the interval covers, in percent.
  mutating func add(_ interval: Range<Timestamp>) {
    let first = max(0, interval.lowerBound.nanoseconds - start)
    let last = min(interval.upperBound.nanoseconds - start, step * Int64(values.count))
    guard first < last else { return }
    for index in (first / step)...((last - 1) / step) {
      let covered = min(last, (index + 1) * step) - max(first, index * step)
      values[Int(index)] += Double(covered) / Double(step) * 100
    }
  }

  /// The steps that another series covers by more than half.
  func known(_ cover: ActivitySeries) -> ActivitySeries {
    var series = self
    let steps = values.indices.filter { cover.values[$0] > 50 }
    (series.times, series.values) = (steps.map { times[$0] }, steps.map { values[$0] })
    return series
  }

  /// Adds an instant: its step gets its share of a rate per second.
  mutating func add(_ time: Timestamp) {
    let distance = time.nanoseconds - start
    guard distance >= 0, distance < step * Int64(values.count) else { return }
    values[Int(distance / step)] += 1 / Nanoseconds(step).seconds
  }
}
