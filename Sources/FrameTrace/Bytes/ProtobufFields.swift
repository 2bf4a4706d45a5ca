/// Iterates over the fields of a protocol buffer message within a byte buffer.
///
/// Wire format: https://protobuf.dev/programming-guides/encoding. Every length is checked against
/// the available bytes. Groups, which are obsolete, end the iteration like broken data.
package struct ProtobufFields {
  /// The value of a field.
  package enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// The range of a string, bytes, a message or packed numbers.
    case bytes(Range<Int>)
  }

  @usableFromInline var position: Int
  @usableFromInline let end: Int
  /// Whether the message ended with something that is not a field.
  @usableFromInline package internal(set) var isBroken = false
  /// The number of the field that `next` found.
  @usableFromInline package internal(set) var number = 0

  /// - Parameter range: The message, within the bytes passed to each call.
  package init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  /// The next field, with its number stored in `number`; `nil` at the end, or if the rest is broken.
  @inlinable @inline(__always)
  package mutating func next(_ bytes: Span<UInt8>) -> Value? {
    guard position < end, !isBroken else { return nil }
    guard let tag = varint(bytes) else { return fail() }
    number = Int(truncatingIfNeeded: tag &>> 3)
    guard number > 0 else { return fail() }
    switch tag & 7 {
    case 0: return varint(bytes).map { .varint($0) } ?? fail()
    case 1: return word(bytes, 8).map { .fixed64($0) } ?? fail()
    case 5: return word(bytes, 4).map { .fixed32(UInt32(truncatingIfNeeded: $0)) } ?? fail()
    case 2:
      guard let length = varint(bytes), length <= UInt64(end &- position) else { return fail() }
      let start = position
      position &+= Int(length)
      return .bytes(start..<position)
    default: return fail()
    }
  }

  @usableFromInline
  mutating func fail() -> Value? {
    isBroken = true
    return nil
  }

  /// A number of up to ten bytes with seven bits each, the lowest first; `nil` if it is not
  /// terminated.
  @inlinable @inline(__always)
  mutating func varint(_ bytes: Span<UInt8>) -> UInt64? {
    guard position < end else { return nil }
    // Most numbers are tags and small values.
    let first = bytes[position]
    guard first >= 0x80 else {
      position &+= 1
      return UInt64(first)
    }
    return longVarint(bytes)
  }

  @usableFromInline
  mutating func longVarint(_ bytes: Span<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end, shift < 70 {
      let byte = bytes[position]
      position &+= 1
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
    return nil
  }

  @usableFromInline
  mutating func word(_ bytes: Span<UInt8>, _ count: Int) -> UInt64? {
    guard end - position >= count else { return nil }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += count
    return value
  }
}

extension ProtobufFields.Value {
  /// A whole number in any encoding; `nil` for bytes.
  package var number: UInt64? {
    switch self {
    case .varint(let value), .fixed64(let value): value
    case .fixed32(let value): UInt64(value)
    case .bytes: nil
    }
  }

  /// A signed number: negative numbers are stored as their 64 bits.
  package var signed: Int64? { number.map { Int64(bitPattern: $0) } }

  package var flag: Bool { number.map { $0 != 0 } ?? false }

  /// A number with a fraction part.
  package var real: Double? {
    switch self {
    case .fixed32(let bits): Double(Float(bitPattern: bits))
    case .fixed64(let bits): Double(bitPattern: bits)
    case .varint, .bytes: nil
    }
  }

  /// The range of the bytes; `nil` for a number.
  package var range: Range<Int>? {
    if case .bytes(let range) = self { return range }
    return nil
  }

  /// A string in some bytes; `nil` for a number.
  package func text(in bytes: [UInt8]) -> String? {
    range.map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}

/// The fields of a message by number; the last value of a repeated field.
package struct ProtobufMessage {
  let bytes: [UInt8]
  private var fields: [(number: Int, value: ProtobufFields.Value)] = []
  /// Whether the message ended with something that is not a field.
  let isBroken: Bool

  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    var reader = ProtobufFields(range)
    let span = bytes.span
    while let value = reader.next(span) { fields.append((reader.number, value)) }
    isBroken = reader.isBroken
  }

  package subscript(number: Int) -> ProtobufFields.Value? {
    fields.last { $0.number == number }?.value
  }

  /// The values of a repeated field.
  package func all(_ number: Int) -> [ProtobufFields.Value] {
    fields.compactMap { $0.number == number ? $0.value : nil }
  }

  /// A signed whole number.
  package func integer(_ number: Int) -> Int64? { self[number]?.signed }

  package func flag(_ number: Int) -> Bool? { self[number].map(\.flag) }

  package func text(_ number: Int) -> String? { self[number]?.text(in: bytes) }

  /// A nested message.
  package func message(_ number: Int) -> ProtobufMessage? {
    self[number]?.range.map { ProtobufMessage(bytes, $0) }
  }

  /// The messages of a repeated field.
  package func messages(_ number: Int) -> [ProtobufMessage] {
    all(number).compactMap { $0.range.map { ProtobufMessage(bytes, $0) } }
  }
}

/// Packed numbers.
package enum ProtobufNumbers {
  /// The numbers in some bytes, up to the first unterminated number.
  package static func all(_ bytes: [UInt8], _ range: Range<Int>) -> [Int64] {
    var numbers: [Int64] = []
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for position in range {
      guard shift < 70 else { break }
      let byte = bytes[position]
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 {
        numbers.append(Int64(bitPattern: value))
        (value, shift) = (0, 0)
      } else {
        shift += 7
      }
    }
    return numbers
  }
}
