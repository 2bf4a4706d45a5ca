/// Scans JSON text without building a tree: each value is returned as a kind and a range, and only what a caller
/// requests is converted to a number or a string.
///
/// It strictly follows RFC 8259, with up to `deepest` levels of nesting and no recursion. Time is linear in the number
/// of bytes.
@usableFromInline
package struct JSONScanner {
  /// A value and the range of its text, which includes the quotes of strings.
  @frozen @usableFromInline
  package struct Token: Sendable {
    @frozen @usableFromInline
    package enum Kind: UInt8 {
      case string, number, `true`, `false`, null, object, array

      /// Written out so that other modules can compare kinds, as they do for each value, without a call.
      @inlinable
      package static func == (one: Kind, other: Kind) -> Bool { one.rawValue == other.rawValue }
    }

    @usableFromInline package let kind: Kind
    @usableFromInline package let range: Range<Int>

    @inlinable
    package init(kind: Kind, range: Range<Int>) { (self.kind, self.range) = (kind, range) }
  }

  /// A member of an object: the range of its key without quotes, and its value.
  @frozen @usableFromInline
  package struct Member: Sendable {
    @usableFromInline package let key: Range<Int>
    @usableFromInline package let value: Token
  }

  /// Why a text is not JSON, and at which byte.
  package struct Problem: Error {
    package let offset: Int
    package let expected: String

    package init(
      offset: Int, expected: String
    ) {
      self.offset = offset
      self.expected = expected
    }
  }

  /// The deepest nesting; call trees of real programs have a thousand levels.
  static let deepest = 1 << 14

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  /// Scans `bytes[range]`.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Reads the members of the object that makes up the complete text.
  /// - Parameter members: Receives the members; its previous content is lost.
  package mutating func object(
    into members: inout [Member], atMost most: Int = .max
  ) throws(Problem) {
    members.removeAll(keepingCapacity: true)
    skipBlanks()
    try expect("{", "an object in braces")
    skipBlanks()
    if !consume("}") {
      repeat {
        let key = try key()
        guard members.count < most else { throw problem("at most \(most) members") }
        members.append(Member(key: key, value: try nextValue()))
      } while try more("}")
    }
    try nothingElse()
  }

  /// The single value of the complete text.
  mutating func value() throws(Problem) -> Token {
    let token = try nextValue()
    try nothingElse()
    return token
  }

  /// The values of the array that makes up the complete text.
  mutating func array(atMost most: Int = .max) throws(Problem) -> [Token] {
    var tokens: [Token] = []
    skipBlanks()
    try expect("[", "an array in brackets")
    skipBlanks()
    if !consume("]") {
      repeat {
        guard tokens.count < most else { throw problem("at most \(most) values") }
        tokens.append(try nextValue())
      } while try more("]")
    }
    try nothingElse()
    return tokens
  }

  private mutating func nothingElse() throws(Problem) {
    skipBlanks()
    if position < end { throw problem("the end of the line") }
  }

  /// Consumes a key with its colon.
  /// - Returns: The range of its text, without quotes.
  private mutating func key() throws(Problem) -> Range<Int> {
    skipBlanks()
    guard peek == UInt8(ascii: "\"") else { throw problem("a key in quotes") }
    let key = try string()
    skipBlanks()
    try expect(":", "':' after a key")
    return (key.lowerBound + 1)..<(key.upperBound - 1)
  }

  private mutating func nextValue() throws(Problem) -> Token {
    skipBlanks()
    let start = position
    let kind: Token.Kind
    switch peek {
    case UInt8(ascii: "{"), UInt8(ascii: "["): kind = try skipNested()
    default: kind = try scalar()
    }
    return Token(kind: kind, range: start..<position)
  }

  private mutating func scalar() throws(Problem) -> Token.Kind {
    switch peek {
    case UInt8(ascii: "\""):
      _ = try string()
      return .string
    case UInt8(ascii: "t"): return try word("true", .true)
    case UInt8(ascii: "f"): return try word("false", .false)
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  /// Consumes an object or an array to its end.
  private mutating func skipNested() throws(Problem) -> Token.Kind {
    let kind: Token.Kind = peek == UInt8(ascii: "{") ? .object : .array
    // Whether each open level is an object.
    var open: [Bool] = []
    repeat {
      try takeValue(&open)
      while let isObject = open.last {
        guard try more(isObject ? "}" : "]") else {
          open.removeLast()
          continue
        }
        if isObject { _ = try key() }
        skipBlanks()
        break
      }
    } while !open.isEmpty
    return kind
  }

  /// Consumes a value; of a non-empty object or array, only the part before its first value.
  private mutating func takeValue(_ open: inout [Bool]) throws(Problem) {
    while let byte = peek, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
      let isObject = byte == UInt8(ascii: "{")
      if open.count == Self.deepest { throw problem("at most \(Self.deepest) levels of nesting") }
      position += 1
      skipBlanks()
      if consume(isObject ? "}" : "]") { return }
      open.append(isObject)
      if isObject { _ = try key() }
      skipBlanks()
    }
    _ = try scalar()
  }

  /// Consumes a comma or the closing character, and returns whether it was a comma.
  private mutating func more(_ closing: Unicode.Scalar) throws(Problem) -> Bool {
    skipBlanks()
    if consume(",") { return true }
    if consume(closing) { return false }
    throw problem("',' or '\(closing)'")
  }
}

extension JSONScanner {
  private var peek: UInt8? { position < end ? bytes[position] : nil }

  private func problem(_ expected: String) -> Problem {
    Problem(offset: position, expected: expected)
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte <= 0x20,
      byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    {
      position += 1
    }
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar, _ expected: String) throws(Problem) {
    if !consume(character) { throw problem(expected) }
  }

  private mutating func word(_ word: StaticString, _ kind: Token.Kind) throws(Problem) -> Token.Kind
  {
    for byte in "\(word)".utf8 {
      guard peek == byte else { throw problem("the word \(word)") }
      position += 1
    }
    return kind
  }

  /// Consumes a quoted string and returns its range, including the quotes.
  private mutating func string() throws(Problem) -> Range<Int> {
    let start = position
    position += 1
    while true {
      position = Self.plainEnd(bytes.span, position, end)
      guard let byte = peek else { throw problem("'\"' at the end of a string") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<position
      case UInt8(ascii: "\\"): try escape()
      default: throw Problem(offset: position - 1, expected: "no control character in a string")
      }
    }
  }

  /// The end of the plain part of a string, which for most strings is all of it.
  private static func plainEnd(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var index = start
    while index < end, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"),
      bytes[index] >= 0x20
    {
      index += 1
    }
    return index
  }

  private static func digitsEnd(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    var index = start
    while index < end, bytes[index] &- 0x30 < 10 { index += 1 }
    return index
  }

  private mutating func escape() throws(Problem) {
    guard let byte = peek else { throw problem("an escape after '\\'") }
    position += 1
    if byte == UInt8(ascii: "u") {
      for _ in 0..<4 {
        guard let digit = peek, Character(UnicodeScalar(digit)).isHexDigit, digit < 0x80 else {
          throw problem("four hexadecimal digits")
        }
        position += 1
      }
    } else if !"\"\\/bfnrt".utf8.contains(byte) {
      throw Problem(offset: position - 1, expected: "a valid JSON escape")
    }
  }

  private mutating func number() throws(Problem) -> Token.Kind {
    _ = consume("-")
    if consume("0") {
      // A leading zero must not be followed by a digit.
    } else {
      try digits()
    }
    if consume(".") { try digits() }
    if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if !consume("+") { _ = consume("-") }
      try digits()
    }
    return .number
  }

  private mutating func digits() throws(Problem) {
    let last = Self.digitsEnd(bytes.span, position, end)
    if last == position { throw problem("a value") }
    position = last
  }
}

extension JSONScanner {
  /// The value of a token of kind `string`, with its escapes resolved. An unpaired surrogate becomes U+FFFD.
  static func text(_ bytes: [UInt8], _ token: Range<Int>) -> String {
    let inner = bytes[(token.lowerBound + 1)..<(token.upperBound - 1)]
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = Substring(decoding: inner, as: UTF8.self).utf16
    while let unit = rest.popFirst() {
      guard unit == 0x5c, let escaped = rest.popFirst() else {
        units.append(unit)
        continue
      }
      if escaped == 0x75 {
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16) ?? 0xfffd)
        rest = rest.dropFirst(4)
      } else {
        units.append(escapes[escaped] ?? escaped)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The meaning of the letter after a backslash; other characters stand for themselves.
  private static let escapes: [UInt16: UInt16] = [
    0x62: 0x08, 0x66: 0x0c, 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09,
  ]
}
