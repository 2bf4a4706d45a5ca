public import FrameStatistics

/// The values of a figure, one a run: each as it is as long as they are few, and counted in bins beyond that.
///
/// Whatever order and grouping values come in, the same bits come out.
public struct FigureValues: Hashable, Sendable {
  /// The most values that are kept one by one.
  public static let mostExact = 1000

  /// The values with how often each comes.
  public private(set) var counts = ValueCounts()
  /// In order; `nil` where there are too many, or where they were counted before values were kept.
  public private(set) var exact: [Int64]? = []

  /// No values yet.
  public init() {}

  /// Values that were kept elsewhere.
  /// - Returns: `nil` where they cannot be the same ones.
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
    guard var values = exact, values.count < Self.mostExact else {
      exact = nil
      return
    }
    values.insert(value, at: values.boundary { $0 > value })
    exact = values
  }

  /// Adds the values of other runs.
  mutating func merge(_ other: FigureValues) {
    counts.merge(other.counts)
    guard let one = exact, let two = other.exact, one.count + two.count <= Self.mostExact else {
      exact = nil
      return
    }
    exact = (one + two).sorted()
  }

  /// The values from the smallest on, in the unit that they are kept in, with how many there are.
  var values: [(value: Double, count: Int64)] {
    exact.map { $0.map { (Double($0), 1) } } ?? counts.middles
  }
}
