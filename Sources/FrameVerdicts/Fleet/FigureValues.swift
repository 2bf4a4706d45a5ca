public import FrameStatistics

/// The values of a figure, one for each run: kept individually while they are few, and counted in
/// bins beyond that.
///
/// The result is bit-identical for every order and grouping of the values.
public struct FigureValues: Hashable, Sendable {
  /// The most values that are kept individually.
  public static let mostExact = 1000

  /// The values, with the number of occurrences of each.
  public private(set) var counts = ValueCounts()
  /// The individual values in order; `nil` if there are too many, or if they come from a summary
  /// written before individual values were kept.
  public private(set) var exact: [Int64]? = []

  /// No values yet.
  public init() {}

  /// Values read from elsewhere.
  /// - Returns: `nil` if the counts and the individual values are inconsistent.
  package init?(_ counts: ValueCounts, exact: [Int64]?) {
    self.counts = counts
    self.exact = counts.count == 1 ? [Int64(clamping: counts.sum)] : exact
    guard let exact = self.exact else { return }
    let sum = exact.reduce(Int128(0)) { $0 + Int128($1) }
    guard exact.count == counts.count, exact.first == counts.low, exact.last == counts.high,
      sum == counts.sum, zip(exact.dropFirst(), exact).allSatisfy({ $0 >= $1 })
    else { return nil }
  }

  mutating func add(_ value: Int64) {
    counts.add(value)
    guard let count = exact?.count, count < Self.mostExact,
      let place = exact?.partitioningIndex(where: { $0 > value })
    else {
      exact = nil
      return
    }
    exact?.insert(value, at: place)
  }

  /// Adds the values of other runs.
  mutating func merge(_ other: FigureValues) {
    counts.merge(other.counts)
    guard let count = exact?.count, let two = other.exact, count + two.count <= Self.mostExact
    else {
      exact = nil
      return
    }
    if two.count == 1, let place = exact?.partitioningIndex(where: { $0 > two[0] }) {
      exact?.insert(two[0], at: place)
    } else {
      exact?.append(contentsOf: two)
      exact?.sort()
    }
  }

  /// The values in ascending order, in the unit, with the number of occurrences of each.
  var values: [(value: Double, count: Int64)] {
    exact.map { $0.map { (Millionths.value($0), 1) } } ?? counts.middles
  }
}
