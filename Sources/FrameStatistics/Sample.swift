/// Values of one kind, with their limits and their sum.
public struct Sample: Sendable {
  /// The values in their original order.
  public private(set) var values: [Int64]
  /// The smallest and the largest value; `nil` if there are none.
  package private(set) var limits: (low: Int64, high: Int64)?
  /// The sum of the values, which may exceed 64 bits.
  public private(set) var sum = Int128(0)

  /// The number of values processed at a time, so that they stay in the cache.
  package static let blockSize = 4096

  /// Creates a sample of values.
  public init(_ values: [Int64]) {
    self.values = values
    takeIn(0..<values.count)
  }

  /// Creates an empty sample that uses `memory`, discarding its content.
  package init(using memory: consuming [Int64], expecting count: Int) {
    memory.removeAll(keepingCapacity: true)
    memory.reserveCapacity(count)
    values = memory
  }

  /// Appends the values that `body` outputs, at most `count`.
  @inline(__always)
  package mutating func append(atMost count: Int, _ body: (inout OutputSpan<Int64>) -> Void) {
    let start = values.count
    values.append(addingCapacity: count, initializingWith: body)
    takeIn(start..<values.count)
  }

  private mutating func takeIn(_ range: Range<Int>) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
      let end = min(start + Self.blockSize, range.upperBound)
      takeInBlock(start..<end)
    }
  }

  private mutating func takeInBlock(_ range: Range<Int>) {
    let (low, high, partial) = Self.ends(values.span.extracting(range))
    limits = limits.map { (min($0.low, low), max($0.high, high)) } ?? (low, high)
    // Numbers of up to 50 bits cannot exceed 64 bits when summed over a block; larger numbers are rare.
    if low < -(1 << 50) || high > 1 << 50 {
      for index in range { sum += Int128(values[index]) }
    } else {
      sum += Int128(partial)
    }
  }

  private static func ends(_ block: Span<Int64>) -> (low: Int64, high: Int64, sum: Int64) {
    var low = Int64.max
    var high = Int64.min
    var sum = Int64(0)
    for index in 0..<block.count {
      low = min(low, block[index])
      high = max(high, block[index])
      sum &+= block[index]
    }
    return (low, high, sum)
  }

  /// The memory of the values, for the next sample.
  package consuming func takeMemory() -> [Int64] { values }
}
