/// A protocol buffer message being written.
package struct ProtobufText {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Returns what has been written so far and removes it.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Adds a number; negative ones take ten bytes.
  package mutating func add(_ field: Int, _ number: Int64) {
    varint(UInt64(field) << 3)
    varint(UInt64(bitPattern: number))
  }

  /// Adds a number of four bytes.
  package mutating func add(_ field: Int, fixed number: UInt32) {
    varint(UInt64(field) << 3 | 5)
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(number >> shift & 0xff)) }
  }

  /// Adds a number of eight bytes.
  package mutating func add(_ field: Int, fixed64 number: UInt64) {
    varint(UInt64(field) << 3 | 1)
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(number >> shift & 0xff)) }
  }

  package mutating func add(_ field: Int, _ text: String) {
    varint(UInt64(field) << 3 | 2)
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Adds a nested message, written in place by the closure.
  package mutating func add(_ field: Int, _ body: (inout ProtobufText) -> Void) {
    varint(UInt64(field) << 3 | 2)
    // Most messages are so short that their length takes one byte.
    let position = bytes.count
    bytes.append(0)
    body(&self)
    let length = bytes.count - position - 1
    guard length >= 0x80 else {
      bytes[position] = UInt8(length)
      return
    }
    var head = ProtobufText()
    head.varint(UInt64(length))
    bytes.replaceSubrange(position...position, with: head.bytes)
  }

  private mutating func varint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
