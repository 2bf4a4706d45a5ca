/// A value in JSON text, read as it is asked for.
package struct JSONNode {
  private let bytes: [UInt8]
  private let token: JSONScanner.Token

  /// The value that a whole text is.
  package init(_ bytes: [UInt8]) throws(JSONScanner.Problem) {
    var scanner = JSONScanner(bytes, 0..<bytes.count)
    self.init(bytes, try scanner.value())
  }

  /// The same, or `nil` where it is none.
  package init?(reading bytes: [UInt8]) {
    guard let node = try? JSONNode(bytes) else { return nil }
    self = node
  }

  /// A value whose text has been scanned.
  init(_ bytes: [UInt8], _ token: JSONScanner.Token) {
    (self.bytes, self.token) = (bytes, token)
  }

  /// A value of a larger text, which is copied out of it; `nil` where it is no JSON.
  package init?(copying bytes: Span<UInt8>, _ token: JSONScanner.Token) {
    self.init(reading: token.range.map { bytes[$0] })
  }

  /// The members of an object in order; empty when it is none.
  package var members: [(key: String, value: JSONNode)] {
    guard token.kind == .object else { return [] }
    var scanner = JSONScanner(bytes, token.range)
    var members: [JSONScanner.Member] = []
    // What it is part of has been scanned to its end.
    guard (try? scanner.object(into: &members)) != nil else { return [] }
    return members.map { member in
      let key = (member.key.lowerBound - 1)..<(member.key.upperBound + 1)
      return (JSONScanner.text(bytes, key), JSONNode(bytes, member.value))
    }
  }

  /// The members of an object by their keys, of those with the same key the last: what asks for many
  /// reads the object once.
  package var membersByKey: [String: JSONNode] {
    Dictionary(members.map { ($0.key, $0.value) }) { $1 }
  }

  /// The member of an object with that key; of several the last.
  package subscript(key: String) -> JSONNode? { members.last { $0.key == key }?.value }

  /// The values of an array; `nil` when it is none.
  package var array: [JSONNode]? {
    guard token.kind == .array else { return nil }
    var scanner = JSONScanner(bytes, token.range)
    return (try? scanner.array())?.map { JSONNode(bytes, $0) }
  }

  package var text: String? { token.kind == .string ? JSONScanner.text(bytes, token.range) : nil }
  package var isTrue: Bool { token.kind == .true }

  /// The number; `nil` when it is none, or none that is finite.
  package var number: Double? {
    guard token.kind == .number else { return nil }
    return Double(String(decoding: bytes[token.range], as: UTF8.self)).flatMap {
      $0.isFinite ? $0 : nil
    }
  }

  /// The number, where it is a whole one.
  package var integer: Int64? {
    guard token.kind == .number else { return nil }
    return Int64(String(decoding: bytes[token.range], as: UTF8.self))
  }

  /// The number, where it is one of things: sums of them stay whole.
  package var count: Int? { integer.flatMap { Int64.counts.contains($0) ? Int($0) : nil } }

  /// The number, where it is a whole one without a sign.
  var whole: UInt64? {
    guard token.kind == .number else { return nil }
    return UInt64(String(decoding: bytes[token.range], as: UTF8.self))
  }

  /// Where it stands.
  package var offset: Int { token.range.lowerBound }
}

extension [UInt8] {
  /// The bytes without a leading UTF-8 byte order mark.
  package var withoutByteOrderMark: [UInt8] {
    starts(with: [0xef, 0xbb, 0xbf]) ? Array(dropFirst(3)) : self
  }
}

extension Int64 {
  /// Numbers of things that are believed: so many that sums of millions of them stay whole.
  package static let counts: Range<Int64> = 0..<(1 << 40)
}
