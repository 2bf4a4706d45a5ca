/// Values of any sign in millionths of a unit, counted so that adding the counts of many runs gives the same bits in
/// any order.
///
/// The number, sum and limits are exact. The distribution is kept in the bins of a `FrameHistogram`, each 1/1024 to
/// 1/512 of its values wide, so that every quantile is within `relativeError` of the quantile of the values themselves.
public struct ValueCounts: Hashable, Sendable {
  /// The number of counted values.
  public private(set) var count: Int64 = 0
  /// The sum of the values, in millionths of the unit.
  public private(set) var sum = Int128(0)
  /// The smallest and the largest value in millionths of the unit; `nil` without values.
  public private(set) var low, high: Int64?
  /// The positive values, and the magnitudes of the negative ones, in millionths.
  package private(set) var above = FrameHistogram()
  package private(set) var below = FrameHistogram()
  package private(set) var zeros: Int64 = 0

  /// The relative error of a quantile: the width of a bin.
  public static let relativeError = 1.0 / 512

  /// Creates counts without values.
  public init() {}

  /// Counts the values of a sample.
  public init(_ sample: Sample) {
    for value in sample.values { index(1, value) }
    count = Int64(sample.values.count)
    sum = sample.sum
    (low, high) = (sample.limits?.low, sample.limits?.high)
  }

  /// Counts one value.
  public init(_ value: Int64) {
    add(value)
  }

  /// Creates counts from stored counts.
  /// - Returns: `nil` if they cannot belong to the same values.
  package init?(
    count: Int64, sum: Int128, low: Int64, high: Int64, below: FrameHistogram, zeros: Int64,
    above: FrameHistogram
  ) {
    let (negative, positive) = (below.total, above.total)
    guard count > 0, low <= high, negative + zeros + positive == count,
      sum >= Int128(low) * Int128(count), sum <= Int128(high) * Int128(count),
      (low < 0) == (negative > 0), (high > 0) == (positive > 0),
      zeros == 0 || (low <= 0 && high >= 0)
    else { return nil }
    (self.count, self.sum, self.low, self.high) = (count, sum, low, high)
    (self.below, self.zeros, self.above) = (below, zeros, above)
  }

  /// Counts a value.
  public mutating func add(_ value: Int64) {
    index(1, value)
    count += 1
    sum += Int128(value)
    low = min(low ?? value, value)
    high = max(high ?? value, value)
  }

  /// Adds the counts of other values.
  public mutating func merge(_ other: ValueCounts) {
    count += other.count
    sum += other.sum
    low = [low, other.low].compactMap { $0 }.min()
    high = [high, other.high].compactMap { $0 }.max()
    above.merge(other.above)
    below.merge(other.below)
    zeros += other.zeros
  }

  private mutating func index(_ times: Int64, _ value: Int64) {
    if value > 0 {
      above.add(times, toBin: Self.bin(value.magnitude))
    } else if value < 0 {
      below.add(times, toBin: Self.bin(value.magnitude))
    } else {
      zeros += times
    }
  }

  private static func bin(_ magnitude: UInt64) -> Int {
    FrameHistogram.bin(Double(magnitude) / Millionths.perUnit)
  }

  /// The mean in the unit, computed from an exact sum; `nil` without values.
  public var mean: Double? { meanInMillionths.map { Millionths.value($0) } }

  package var meanInMillionths: Double? { count > 0 ? Double(sum) / Double(count) : nil }

  /// The smallest value in the unit; `nil` without values.
  public var minimum: Double? { low.map { Millionths.value($0) } }

  /// The largest value in the unit; `nil` without values.
  public var maximum: Double? { high.map { Millionths.value($0) } }

  /// A quantile in the unit, interpolated as in `Quantile.type7`; `nil` without values.
  public func quantile(_ p: Double) -> Double? {
    guard count > 0 else { return nil }
    let position = Double(count - 1) * min(max(p, 0), 1)
    let rank = Int64(position)
    let lower = value(ofRank: rank)
    let share = position - Double(rank)
    return Millionths.value(
      share > 0 ? lower + (value(ofRank: rank + 1) - lower) * share : lower)
  }

  /// The ends of bins with values, in ascending order, with the number of values in each.
  package var steps: [(value: Double, count: Int64)] {
    groups.map {
      (Millionths.value(min(max($0.end, Double(low ?? 0)), Double(high ?? 0))), $0.count)
    }
  }

  /// The middles of bins with values, in ascending order, with the number of values in each.
  package var middles: [(value: Double, count: Int64)] {
    groups.map {
      let middle = min(max(($0.start + $0.end) / 2, Double(low ?? 0)), Double(high ?? 0))
      return (Millionths.value(middle), $0.count)
    }
  }

  /// Some of the values that lie together, in ascending order.
  private struct Group {
    let start, end: Double
    let count: Int64

    /// A value by its index in the group: values are assumed to be spread evenly, within the
    /// overall limits.
    func value(_ index: Int64, _ all: ValueCounts) -> Double {
      let value = start + (end - start) * (Double(index) + 0.5) / Double(count)
      return min(max(value, Double(all.low ?? 0)), Double(all.high ?? 0))
    }
  }

  private var groups: [Group] {
    let edge = { (bin: Int) in Millionths.of(FrameHistogram.start(of: bin)) }
    let negative = below.bins.reversed().map {
      Group(start: -edge($0.bin + 1), end: -edge($0.bin), count: $0.count)
    }
    let none = zeros > 0 ? [Group(start: 0, end: 0, count: zeros)] : []
    return negative + none
      + above.bins.map { Group(start: edge($0.bin), end: edge($0.bin + 1), count: $0.count) }
  }

  private func value(ofRank rank: Int64) -> Double {
    var before: Int64 = 0
    for group in groups {
      if rank < before + group.count { return group.value(rank - before, self) }
      before += group.count
    }
    return Double(high ?? 0)
  }
}
