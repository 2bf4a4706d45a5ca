/// A name of at most 32 bytes to compare strings with, eight bytes at a time.
///
/// Creating a name takes longer than comparing with it, so names are constants.
@usableFromInline
package struct ByteName: ExpressibleByStringLiteral, Hashable, Sendable {
  @usableFromInline package let length: Int
  @usableFromInline let words: (UInt64, UInt64, UInt64, UInt64)

  static let longest = 32

  @usableFromInline
  package init(stringLiteral name: StaticString) { self.init("\(name)".utf8) }

  /// - Precondition: At most `longest` bytes.
  init(_ name: some Collection<UInt8>) {
    precondition(name.count <= Self.longest)
    length = name.count
    let word = { (start: Int) in
      name.dropFirst(start).prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    words = (word(0), word(8), word(16), word(24))
  }

  /// The first byte.
  var first: UInt8 { UInt8(truncatingIfNeeded: words.0) }

  @usableFromInline
  package static func == (one: ByteName, other: ByteName) -> Bool {
    one.length == other.length && one.words == other.words
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  /// The second byte; 0 for a name of one byte.
  var second: UInt8 { UInt8(truncatingIfNeeded: words.0 &>> 8) }

  /// Whether bytes begin with the name.
  @inlinable @inline(__always)
  func begins(_ bytes: Span<UInt8>, at position: Int) -> Bool {
    guard bytes.word(at: position, count: length) == words.0 else { return false }
    guard length > 8 else { return true }
    guard bytes.word(at: position &+ 8, count: length &- 8) == words.1 else { return false }
    guard length > 16 else { return true }
    return bytes.word(at: position &+ 16, count: length &- 16) == words.2
      && (length <= 24 || bytes.word(at: position &+ 24, count: length &- 24) == words.3)
  }
}

extension Span<UInt8> {
  /// Whether a range of bytes equals a name.
  /// - Precondition: Eight bytes can be read from any index in the range.
  @inlinable @inline(__always)
  package func holds(_ name: ByteName, in range: Range<Int>) -> Bool {
    range.count == name.length && name.begins(self, at: range.lowerBound)
  }

  /// Whether a range of bytes begins with a name.
  /// - Precondition: Eight bytes can be read from any index in the range.
  @inlinable @inline(__always)
  package func begins(_ name: ByteName, in range: Range<Int>) -> Bool {
    range.count >= name.length && name.begins(self, at: range.lowerBound)
  }
}

/// A name of two to four letters as the word that its bytes form: known at compile time.
@usableFromInline
package enum ShortName {
  @inlinable @inline(__always)
  package static func of(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt64 {
    UInt64(first.value) | UInt64(second.value) << 8
  }

  @inlinable @inline(__always)
  package static func of(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar
  ) -> UInt64 {
    of(first, second) | UInt64(third.value) << 16
  }

  @inlinable @inline(__always)
  package static func of(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar,
    _ fourth: Unicode.Scalar
  ) -> UInt64 {
    of(first, second, third) | UInt64(fourth.value) << 24
  }
}

extension Span<UInt8> {
  /// The word formed by the bytes of a range, at most eight.
  @inlinable @inline(__always)
  package func shortName(_ range: Range<Int>) -> UInt64 {
    word(at: range.lowerBound, count: range.count)
  }
}
