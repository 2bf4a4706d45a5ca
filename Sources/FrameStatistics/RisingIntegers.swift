/// Integers in rising order, such as times, with fast lookup of the position of a value.
///
/// Times of frames and refreshes are looked up several times for each frame of a trace, and a binary search in millions
/// of them waits for memory at every step. Here, the range of the values is cut into about as many equal parts as there
/// are values, and the position of the first value of each part is stored. A search is limited to one part: in constant
/// time if values are about evenly spaced, and in logarithmic time at worst.
@frozen @usableFromInline
package struct RisingIntegers: Sendable {
  /// The integers, in the order given.
  @usableFromInline package let values: [Int64]
  /// The width of a part, as a power of two.
  @usableFromInline let shift: UInt64
  /// The number of values before each part, and the number of all values at the end. Empty if there are no values.
  @usableFromInline let before: [UInt32]

  /// - Precondition: No value is less than the previous one, and there are fewer than 2³² values.
  package init(_ values: [Int64]) {
    self.values = values
    guard let first = values.first, let last = values.last else {
      (shift, before) = (0, [])
      return
    }
    let range = UInt64(bitPattern: last &- first)
    var shift: UInt64 = 0
    while range >> shift >= UInt64(values.count) { shift += 1 }
    let lastPart = range >> shift
    var before: [UInt32] = []
    before.reserveCapacity(Int(lastPart) + 2)
    for (position, value) in values.enumerated() {
      // Without the limit, values that do not rise would take an unbounded amount of memory.
      let part = min(UInt64(bitPattern: value &- first) >> shift, lastPart)
      while before.count <= part { before.append(UInt32(position)) }
    }
    while before.count <= lastPart + 1 { before.append(UInt32(values.count)) }
    (self.shift, self.before) = (shift, before)
  }

  /// The position of the last value that is not greater than another; −1 if all are greater or there are none.
  @inlinable @inline(__always)
  package func position(of value: Int64) -> Int {
    let last = values.count - 1
    guard last >= 0, value >= values[0] else { return -1 }
    guard value < values[last] else { return last }
    let part = Int(truncatingIfNeeded: UInt64(bitPattern: value &- values[0]) >> shift)
    // The first part starts with the first value, which is not greater than the requested value.
    var low = max(0, Int(before[part]) - 1)
    var high = Int(before[part + 1])
    while high - low > 1 {
      let middle = (low + high) / 2
      if values[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }
}
