/// Skips through JSON text eight bytes at a time, for large inputs of which little is needed.
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

  private static let highs: UInt64 = 0x8080_8080_8080_8080
  /// The bits that distinguish a brace from a bracket.
  private static let braces: UInt64 = 0x2020_2020_2020_2020

  /// The end of the text with its opening quote at `start`.
  @inline(__always)
  static func text(_ bytes: Span<UInt8>, _ start: Int, before end: Int) throws(Stop) -> Int {
    var place = start &+ 1
    while place < end {
      let word = bytes.word(at: place)
      let controls = (word &- braces) & ~word & highs
      let found =
        word.matches(UInt8(ascii: "\"")) | word.matches(UInt8(ascii: "\\")) | controls
      guard found != 0 else {
        place &+= 8
        continue
      }
      place &+= found.trailingZeroBitCount &>> 3
      guard place < end else { break }
      switch bytes[place] {
      case UInt8(ascii: "\""): return place &+ 1
      case UInt8(ascii: "\\"): place = try escape(bytes, place, before: end)
      default: throw .odd
      }
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
    // For each that is open whether it is an object, the last one lowest.
    var open: UInt64 = 0
    var depth = 0
    var place = start
    while place < end {
      let word = bytes.word(at: place)
      let folded = word | braces
      let found =
        word.matches(UInt8(ascii: "\"")) | folded.matches(UInt8(ascii: "{"))
        | folded.matches(UInt8(ascii: "}"))
      guard found != 0 else {
        place &+= 8
        continue
      }
      place &+= found.trailingZeroBitCount &>> 3
      guard place < end else { break }
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""): place = try text(bytes, place, before: end)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < 64 else { throw .odd }
        depth &+= 1
        open = open &<< 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
        place &+= 1
      default:
        guard open & 1 == (byte == UInt8(ascii: "}") ? 1 : 0) else { throw .odd }
        depth &-= 1
        open &>>= 1
        place &+= 1
        if depth == 0 { return place }
      }
    }
    throw .cut
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

/// The members of an object, in order, as the ranges of their keys and values.
package struct JSONMembers {
  package private(set) var list: [JSONScanner.Member] = []

  package init() {}

  /// Reads the object that begins at an index; previous content is lost.
  /// - Returns: The index of its end.
  package mutating func read(
    _ bytes: Span<UInt8>, from start: Int, before end: Int
  ) throws(JSONWalk.Stop) -> Int {
    list.removeAll(keepingCapacity: true)
    var place = try JSONWalk.blanks(bytes, start, before: end)
    guard bytes[place] == UInt8(ascii: "{") else { throw .odd }
    place = try JSONWalk.blanks(bytes, place &+ 1, before: end)
    if bytes[place] == UInt8(ascii: "}") { return place &+ 1 }
    while true {
      guard bytes[place] == UInt8(ascii: "\"") else { throw .odd }
      let key = place &+ 1
      place = try JSONWalk.text(bytes, place, before: end)
      let keyEnd = place &- 1
      place = try JSONWalk.blanks(bytes, place, before: end)
      guard bytes[place] == UInt8(ascii: ":") else { throw .odd }
      place = try JSONWalk.blanks(bytes, place &+ 1, before: end)
      let value = try JSONWalk.value(bytes, place, before: end)
      list.append(JSONScanner.Member(key: key..<keyEnd, value: value))
      place = try JSONWalk.blanks(bytes, value.range.upperBound, before: end)
      let byte = bytes[place]
      if byte == UInt8(ascii: "}") { return place &+ 1 }
      guard byte == UInt8(ascii: ",") else { throw .odd }
      place = try JSONWalk.blanks(bytes, place &+ 1, before: end)
    }
  }

  /// Takes the members from a strict reading.
  package mutating func set(_ members: [JSONScanner.Member]) { list = members }

  /// The value of the member of a name; of several the last.
  package func value(_ bytes: Span<UInt8>, _ name: ByteName) -> JSONScanner.Token? {
    list.last { bytes.holds(name, in: $0.key) }?.value
  }
}
