public import FrameStatistics

/// The values of a figure, one per run. A small number of values is kept individually; more values are counted in bins.
///
/// The result is bit-identical for every order and grouping of the values.
public struct FigureValues: Hashable, Sendable {
  /// The maximum number of values that are kept individually.
  public static let mostExact = 1000

  private var storage = Storage.each([])

  private enum Storage: Hashable {
    /// The values in order.
    case each([Int64])
    indirect case counted(ValueCounts)
  }

  /// The values that a figure may have: the difference of any two fits in 64 bits.
  package static let possible = -(Int64(1) << 62) + 1..<Int64(1) << 62

  /// Creates an empty collection.
  public init() {}

  /// Creates a collection with one value.
  package init(_ value: Int64) { storage = .each([value]) }

  /// Creates a collection from values that were kept individually.
  /// - Returns: `nil` if they are not in order, too many, or not possible.
  package init?(each values: [Int64]) {
    guard let first = values.first, let last = values.last, values.count <= Self.mostExact,
      Self.possible.contains(first), Self.possible.contains(last),
      zip(values.dropFirst(), values).allSatisfy({ $0 >= $1 })
    else { return nil }
    storage = .each(values)
  }

  /// Creates a collection from values that were counted, because there were too many, or because earlier versions did
  /// not keep them.
  /// - Returns: `nil` if any value is not possible.
  package init?(_ counts: ValueCounts) {
    guard let low = counts.low, let high = counts.high, Self.possible.contains(low),
      Self.possible.contains(high)
    else { return nil }
    storage = counts.count == 1 ? .each([low]) : .counted(counts)
  }

  /// The individual values in order; `nil` if they were only counted.
  public var exact: [Int64]? {
    if case .each(let values) = storage { return values }
    return nil
  }

  /// The values, with the number of occurrences of each.
  ///
  /// - Complexity: O(*n*) for values that are kept individually.
  public var counts: ValueCounts {
    switch storage {
    case .counted(let counts): counts
    case .each(let values): values.reduce(into: ValueCounts()) { $0.add($1) }
    }
  }

  /// The number of values.
  public var count: Int64 {
    switch storage {
    case .counted(let counts): counts.count
    case .each(let values): Int64(values.count)
    }
  }

  /// The sum of the values.
  var sum: Int128 {
    switch storage {
    case .counted(let counts): counts.sum
    case .each(let values): values.reduce(0) { $0 + Int128($1) }
    }
  }

  /// The smallest value; `nil` if there is none.
  var low: Int64? {
    switch storage {
    case .counted(let counts): counts.low
    case .each(let values): values.first
    }
  }

  mutating func add(_ value: Int64) { merge(FigureValues(value)) }

  /// Adds the values of other runs.
  mutating func merge(_ other: FigureValues) {
    if case .each(var values) = storage, case .each(let others) = other.storage,
      values.count + others.count <= Self.mostExact
    {
      // The existing values are taken out, here and below, so that they are not copied for each run.
      storage = .each([])
      if others.count == 1 {
        values.insert(others[0], at: values.partitioningIndex { $0 > others[0] })
      } else {
        values.append(contentsOf: others)
        values.sort()
      }
      storage = .each(values)
      return
    }
    var sum = counts
    storage = .each([])
    switch other.storage {
    case .each(let others): for value in others { sum.add(value) }
    case .counted(let counts): sum.merge(counts)
    }
    storage = .counted(sum)
  }

  /// The values in ascending order, in the unit, with the number of occurrences of each.
  var values: [(value: Double, count: Int64)] {
    exact.map { $0.map { (Millionths.value($0), 1) } } ?? counts.middles
  }
}
