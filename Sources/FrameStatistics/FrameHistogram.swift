/// Counts of frame times in fixed bins with a constant relative width, as fine at 1 ms as at 1 s.
///
/// A bin is identified by the leading bits of the time in milliseconds as a 64-bit number, including nine bits after
/// the exponent. There are 512 bins from a time to its double, so the middle of a bin is within 0.1 % of its values.
/// Counts are integers, so merging histograms gives identical results in any order.
public struct FrameHistogram: Hashable, Sendable {
  /// The number of dropped bits of a number.
  static let shift = UInt64(43)

  /// The first bin in `counts`.
  package private(set) var firstBin = 0
  /// The counts of that bin and the following ones.
  package private(set) var counts: [Int64] = []

  /// Creates a histogram without values.
  public init() {}

  package init(firstBin: Int, counts: [Int64]) {
    self.firstBin = firstBin
    self.counts = counts
  }

  /// The bin of a positive time in milliseconds.
  public static func bin(_ milliseconds: Double) -> Int {
    Int(truncatingIfNeeded: milliseconds.bitPattern >> shift)
  }

  /// The smallest time in a bin, in milliseconds.
  public static func start(of bin: Int) -> Double {
    Double(bitPattern: UInt64(truncatingIfNeeded: bin) << shift)
  }

  /// The number of values in all bins.
  public var total: Int64 { counts.reduce(0, &+) }

  /// Counts a time in milliseconds.
  public mutating func add(_ milliseconds: Double) { add(1, toBin: Self.bin(milliseconds)) }

  package mutating func add(_ count: Int64, toBin bin: Int) {
    if counts.isEmpty { firstBin = bin }
    if bin < firstBin {
      counts.insert(contentsOf: repeatElement(0, count: firstBin - bin), at: 0)
      firstBin = bin
    }
    while bin - firstBin >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: bin - firstBin - counts.count + 1))
    }
    counts[bin - firstBin] += count
  }

  /// Adds the counts of another histogram.
  public mutating func merge(_ other: FrameHistogram) {
    guard let last = other.counts.indices.last else { return }
    // Both ends are added first to make room for all bins between them.
    add(other.counts[0], toBin: other.firstBin)
    guard last > 0 else { return }
    add(other.counts[last], toBin: other.firstBin + last)
    let shift = other.firstBin - firstBin
    // Counts in files are small enough that the sums of millions of runs do not overflow.
    let added = other.counts.span
    var sums = counts.mutableSpan
    for index in 1..<last { sums[shift + index] &+= added[index] }
  }

  /// The bins with a count, in order.
  package var bins: [(bin: Int, count: Int64)] {
    counts.enumerated().compactMap { $1 > 0 ? (firstBin + $0, $1) : nil }
  }

  /// The number of times in bins above the one with a time in milliseconds.
  package func count(above milliseconds: Double) -> Int64 {
    let first = Self.bin(milliseconds) + 1 - firstBin
    return counts.dropFirst(max(0, first)).reduce(0, +)
  }

  /// A quantile by linear interpolation within its bin, in milliseconds; `nil` if nothing was counted.
  public func quantile(_ p: Double) -> Double? {
    let n = total
    guard n > 0 else { return nil }
    let position = Double(n - 1) * p
    var before: Int64 = 0
    for (index, count) in counts.enumerated() where count > 0 {
      if Double(before + count) > position {
        let low = Self.start(of: firstBin + index)
        let high = Self.start(of: firstBin + index + 1)
        let share = min(max((position - Double(before) + 0.5) / Double(count), 0), 1)
        return low + (high - low) * share
      }
      before += count
    }
    return nil
  }
}
