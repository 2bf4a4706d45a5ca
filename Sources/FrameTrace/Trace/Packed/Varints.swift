/// Unsigned whole numbers as consecutive varints: seven bits in each byte, the low ones first, and the high bit set in
/// all but the last byte of a number.
package enum Varints {
  /// The varint encoding of numbers.
  package static func bytes(_ numbers: [UInt64]) -> [UInt8] {
    var bytes = PackedBytes()
    for number in numbers { bytes.add(varint: number) }
    return bytes.bytes
  }

  /// All numbers in some bytes; `nil` if the last number is cut off or a number has more than 64 bits.
  package static func numbers(_ bytes: [UInt8]) -> [UInt64]? {
    var cursor = PackedCursor(bytes, budget: bytes.count)
    var numbers: [UInt64] = []
    numbers.reserveCapacity(bytes.count)
    while !cursor.isAtEnd {
      guard let number = try? cursor.varint() else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
