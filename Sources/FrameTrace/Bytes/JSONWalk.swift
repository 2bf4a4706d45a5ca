/// Walking over JSON text eight bytes at a time, for large inputs of which little is asked for.
///
/// What is passed over is told by its quotes and brackets only: what stands between them is looked at by who reads
/// it. `JSONScanner` is strict about every byte, and judges what this finds odd.
///
/// The bytes go on for at least 64 after the end, whatever they are; time is linear.
package enum JSONWalk {
  /// Why a walk ends early.
  package enum Stop: Error {
    /// The text ends first.
    case cut
    /// It is no JSON, or nested deeper than is followed here.
    case odd
  }

  private static let highs: UInt64 = 0x8080_8080_8080_8080
  /// What makes a bracket a brace.
  private static let braces: UInt64 = 0x2020_2020_2020_2020

  /// The end of the text whose quote stands at a place.
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

  /// The end of the object or array whose bracket stands at a place.
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

  /// The end of the value that begins at a place, and what it is.
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
    // A leading zero stands alone.
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
    while place < end, bytes[place] &- 0x30 < 10 { place &+= 1 }
    guard place > start else { throw place < end ? .odd : .cut }
    return place
  }

  /// The next place that is no blank.
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

/// The members of an object, in order, each as where its key and its value stand.
package struct JSONMembers {
  package private(set) var list: [JSONScanner.Member] = []

  package init() {}

  /// Walks over the object that begins at a place; what was held before is gone.
  /// - Returns: Where it ends.
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
