import CByteScan

/// Skips through JSON text many bytes at a time, for large inputs of which little is needed.
///
/// Skipped parts are recognized only by their quotes and brackets; their content is not validated
/// until it is read. `JSONScanner` strictly checks every byte and decides about text that this type
/// rejects as odd.
///
/// At least 64 more bytes, of any content, must be readable after the end. Time is linear.
package enum JSONWalk {
  /// Why a walk ends early.
  package enum Stop: Error {
    /// The text ends too early.
    case cut
    /// It is not JSON, or nested too deeply for this type.
    case odd
  }

  /// The end of the text with its opening quote at `start`.
  @inline(__always)
  static func text(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var block = start &+ 1
    while block < end {
      var found = bytes.textEnds(at: block)
      var next = block &+ 32
      while found != 0 {
        let place = block &+ found.trailingZeroBitCount
        guard place < end else { throw .cut }
        switch bytes[place] {
        case UInt8(ascii: "\""): return place &+ 1
        case UInt8(ascii: "\\"):
          let after = try escape(bytes, place, before: end)
          // What follows in the block is known.
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
    _ bytes: Span<UInt8>, _ place: Int, before end: Int
  ) throws(Stop) -> Int {
    guard place &+ 1 < end else { throw .cut }
    let byte = bytes[place &+ 1]
    guard byte == UInt8(ascii: "u") else {
      guard "\"\\/bfnrt".utf8.contains(byte) else { throw .odd }
      return place &+ 2
    }
    guard place &+ 6 <= end else { throw .cut }
    for digit in place &+ 2..<place &+ 6 {
      let lower = bytes[digit] | 0x20
      guard bytes[digit] &- 0x30 < 10 || lower &- UInt8(ascii: "a") < 6 else { throw .odd }
    }
    return place &+ 6
  }

  /// The end of the object or array with its opening bracket at `start`.
  static func nested(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var nesting = Nesting()
    var place = start
    // All bits are set while a text continues.
    var text: UInt32 = 0
    while place < end {
      let marks = bytes.marks(at: place)
      let valid = end &- place >= 32 ? UInt32.max : 1 &<< UInt32(end &- place) &- 1
      if marks.backslashes & valid != 0 {
        let next = place &+ 32
        if text != 0 { place = try self.text(bytes, place &- 1, before: end) }
        text = 0
        if let last = try nesting.take(bytes, &place, upTo: next, before: end) { return last }
        continue
      }
      // From the quote that begins a text up to the one that ends it.
      let within = marks.quotes.parities ^ text
      let controls = marks.controls & within & valid
      var brackets = (marks.opening | marks.closing) & ~within & valid
      while brackets != 0 {
        let bit = brackets.trailingZeroBitCount
        if try nesting.isDone(after: bytes[place &+ bit]) {
          guard controls & (1 &<< UInt32(bit) &- 1) == 0 else { throw .odd }
          return place &+ bit &+ 1
        }
        brackets &= brackets &- 1
      }
      guard controls == 0 else { throw .odd }
      text = 0 &- within &>> 31
      place &+= 32
    }
    throw .cut
  }

  /// The objects and arrays that are open.
  private struct Nesting {
    /// For each whether it is an object, the last one lowest.
    private var open: UInt64 = 0
    private var depth = 0

    /// Takes a brace or a bracket.
    /// - Returns: Whether it closes the outermost one.
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

    /// Takes what begins before an index, texts one by one, as those with a backslash have to be.
    /// - Parameter place: Where to begin, and where it ended: outside of a text.
    /// - Returns: Where the outermost one ends; `nil` if it does not.
    mutating func take(
      _ bytes: Span<UInt8>, _ place: inout Int, upTo next: Int, before end: Int
    ) throws(Stop) -> Int? {
      while place < next, place < end {
        let marks = bytes.marks(at: place)
        let found = marks.quotes | marks.opening | marks.closing
        place &+= found == 0 ? 32 : found.trailingZeroBitCount
        guard found != 0, place < end else { continue }
        if bytes[place] == UInt8(ascii: "\"") {
          place = try JSONWalk.text(bytes, place, before: end)
        } else {
          place &+= 1
          if try isDone(after: bytes[place &- 1]) { return place }
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
    var place = bytes[start] == UInt8(ascii: "-") ? start &+ 1 : start
    let isZero = place < end && bytes[place] == UInt8(ascii: "0")
    // No digit may follow a leading zero.
    place = isZero ? place &+ 1 : try digits(bytes, place, before: end)
    if place < end, bytes[place] == UInt8(ascii: ".") {
      place = try digits(bytes, place &+ 1, before: end)
    }
    if place < end, bytes[place] | 0x20 == UInt8(ascii: "e") {
      place &+= 1
      if place < end, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
        place &+= 1
      }
      place = try digits(bytes, place, before: end)
    }
    guard place < end else { throw .cut }
    return place
  }

  @inline(__always)
  private static func digits(
    _ bytes: Span<UInt8>, _ start: Int, before end: Int
  ) throws(Stop) -> Int {
    var place = start
    while place < end {
      let count = bytes.word(at: place).digitCount
      place &+= count
      if count < 8 { break }
    }
    place = min(place, end)
    guard place > start else { throw place < end ? .odd : .cut }
    return place
  }

  /// The next index that is not a blank.
  @inline(__always)
  static func blanks(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var place = start
    while place < end {
      let byte = bytes[place]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else {
        return place
      }
      place &+= 1
    }
    throw .cut
  }
}

extension UInt32 {
  /// For each bit whether an odd number of bits are set from the lowest up to it.
  @inline(__always)
  fileprivate var parities: UInt32 {
    var sum = self ^ self &<< 1
    sum ^= sum &<< 2
    sum ^= sum &<< 4
    sum ^= sum &<< 8
    return sum ^ sum &<< 16
  }
}
