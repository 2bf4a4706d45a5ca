import FrameStatistics
import FrameTrace

/// When frames were displayed, and the distances between neighboring display times, from which the
/// refresh interval is found.
struct DisplayDistances {
  /// The times in order and without duplicates, excluding second displays within one refresh.
  let times: [Timestamp]
  /// Distances up to ``longest``; for a long trace, a sample from all parts of the trace.
  private(set) var values: [Nanoseconds]
  /// The most common distance; `nil` without any.
  let commonest: Nanoseconds?
  /// The step of the clock that the times were read from, if it is recognizable: all distances are multiples of the
  /// step.
  let clockStep: Nanoseconds

  /// Longer distances say nothing: they accumulate errors, and a surface at rest has no distance.
  static let longest = Nanoseconds(500_000_000)
  /// The minimum number of distances that show an interval.
  static let fewest = 10
  private static let most = 32_768

  /// - Parameter times: The times in order and without duplicates.
  init(_ times: [Timestamp]) {
    let all = Self.sample(times)
    let commonest = Self.commonest(all)
    let thinned = commonest.flatMap { Self.withoutSecondDisplays(times, all, commonest: $0) }
    self.times = thinned ?? times
    values = thinned.map(Self.sample) ?? all
    self.commonest = commonest
    clockStep = Self.clockStep(values)
  }

  /// Whether a distance is a whole number of intervals, at least one, within a part of the interval.
  static func isMultiple(
    _ distance: Nanoseconds, of interval: Nanoseconds, within part: Int64
  ) -> Bool {
    let count = (distance + interval / 2) / interval
    return count >= 1 && (distance - interval * count).magnitude * part <= interval
  }

  /// Whether a distance is a positive multiple of an interval, within the accuracy of display
  /// times.
  func isMultiple(_ distance: Nanoseconds, of interval: Nanoseconds) -> Bool {
    let count = (distance + interval / 2) / interval
    let tolerance = max(interval / 16, clockStep * 4 <= interval ? clockStep : .zero)
    return count >= 1 && (distance - interval * count).magnitude <= tolerance
  }

  /// The share of the distances that are whole numbers of an interval.
  func share(keeping interval: Nanoseconds) -> Double {
    values.isEmpty
      ? 0 : Double(values.count { isMultiple($0, of: interval) }) / Double(values.count)
  }

  /// The share of the distances that are whole numbers of an interval, within a quarter of the interval. This shows
  /// whether times that a display may show late were made on its grid at all.
  func share(looselyKeeping interval: Nanoseconds) -> Double {
    values.isEmpty
      ? 1
      : Double(values.count { Self.isMultiple($0, of: interval, within: 4) })
        / Double(values.count)
  }

  /// Whether the distances only jitter around whole numbers of an interval, as on a compositor that is sometimes late:
  /// their median deviation is within an eighth of the interval, and they deviate as often above as below. Distances
  /// unrelated to the interval have a median deviation of a quarter of it, and distances at another rate deviate to one
  /// side.
  func jitter(around interval: Nanoseconds) -> Bool {
    guard interval > .zero, values.count >= Self.fewest else { return false }
    let offsets = values.map { distance in
      distance - interval * max(1, (distance + interval / 2) / interval)
    }
    guard let side = offsets.map(\.count).sorted().medianOfSorted,
      let size = offsets.map({ $0.magnitude.count }).sorted().medianOfSorted
    else { return false }
    return size * 8 <= interval.count && side.magnitude * 16 <= interval.count
  }

  /// The interval near a rough one that fits the distances best, by least squares over the distances that keep it.
  func refined(_ rough: Nanoseconds) -> Nanoseconds {
    var interval = rough
    // A rough interval misses long distances, which fit once the short ones have refined it.
    for _ in 0..<2 where interval > .zero {
      var (products, squares) = (0.0, 0.0)
      for distance in values where isMultiple(distance, of: interval) {
        let count = Double((distance + interval / 2) / interval)
        products += Double(distance.count) * count
        squares += count * count
      }
      if squares > 0 { interval = Nanoseconds(rounding: products / squares) }
    }
    return interval
  }

  /// Removes second displays within one refresh, which are no evidence of a rate. They are recognized if few distances
  /// are much shorter than the most common one, and if nearly all distances are multiples of it once the times at the
  /// ends of the short ones are removed.
  private static func withoutSecondDisplays(
    _ times: [Timestamp], _ distances: [Nanoseconds], commonest: Nanoseconds
  ) -> [Timestamp]? {
    let isShort = { (distance: Nanoseconds) in distance * 16 < commonest * 7 }
    let short = distances.count(where: isShort)
    guard short > 0, short * 3 < distances.count else { return nil }
    var kept: [Timestamp] = []
    kept.reserveCapacity(times.count)
    for time in times where kept.last.map({ !isShort(time - $0) }) ?? true { kept.append(time) }
    let left = sample(kept)
    let multiples = left.count { isMultiple($0, of: commonest, within: 16) }
    return multiples * 50 >= left.count * 49 ? kept : nil
  }

  /// The median of the largest group of distances within a ratio of 17/16, the first of equally
  /// large groups.
  static func commonest(_ distances: [Nanoseconds]) -> Nanoseconds? {
    let sorted = distances.sorted()
    var fullest = 0..<0
    var start = 0
    for end in sorted.indices {
      while start < end, sorted[end] * 16 > sorted[start] * 17 { start += 1 }
      if end + 1 - start > fullest.count { fullest = start..<end + 1 }
    }
    return fullest.isEmpty ? nil : sorted[(fullest.lowerBound + fullest.upperBound) / 2]
  }

  /// Milliseconds and fractions of them, as in logs.
  private static let clockSteps: [Int64] = [1_000_000, 500_000, 100_000]

  private static func clockStep(_ distances: [Nanoseconds]) -> Nanoseconds {
    let step = clockSteps.first { step in
      distances.allSatisfy { $0.count % step == 0 }
    }
    return Nanoseconds(distances.isEmpty ? 0 : step ?? 0)
  }

  /// Distances from all parts of a trace.
  private static func sample(_ times: [Timestamp]) -> [Nanoseconds] {
    stride(from: 0, to: times.count - 1, by: max(1, times.count / most)).compactMap {
      let distance = times[$0 + 1] - times[$0]
      return distance <= longest ? distance : nil
    }
  }
}
