/// Reads little-endian numbers and strings from bytes, one after the other.
struct TraceDatCursor {
  let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int
  /// The position of the bytes in the file, for errors; the section's position for bytes that were compressed.
  private let origin: Int
  private let isInflated: Bool

  init(_ bytes: [UInt8], at position: Int, end: Int? = nil) {
    (self.bytes, self.position, self.end) = (bytes, position, min(bytes.count, end ?? bytes.count))
    (origin, isInflated) = (0, false)
  }

  /// - Parameter section: The position in the file of the section that contains the bytes.
  init(inflated bytes: [UInt8], of section: Int) {
    (self.bytes, position, end) = (bytes, 0, bytes.count)
    (origin, isInflated) = (section, true)
  }

  var isAtEnd: Bool { position >= end }
  /// The position in the file.
  var offset: Int { isInflated ? origin : position }

  func problem(_ expected: String) -> TraceDatProblem {
    TraceDatProblem(
      offset: offset, problem: "expected \(expected), found the end of the trace-cmd recording")
  }

  /// A number of one to eight bytes.
  mutating func number(_ size: Int) throws(TraceDatProblem) -> UInt64 {
    guard position >= 0, size <= end - position else { throw problem("a number of \(size) bytes") }
    var number: UInt64 = 0
    for index in 0..<size { number |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += size
    return number
  }

  /// A size or an offset, which lies within the file.
  mutating func size(_ width: Int) throws(TraceDatProblem) -> Int {
    let found = try number(width)
    guard let size = Int(exactly: found) else {
      throw TraceDatProblem(
        offset: offset, problem: "expected a size within the trace-cmd recording, found \(found)")
    }
    return size
  }

  /// A null-terminated string.
  mutating func text() throws(TraceDatProblem) -> String {
    guard position >= 0, position < end, let zero = bytes[position..<end].firstIndex(of: 0) else {
      throw problem("a text")
    }
    defer { position = zero + 1 }
    return String(decoding: bytes[position..<zero], as: UTF8.self)
  }

  /// The range of the next bytes, which are skipped.
  mutating func range(_ count: Int) throws(TraceDatProblem) -> Range<Int> {
    guard position >= 0, count >= 0, count <= end - position else {
      throw problem("\(count) bytes")
    }
    defer { position += count }
    return position..<position + count
  }

  /// A string with the given number of bytes.
  mutating func text(_ count: Int) throws(TraceDatProblem) -> String {
    String(decoding: bytes[try range(count)], as: UTF8.self)
  }
}
