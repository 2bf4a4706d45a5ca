/// The elements of an array in a large JSON text, read one at a time, with memory for only one.
///
/// The array is either the whole text or a member of the top-level object; other members are
/// skipped. From a truncated text, all complete elements are returned.
package struct JSONElements {
  /// The buffer that the ranges of elements refer to.
  package private(set) var bytes: [UInt8]
  /// Whether the text ended before the array did.
  package private(set) var isCut = false
  /// Whether it ended within an element.
  package private(set) var isCutWithin = false
  /// Whether the array is a member of an object.
  package private(set) var isMember = false

  /// Memory for the next buffer, so that the full one is kept; `nil` to reuse the full one.
  private var spare: [UInt8]?
  /// The full buffer with the elements before the last one.
  private var passedBytes: [UInt8]?

  private let input: InputFile
  private let member: String
  /// The longest element that is accepted.
  private let longest: Int
  private var position = 0
  private var end = 0
  /// How many bytes of the text lie before `bytes`.
  private var passed = 0
  private var hasBegun = false
  private var isDone = false

  /// The initial size of the buffer, and how much is read at once: small enough to stay in a processor's cache from
  /// reading a file to looking at it.
  private static let size = 1 << 18
  /// An element up to this length is read again after each buffer until it is whole; what is found does not depend on it.
  private static let long = 1 << 20

  /// - Parameter member: The name of the array where the text is an object.
  package init(_ input: InputFile, member: String, longest: Int = 64 << 20) {
    (self.input, self.member, self.longest) = (input, member, longest)
    bytes = [UInt8](repeating: 0, count: Self.size + LineWindow.padding)
  }

  /// The offset in the text of a byte in the buffer.
  package func offset(_ index: Int) -> Int { passed + index }

  /// Keeps the buffer when it is full, and continues with another one.
  /// - Parameter bytes: Memory for the other one.
  package mutating func keepElements(with bytes: [UInt8]) { spare = bytes }

  /// The full buffer with all elements since ``keepElements(with:)`` except the last one; `nil` while none is full.
  package mutating func takePassedBytes() -> [UInt8]? { passedBytes.take() }

  /// The next element, as a range of `bytes`; `nil` after the last one.
  mutating func next() throws(ParseError) -> Range<Int>? {
    guard try goToNext() else { return nil }
    return try element()
  }

  /// The next element, which is an object, and its members.
  /// - Parameter members: Gets them; none where the element is odd: no object, no JSON, or nested deeply.
  package mutating func next(into members: inout JSONMembers) throws(ParseError) -> Range<Int>? {
    guard try goToNext() else { return nil }
    var isWhole = false
    while true {
      do throws(JSONWalk.Stop) {
        let last = try members.read(bytes.span, from: position, before: end)
        defer { position = last }
        return position..<last
      } catch {
        members.set([])
        if error == .odd || isWhole { return try element() }
        if end - position > Self.long {
          // Reading a long element again after each buffer would take the square of its length.
          guard try valueLength() != nil else { return try element() }
          isWhole = true
          continue
        }
      }
      if try !fill() { return try element() }
    }
  }

  /// Goes to where an element begins.
  /// - Returns: Whether there is one.
  private mutating func goToNext() throws(ParseError) -> Bool {
    if !hasBegun { try begin() }
    guard !isDone else { return false }
    guard let byte = try skipSeparators() else {
      (isDone, isCut) = (true, true)
      return false
    }
    isDone = byte == UInt8(ascii: "]")
    return !isDone
  }

  /// The element that begins here, whatever it is.
  private mutating func element() throws(ParseError) -> Range<Int>? {
    guard let length = try valueLength() else {
      (isDone, isCut, isCutWithin) = (true, true, true)
      return nil
    }
    let element = position..<position + length
    position = element.upperBound
    return element
  }
}

extension JSONElements {
  /// Goes to the first element.
  private mutating func begin() throws(ParseError) {
    hasBegun = true
    while end - position < 3, try fill() {}
    if bytes[position..<end].starts(with: [0xef, 0xbb, 0xbf]) { position += 3 }
    guard let first = try skipBlanks() else { throw problem("an array or an object") }
    position += 1
    if first == UInt8(ascii: "[") { return }
    guard first == UInt8(ascii: "{") else { throw problem("an array or an object", before: 1) }
    while let byte = try skipSeparators() {
      guard byte == UInt8(ascii: "\"") else { break }
      guard let length = try valueLength() else { break }
      let key = String(decoding: bytes[(position + 1)..<(position + length - 1)], as: UTF8.self)
      position += length
      guard try skipBlanks() == UInt8(ascii: ":") else { throw problem("':' after a key") }
      position += 1
      guard let value = try skipBlanks() else { break }
      if key == member, value == UInt8(ascii: "[") {
        isMember = true
        position += 1
        return
      }
      try skipValue()
    }
    throw problem("an array under the key \(member)")
  }

  /// Skips a value of any length.
  private mutating func skipValue() throws(ParseError) {
    var walk = Walk()
    while true {
      while position < end {
        if let length = walk.consume(bytes[position]) {
          position += length
          return
        }
        position += 1
      }
      if try !fill() { return }
    }
  }

  /// The length of the value at the current position; `nil` where the text ends within it.
  private mutating func valueLength() throws(ParseError) -> Int? {
    var walk = Walk()
    var length = 0
    while true {
      if let last = Self.end(of: &walk, bytes, position + length..<end) { return last - position }
      length = end - position
      guard length < longest else {
        throw ParseError(
          path: input.path, position: .byte(offset(position)),
          problem: "expected elements of at most \(longest >> 20) MiB, found a longer one")
      }
      if try !fill() { return nil }
    }
  }

  /// The end of a value within a range; `nil` where the value continues.
  private static func end(of walk: inout Walk, _ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let span = bytes.span
    var index = range.lowerBound
    while index < range.upperBound {
      if let last = walk.consume(span[index]) { return index &+ last }
      index &+= 1
    }
    return nil
  }

  private mutating func skipBlanks() throws(ParseError) -> UInt8? { try skip(commas: false) }
  private mutating func skipSeparators() throws(ParseError) -> UInt8? { try skip(commas: true) }

  private mutating func skip(commas: Bool) throws(ParseError) -> UInt8? {
    while true {
      while position < end {
        let byte = bytes[position]
        let isBlank = byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
        guard isBlank || (commas && byte == UInt8(ascii: ",")) else { return byte }
        position += 1
      }
      if try !fill() { return nil }
    }
  }

  /// How much the buffer can hold, so that words can be read that begin in it.
  private var room: Int { bytes.count - LineWindow.padding }

  /// Reads more data after the current data.
  /// - Returns: Whether there was more.
  private mutating func fill() throws(ParseError) -> Bool {
    if position > 0 {
      let kept = end - position
      if var other = spare.take() {
        // After a long element, less memory is enough.
        let needed = max(Self.size, 2 * kept) + LineWindow.padding
        if !(needed...4 * needed ~= other.count) { other = [UInt8](repeating: 0, count: needed) }
        swap(&bytes, &other)
        bytes.copy(position..<end, of: other)
        passedBytes = other
      } else {
        bytes.move(position..<end, to: 0)
      }
      passed += position
      (position, end) = (0, kept)
    }
    if end == room { bytes.append(contentsOf: repeatElement(0, count: bytes.count)) }
    // A buffer that grew for a long element has room for more, which would multiply the memory of callers that keep
    // all elements of a buffer.
    let count = try input.read(into: &bytes, at: end..<min(room, end + Self.size))
    end += count
    return count > 0
  }

  private func problem(_ expected: String, before: Int = 0) -> ParseError {
    ParseError(
      path: input.path, position: .byte(offset(position - before)), problem: "expected \(expected)")
  }
}

/// Finds the end of a value byte by byte, without looking at what it says.
private struct Walk {
  private var depth = 0
  private var isText = false
  private var isEscaped = false
  private var hasBegun = false

  /// Consumes the next byte.
  /// - Returns: When the value ends, how many bytes from this one on belong to it: 1 for its last
  ///   byte, 0 for the byte after it.
  mutating func consume(_ byte: UInt8) -> Int? {
    if isText {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isText = false
        if depth == 0 { return 1 }
      }
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""):
      isText = true
      hasBegun = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      hasBegun = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return hasBegun ? 0 : 1 }
      depth -= 1
      if depth == 0 { return 1 }
    case UInt8(ascii: ","), UInt8(ascii: " "), 0x0a, 0x0d, 0x09:
      if depth == 0 { return hasBegun ? 0 : 1 }
    default: hasBegun = true
    }
    return nil
  }
}
