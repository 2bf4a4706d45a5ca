/// The members of an object, in order, as the ranges of their keys and values.
@usableFromInline
package struct JSONMembers: Sendable {
  /// Room for members, of which the first `count` are there.
  @usableFromInline private(set) var room: [JSONScanner.Member]
  @usableFromInline package private(set) var count = 0
  /// How much room there is at first; an object may have any number of members.
  private static let usual = 32

  package init() {
    let none = JSONScanner.Member(key: 0..<0, value: JSONScanner.Token(kind: .null, range: 0..<0))
    room = [JSONScanner.Member](repeating: none, count: Self.usual)
  }

  /// All of them. To read them for each of many objects, ``subscript(_:)`` is faster.
  package var list: ArraySlice<JSONScanner.Member> { room[..<count] }

  /// One of them.
  @inlinable
  package subscript(position: Int) -> JSONScanner.Member {
    precondition(position < count)
    return room[position]
  }

  /// Reads the object that begins at an index; previous content is lost.
  /// - Returns: The index of its end.
  /// - Throws: `JSONWalk.Stop`; the members before are kept.
  package mutating func read(
    _ bytes: Span<UInt8>, from start: Int, before end: Int
  ) throws(JSONWalk.Stop) -> Int {
    count = 0
    var position = try JSONWalk.blanks(bytes, start, before: end)
    guard bytes[position] == UInt8(ascii: "{") else { throw .odd }
    position = try JSONWalk.blanks(bytes, position &+ 1, before: end)
    if bytes[position] == UInt8(ascii: "}") { return position &+ 1 }
    while true {
      if let last = try Self.read(bytes, position..<end, into: &room, &count) {
        return last
      }
      room += room
    }
  }

  /// Reads the members up to the closing brace.
  /// - Returns: The index after it; `nil` if there is no room for all members.
  private static func read(
    _ bytes: Span<UInt8>, _ range: Range<Int>, into room: inout [JSONScanner.Member],
    _ count: inout Int
  ) throws(JSONWalk.Stop) -> Int? {
    let end = range.upperBound
    var position = range.lowerBound
    var members = room.mutableSpan
    var number = 0
    defer { count = number }
    while number < members.count {
      members[number] = try read(bytes, position, before: end)
      position = members[number].value.range.upperBound
      number &+= 1
      position = try JSONWalk.blanks(bytes, position, before: end)
      let byte = bytes[position]
      if byte == UInt8(ascii: "}") { return position &+ 1 }
      guard byte == UInt8(ascii: ",") else { throw .odd }
      position = try JSONWalk.blanks(bytes, position &+ 1, before: end)
    }
    return nil
  }

  /// Reads a member whose key begins at an index.
  private static func read(
    _ bytes: Span<UInt8>, _ start: Int, before end: Int
  ) throws(JSONWalk.Stop) -> JSONScanner.Member {
    guard bytes[start] == UInt8(ascii: "\"") else { throw .odd }
    let keyEnd = try JSONWalk.text(bytes, start, before: end) &- 1
    let colon = try JSONWalk.blanks(bytes, keyEnd &+ 1, before: end)
    guard bytes[colon] == UInt8(ascii: ":") else { throw .odd }
    let first = try JSONWalk.blanks(bytes, colon &+ 1, before: end)
    return JSONScanner.Member(
      key: start &+ 1..<keyEnd, value: try JSONWalk.value(bytes, first, before: end))
  }

  /// Takes the members from a strict reading.
  package mutating func set(_ members: [JSONScanner.Member]) {
    count = members.count
    while room.count < count { room += room }
    room.replaceSubrange(..<count, with: members)
  }

  /// The value of the member of a name; of several the last.
  package func value(_ bytes: Span<UInt8>, _ name: ByteName) -> JSONScanner.Token? {
    var position = count
    while position > 0 {
      position &-= 1
      if bytes.holds(name, in: room[position].key) { return room[position].value }
    }
    return nil
  }
}
