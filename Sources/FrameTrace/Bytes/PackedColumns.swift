/// Columns of whole numbers as few bytes, which a page's script can read.
///
/// Of each column the values are stored, their differences, or the differences of these, whichever is smallest,
/// divided by what all of them are a multiple of. The lowest bytes of all numbers come first, then the next higher
/// ones: compressed, bytes that hardly change take next to nothing. Signs are in the lowest bit. All columns
/// together are compressed (RFC 1950).
package struct PackedColumns: Sendable {
  /// What it takes to read a column.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// How many values it has, missing ones included.
    package let count: Int
    /// How many times sums have to be taken.
    package let order: Int
    /// What the numbers are multiples of.
    package let unit: Int64
    /// How many bytes each number has.
    package let width: Int
    /// Whether some values are missing: then a byte for each, 1 for those that are there, comes first.
    package let isSparse: Bool
  }

  package private(set) var columns: [Column] = []
  private var bytes: [UInt8] = []

  package init() {}

  /// Numbers from here on are not exact in JavaScript.
  private static let bound: Int64 = 1 << 53

  /// Adds a column. What a script could not read exactly is missing.
  package mutating func add(_ name: String, _ values: [Int64?]) {
    let values = values.map { $0.flatMap { abs($0 / 2) < Self.bound / 2 ? $0 : nil } }
    let isSparse = values.contains { $0 == nil }
    let known = values.compactMap { $0 }
    let choices = [known, Self.differences(known), Self.differences(Self.differences(known))]
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
    for place in 0..<width {
      bytes += numbers.map { UInt8(truncatingIfNeeded: $0 >> UInt64(8 * place)) }
    }
    columns.append(
      Column(
        name: name, count: values.count, order: order, unit: unit, width: width,
        isSparse: isSparse))
  }

  /// All columns, compressed.
  package var compressed: [UInt8] { Deflated.all(bytes) }

  /// The first number, and what each other one is more than the one before.
  private static func differences(_ numbers: [Int64]) -> [Int64] {
    var before: Int64 = 0
    return numbers.map { number in
      defer { before = number }
      return number - before
    }
  }

  /// How many bits the numbers take.
  private static func cost(_ numbers: [Int64]) -> Int {
    numbers.reduce(0) { $0 + 64 - $1.magnitude.leadingZeroBitCount }
  }

  private static func divisor(_ one: Int64, _ other: Int64) -> Int64 {
    var (one, other) = (one.magnitude, other.magnitude)
    while other != 0 { (one, other) = (other, one % other) }
    return Int64(one)
  }
}
