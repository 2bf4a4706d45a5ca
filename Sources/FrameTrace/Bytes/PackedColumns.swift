/// Columns of whole numbers in few bytes, readable by a script on a page.
///
/// For each column, the values, their differences, or their second differences are stored, whichever is smallest,
/// divided by a common divisor. The lowest bytes of all numbers come first, then the next higher ones: bytes that
/// hardly change then take almost no space after compression. Signs are in the lowest bit. All columns are compressed
/// together (RFC 1950).
package struct PackedColumns: Sendable {
  /// The parameters needed to read a column.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// The number of values, including missing ones.
    package let count: Int
    /// How many times the numbers must be summed.
    package let order: Int
    /// The common divisor of the numbers.
    package let unit: Int64
    /// The number of bytes for each number.
    package let width: Int
    /// Whether some values are missing. If so, the column starts with a byte for each value: 1 if
    /// it is present.
    package let isSparse: Bool
  }

  package private(set) var columns: [Column] = []
  private var bytes: [UInt8] = []

  package init() {}

  /// Numbers of this magnitude or more are not exact in JavaScript.
  private static let bound: Int64 = 1 << 53

  /// Adds a column. Values that a script could not read exactly are stored as missing.
  package mutating func add(_ name: String, _ values: [Int64?]) {
    let values = values.map { $0.flatMap { abs($0 / 2) < Self.bound / 2 ? $0 : nil } }
    let isSparse = values.contains { $0 == nil }
    let known = values.compactMap { $0 }
    let choices = Self.readable([
      known, Self.differences(known), Self.differences(Self.differences(known)),
    ])
    let costs = choices.map(Self.cost)
    let order = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    let unit = max(1, choices[order].reduce(0, Self.divisor))
    let numbers = choices[order].map { number in
      let quotient = number / unit
      return UInt64(bitPattern: quotient << 1 ^ quotient >> 63)
    }
    let highest = numbers.reduce(0, |)
    let width = (64 - highest.leadingZeroBitCount + 7) / 8
    if isSparse { bytes += values.map { $0 == nil ? 0 : 1 } }
    for position in 0..<width {
      bytes += numbers.map { UInt8(truncatingIfNeeded: $0 >> UInt64(8 * position)) }
    }
    columns.append(
      Column(
        name: name, count: values.count, order: order, unit: unit, width: width,
        isSparse: isSparse))
  }

  /// All columns, compressed.
  package var compressed: [UInt8] { Deflated.all(bytes) }

  /// The choices before the first one with a number that a script could not read exactly; sums pass through all of
  /// them.
  private static func readable(_ choices: [[Int64]]) -> ArraySlice<[Int64]> {
    choices.prefix { numbers in numbers.allSatisfy { $0.magnitude < bound } }
  }

  /// The first number, followed by the difference of each number from the previous one.
  private static func differences(_ numbers: [Int64]) -> [Int64] {
    var before: Int64 = 0
    return numbers.map { number in
      defer { before = number }
      return number - before
    }
  }

  /// The number of bits needed for the numbers.
  private static func cost(_ numbers: [Int64]) -> Int {
    numbers.reduce(0) { $0 + 64 - $1.magnitude.leadingZeroBitCount }
  }

  private static func divisor(_ one: Int64, _ other: Int64) -> Int64 {
    var (one, other) = (one.magnitude, other.magnitude)
    while other != 0 { (one, other) = (other, one % other) }
    return Int64(one)
  }
}
