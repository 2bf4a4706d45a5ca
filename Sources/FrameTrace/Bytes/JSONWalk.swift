import CByteScan

/// Skips through JSON text many bytes at a time, for large inputs of which little is needed.
///
/// Skipped parts are recognized only by their quotes and brackets; their content is not validated until it is read.
/// `JSONScanner` strictly checks every byte and has the final say on text that this type rejects as odd.
///
/// At least 64 more bytes, of any content, must be readable after the end. Time is linear.
package enum JSONWalk {
  /// Why skipping ends early.
  package enum Stop: Error {
    /// The text is truncated.
    case cut
    /// The text is not JSON, or is nested too deeply for this type.
    case odd
  }

  /// The end of the string with its opening quote at `start`.
  @inline(__always)
  static func text(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var block = start &+ 1
    while block < end {
      var found = bytes.textEnds(at: block)
      var next = block &+ 32
      while found != 0 {
        let position = block &+ found.trailingZeroBitCount
        guard position < end else { throw .cut }
        switch bytes[position] {
        case UInt8(ascii: "\""): return position &+ 1
        case UInt8(ascii: "\\"):
          let after = try escape(bytes, position, before: end)
          // The rest of the block is already known.
          found = after < block &+ 32 ? found & .max &<< UInt32(after &- block) : 0
          next = max(next, after)
        default: throw .odd
        }
      }
      block = next
    }
    throw .cut
  }

  private static func escape(
    _ bytes: Span<UInt8>, _ position: Int, before end: Int
  ) throws(Stop) -> Int {
    guard position &+ 1 < end else { throw .cut }
    let byte = bytes[position &+ 1]
    guard byte == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(byte) else { throw .odd }
      return position &+ 2
    }
    guard position &+ 6 <= end else { throw .cut }
    for digit in position &+ 2..<position &+ 6 {
      let lower = bytes[digit] | 0x20
      guard bytes[digit] &- 0x30 < 10 || lower &- UInt8(ascii: "a") < 6 else { throw .odd }
    }
    return position &+ 6
  }

  /// The end of the object or array with its opening bracket at `start`.
  static func nested(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var nesting = Nesting()
    var position = start
    // All bits are set while a string continues.
    var text: UInt32 = 0
    while position < end {
      let marks = bytes.marks(at: position)
      let valid = end &- position >= 32 ? UInt32.max : 1 &<< UInt32(end &- position) &- 1
      if marks.backslashes & valid != 0 {
        let next = position &+ 32
        if text != 0 { position = try self.text(bytes, position &- 1, before: end) }
        text = 0
        if let last = try nesting.consume(bytes, &position, upTo: next, before: end) { return last }
        continue
      }
      // From the quote that opens a string up to the quote that closes it.
      let within = marks.quotes.parities ^ text
      let controls = marks.controls & within & valid
      var brackets = (marks.opening | marks.closing) & ~within & valid
      while brackets != 0 {
        let bit = brackets.trailingZeroBitCount
        if try nesting.isDone(after: bytes[position &+ bit]) {
          guard controls & (1 &<< UInt32(bit) &- 1) == 0 else { throw .odd }
          return position &+ bit &+ 1
        }
        brackets &= brackets &- 1
      }
      guard controls == 0 else { throw .odd }
      text = 0 &- within &>> 31
      position &+= 32
    }
    throw .cut
  }

  /// The objects and arrays that are open.
  private struct Nesting {
    /// Whether each level is an object; the innermost level is the lowest bit.
    private var open: UInt64 = 0
    private var depth = 0

    /// Consumes a brace or a bracket.
    /// - Returns: Whether it closes the outermost level.
    @inline(__always)
    mutating func isDone(after byte: UInt8) throws(Stop) -> Bool {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < 64 else { throw .odd }
        depth &+= 1
        open = open &<< 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
        return false
      default:
        guard open & 1 == (byte == UInt8(ascii: "}") ? 1 : 0) else { throw .odd }
        depth &-= 1
        open &>>= 1
        return depth == 0
      }
    }

    /// Consumes everything that begins before an index. Strings are consumed one by one, as strings with a backslash
    /// must be.
    /// - Parameter position: The start, and afterward the end of what was consumed: outside of a string.
    /// - Returns: The end of the outermost level; `nil` if it does not end.
    mutating func consume(
      _ bytes: Span<UInt8>, _ position: inout Int, upTo next: Int, before end: Int
    ) throws(Stop) -> Int? {
      while position < next, position < end {
        let marks = bytes.marks(at: position)
        let found = marks.quotes | marks.opening | marks.closing
        position &+= found == 0 ? 32 : found.trailingZeroBitCount
        guard found != 0, position < end else { continue }
        if bytes[position] == UInt8(ascii: "\"") {
          position = try JSONWalk.text(bytes, position, before: end)
        } else {
          position &+= 1
          if try isDone(after: bytes[position &- 1]) { return position }
        }
      }
      return nil
    }
  }

  /// The value that begins at `start`, with its kind and end.
  @inline(__always)
  static func value(
    _ bytes: Span<UInt8>, _ start: Int, before end: Int
  ) throws(Stop) -> JSONScanner.Token {
    guard start < end else { throw .cut }
    let (kind, last): (JSONScanner.Token.Kind, Int)
    switch bytes[start] {
    case UInt8(ascii: "\""): (kind, last) = (.string, try text(bytes, start, before: end))
    case UInt8(ascii: "{"): (kind, last) = (.object, try nested(bytes, start, before: end))
    case UInt8(ascii: "["): (kind, last) = (.array, try nested(bytes, start, before: end))
    case UInt8(ascii: "t"): (kind, last) = (.true, try word(bytes, start, end, yes))
    case UInt8(ascii: "f"): (kind, last) = (.false, try word(bytes, start, end, no))
    case UInt8(ascii: "n"): (kind, last) = (.null, try word(bytes, start, end, nothing))
    default: (kind, last) = (.number, try number(bytes, start, before: end))
    }
    return JSONScanner.Token(kind: kind, range: start..<last)
  }

  private static let yes: ByteName = "true"
  private static let no: ByteName = "false"
  private static let nothing: ByteName = "null"

  private static func word(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ word: ByteName
  ) throws(Stop) -> Int {
    let last = start &+ word.length
    guard last < end else { throw .cut }
    guard bytes.holds(word, in: start..<last) else { throw .odd }
    return last
  }

  /// The end of a number.
  @inline(__always)
  private static func number(
    _ bytes: Span<UInt8>, _ start: Int, before end: Int
  ) throws(Stop) -> Int {
    var position = bytes[start] == UInt8(ascii: "-") ? start &+ 1 : start
    let isZero = position < end && bytes[position] == UInt8(ascii: "0")
    // A leading zero must not be followed by a digit.
    position = isZero ? position &+ 1 : try digits(bytes, position, before: end)
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position = try digits(bytes, position &+ 1, before: end)
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < end,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position &+= 1
      }
      position = try digits(bytes, position, before: end)
    }
    guard position < end else { throw .cut }
    return position
  }

  @inline(__always)
  private static func digits(
    _ bytes: Span<UInt8>, _ start: Int, before end: Int
  ) throws(Stop) -> Int {
    var position = start
    while position < end {
      let count = bytes.word(at: position).digitCount
      position &+= count
      if count < 8 { break }
    }
    position = min(position, end)
    guard position > start else { throw position < end ? .odd : .cut }
    return position
  }

  /// The next index that is not a blank.
  @inline(__always)
  static func blanks(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var position = start
    while position < end {
      let byte = bytes[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else {
        return position
      }
      position &+= 1
    }
    throw .cut
  }
}

extension UInt32 {
  /// For each bit, whether an odd number of bits are set from the lowest bit up to and including it.
  @inline(__always)
  fileprivate var parities: UInt32 {
    var sum = self ^ self &<< 1
    sum ^= sum &<< 2
    sum ^= sum &<< 4
    sum ^= sum &<< 8
    return sum ^ sum &<< 16
  }
}
