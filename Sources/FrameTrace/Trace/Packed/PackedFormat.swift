/// The packed form of the native trace format: the same content, with the rows of tables as compressed columns.
///
/// All numbers are little-endian; a *varint* has seven bits in each byte, the low ones first, and the high bit set in
/// all but the last byte. A file is the signature, a version byte, and blocks:
///
///     kind (1 byte) · size of the content (4 bytes) · its CRC-32 (4 bytes) · content
///
/// - **facts** (1): lines of the native format, as one zstd frame after their size as a varint: the header and all
///   records except rows of tables. Long facts are spread over several blocks.
/// - **rows** (2): at most 65,536 rows of a table, see ``PackedRows``.
/// - **end** (0): empty. A file without this block was cut off; its complete blocks are read.
package enum PackedFormat {
  /// No text begins with these bytes, and transfers that change line ends change these bytes, too.
  package static let signature: [UInt8] = [0x89] + Array("FTZ\r\n".utf8) + [0x1a, 0x0a]
  /// The version after the signature.
  package static let version: UInt8 = 1

  enum Kind: UInt8 { case end, facts, rows }

  /// The bytes before a block's content.
  static let blockHead = 9
  /// The maximum number of rows in a block.
  static let mostRows = 1 << 16
  /// The largest block content that is read.
  static let mostContent = 1 << 28
  /// The size of the text of a block of facts.
  static let factsSize = 1 << 20
}

/// Bytes of packed content that are being written.
struct PackedBytes {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ byte: UInt8) { bytes.append(byte) }

  mutating func add(varint number: UInt64) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A number of either sign; small numbers take few bytes.
  mutating func add(signed number: Int64) { add(varint: Zigzag.folded(number)) }

  mutating func add(_ text: String) {
    add(varint: UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// Bytes with their size before and after compression.
  mutating func add(compressed content: [UInt8]) {
    let packed = Deflated.zstd(content)
    add(varint: UInt64(content.count))
    add(varint: UInt64(packed.count))
    bytes += packed
  }
}

/// Maps signed whole numbers to unsigned ones: 0, -1, 1, -2 become 0, 1, 2, 3.
enum Zigzag {
  @inline(__always)
  static func folded(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: (number << 1) ^ (number >> 63))
  }

  @inline(__always)
  static func unfolded(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }
}

/// Packed content that is being read.
struct PackedCursor {
  /// Why content cannot be read.
  enum Damage: Error {
    /// The content does not follow the format.
    case content
    /// The content would take more memory than allowed.
    case size
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The number of bytes that further content may take, and the number taken so far.
  private var budget: Int
  private(set) var inflated = 0

  /// - Parameter budget: The maximum number of bytes that the content may take.
  init(_ bytes: [UInt8], budget: Int) { (self.bytes, self.budget) = (bytes, budget) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws(Damage) -> UInt8 {
    guard position < bytes.count else { throw .content }
    position += 1
    return bytes[position - 1]
  }

  mutating func varint() throws(Damage) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let byte = try byte()
      number |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte < 0x80 { return number }
    }
    throw .content
  }

  mutating func signed() throws(Damage) -> Int64 { Zigzag.unfolded(try varint()) }

  /// A count of at most `most`.
  mutating func count(atMost most: Int) throws(Damage) -> Int {
    let number = try varint()
    guard number <= UInt64(most) else { throw .content }
    return Int(number)
  }

  /// An index of one of `count` elements.
  mutating func index(below count: Int) throws(Damage) -> Int {
    guard count > 0 else { throw .content }
    return try self.count(atMost: count - 1)
  }

  /// The size of the item that follows.
  private mutating func sizeAhead() throws(Damage) -> Int {
    let size = try count(atMost: bytes.count)
    guard size <= bytes.count - position else { throw .content }
    return size
  }

  mutating func text() throws(Damage) -> String {
    let count = try sizeAhead()
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  /// Charges the memory of the content that follows.
  mutating func charge(_ bytes: Int) throws(Damage) {
    guard bytes <= budget else { throw .size }
    budget -= bytes
    inflated += bytes
  }

  mutating func decompressed() throws(Damage) -> [UInt8] {
    let size = try varint()
    let packed = try sizeAhead()
    // The size stated by the frame costs nothing to compare.
    guard Inflated.zstdSize(bytes, position..<position + packed) == size else { throw .content }
    guard size <= UInt64(budget) else { throw .size }
    guard let content = Inflated.zstd(bytes, position..<position + packed, to: Int(size)) else {
      throw .content
    }
    position += packed
    try charge(content.count)
    return content
  }
}
