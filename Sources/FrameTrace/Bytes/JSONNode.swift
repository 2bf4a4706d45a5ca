/// A value in JSON text, parsed on demand.
package struct JSONNode {
  private let bytes: [UInt8]
  private let token: JSONScanner.Token

  /// Creates a value from a complete text.
  package init(_ bytes: [UInt8]) throws(JSONScanner.Problem) {
    var scanner = JSONScanner(bytes, 0..<bytes.count)
    self.init(bytes, try scanner.value())
  }

  /// Creates a value from the complete text of a file.
  /// - Parameter help: What to try if the text is not JSON.
  package init(_ bytes: [UInt8], path: String, help: String) throws(ParseError) {
    do throws(JSONScanner.Problem) {
      self = try JSONNode(bytes)
    } catch {
      throw ParseError(
        path: path, position: .byte(error.offset), problem: "expected \(error.expected)", help: help
      )
    }
  }

  /// Creates a value from a complete text; `nil` if the text is not JSON.
  package init?(reading bytes: [UInt8]) {
    guard let node = try? JSONNode(bytes) else { return nil }
    self = node
  }

  /// Creates a value from scanned text.
  init(_ bytes: [UInt8], _ token: JSONScanner.Token) {
    (self.bytes, self.token) = (bytes, token)
  }

  /// Creates a value by copying it from a larger text; `nil` if it is not JSON.
  package init?(copying bytes: Span<UInt8>, _ token: JSONScanner.Token) {
    self.init(reading: token.range.map { bytes[$0] })
  }

  /// The members of an object in order; empty for other values.
  package var members: [(key: String, value: JSONNode)] { members(atMost: .max) ?? [] }

  /// The members of an object in order; `nil` for other values, and for an object with more members.
  package func members(atMost most: Int) -> [(key: String, value: JSONNode)]? {
    guard token.kind == .object else { return nil }
    var scanner = JSONScanner(bytes, token.range)
    var members: [JSONScanner.Member] = []
    // The enclosing value has already been scanned to its end.
    guard (try? scanner.object(into: &members, atMost: most)) != nil else { return nil }
    return members.map { member in
      let key = (member.key.lowerBound - 1)..<(member.key.upperBound + 1)
      return (JSONScanner.text(bytes, key), JSONNode(bytes, member.value))
    }
  }

  /// The members of an object by key; if a key repeats, the last one counts. Use this for many keys, because it reads
  /// the object only once.
  package var membersByKey: [String: JSONNode] {
    Dictionary(members.map { ($0.key, $0.value) }) { $1 }
  }

  /// The members of an object for lookup by key. Keys are not converted to strings, so this is the choice for numerous
  /// objects.
  package var fields: JSONFields {
    guard token.kind == .object else { return JSONFields(bytes, []) }
    var scanner = JSONScanner(bytes, token.range)
    var members: [JSONScanner.Member] = []
    // The enclosing value has already been scanned to its end.
    guard (try? scanner.object(into: &members)) != nil else { return JSONFields(bytes, []) }
    return JSONFields(bytes, members)
  }

  /// The member of an object with that key; if a key repeats, the last one.
  package subscript(key: String) -> JSONNode? { members.last { $0.key == key }?.value }

  /// The values of an array; `nil` for other values.
  package var array: [JSONNode]? { array(atMost: .max) }

  /// The values of an array; `nil` for other values, and for an array with more values.
  package func array(atMost most: Int) -> [JSONNode]? {
    guard token.kind == .array else { return nil }
    var scanner = JSONScanner(bytes, token.range)
    return (try? scanner.array(atMost: most))?.map { JSONNode(bytes, $0) }
  }

  package var text: String? { token.kind == .string ? JSONScanner.text(bytes, token.range) : nil }
  package var isObject: Bool { token.kind == .object }
  package var isTrue: Bool { token.kind == .true }

  /// The number; `nil` if the value is not a finite number.
  package var number: Double? {
    guard token.kind == .number else { return nil }
    return Double(String(decoding: bytes[token.range], as: UTF8.self)).flatMap {
      $0.isFinite ? $0 : nil
    }
  }

  /// The number, if it is a whole number.
  package var integer: Int64? {
    guard token.kind == .number else { return nil }
    var position = token.range.lowerBound
    guard let value = Self.integer(bytes.span, &position), position == token.range.upperBound else {
      return nil
    }
    return value
  }

  /// The values of an array of whole numbers; `nil` for other values. They are read without creating a node for each.
  package var integers: [Int64]? {
    guard token.kind == .array else { return nil }
    let span = bytes.span
    var values: [Int64] = []
    var position = token.range.lowerBound + 1
    let end = token.range.upperBound - 1
    // The text has already been scanned, so only the characters between numbers matter.
    while position < end {
      let byte = span[position]
      if byte == UInt8(ascii: ",") || byte <= 0x20 {
        position += 1
        continue
      }
      guard let value = Self.integer(span, &position) else { return nil }
      guard position == end || span[position] == UInt8(ascii: ",") || span[position] <= 0x20 else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// Reads a whole number and advances past its digits.
  /// - Returns: `nil` if there are no digits, or the number is one of more than 64 bits.
  private static func integer(_ bytes: Span<UInt8>, _ position: inout Int) -> Int64? {
    let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var value: Int64 = 0
    while position < bytes.count, bytes[position] &- 0x30 < 10 {
      // The negative range has one more value.
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isAbove) = tens.subtractingReportingOverflow(Int64(bytes[position] &- 0x30))
      guard !isTooLarge, !isAbove else { return nil }
      value = sum
      position += 1
    }
    guard position > first, isNegative || value != .min else { return nil }
    return isNegative ? value : -value
  }

  /// The number, if it is a plausible count: sums of such numbers stay whole.
  package var count: Int? { integer.flatMap { Int64.counts.contains($0) ? Int($0) : nil } }

  /// The number, if it is a whole number without a sign.
  var whole: UInt64? {
    guard token.kind == .number else { return nil }
    return UInt64(String(decoding: bytes[token.range], as: UTF8.self))
  }

  /// The value's offset in the text.
  package var offset: Int { token.range.lowerBound }
}

/// The members of an object by their keys. A value that is not an object has none.
package struct JSONFields {
  private let bytes: [UInt8]
  private let members: [JSONScanner.Member]

  /// Scans a complete text, once.
  /// - Parameter most: The maximum number of members of the object.
  package init(_ bytes: [UInt8], atMost most: Int = .max) throws(JSONScanner.Problem) {
    var members: [JSONScanner.Member] = []
    var scanner = JSONScanner(bytes, 0..<bytes.count)
    try scanner.object(into: &members, atMost: most)
    self.init(bytes, members)
  }

  /// The object itself.
  package var node: JSONNode {
    JSONNode(bytes, JSONScanner.Token(kind: .object, range: 0..<bytes.count))
  }

  fileprivate init(_ bytes: [UInt8], _ members: [JSONScanner.Member]) {
    (self.bytes, self.members) = (bytes, members)
  }

  /// The member with that key; if a key repeats, the last one.
  package subscript(key: String) -> JSONNode? {
    let found = members.last { member in
      let own = bytes[member.key]
      guard own.contains(UInt8(ascii: "\\")) else { return own.elementsEqual(key.utf8) }
      return JSONScanner.text(bytes, member.key.lowerBound - 1..<member.key.upperBound + 1) == key
    }
    return found.map { JSONNode(bytes, $0.value) }
  }
}

extension [UInt8] {
  /// The bytes without a leading UTF-8 byte order mark.
  package var withoutByteOrderMark: [UInt8] {
    starts(with: [0xef, 0xbb, 0xbf]) ? Array(dropFirst(3)) : self
  }
}

extension Int64 {
  /// The plausible counts: small enough that sums of millions of them do not overflow.
  package static let counts: Range<Int64> = 0..<(1 << 40)
}
