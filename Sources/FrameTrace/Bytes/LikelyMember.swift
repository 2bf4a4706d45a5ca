/// What a member of an object looks like if it is as that of the object before: the same key and a value of the same form.
///
/// Where the next member begins then depends on comparisons and not on a search, so that a processor need not wait for
/// the end of one member to begin with the next.
struct LikelyMember: Sendable {
  /// The length of its key without quotes.
  private(set) var keyLength = 0
  /// From the key's quote to its colon, and the blank after it if there is one. No member matches it at first, or after
  /// one with a long key or more blanks, which is not kept.
  private var start = Pattern()
  /// The length of `start`.
  private var valueOffset = 0
  private(set) var kind = JSONScanner.Token.Kind.null
  /// The length of the value, with the quotes of a text; `unlikely` where only the key is kept.
  private var valueLength = unlikely
  /// Of a text, the bit of the quote that ends it, among the bytes after the one that begins it; 0 for any other value.
  private var quote: UInt64 = 0
  /// Whether digits of the value may be others.
  private var hasDigits = false
  /// Of a value that is no text all bytes, and the one after it.
  private var values = (Pattern(), Pattern(), Pattern())

  /// Up to eight bytes.
  private struct Pattern {
    /// Initially one that no bytes make.
    private var word: UInt64 = 1
    private var mask: UInt64 = 0

    init() {}

    /// - Parameters:
    ///   - word: Its bytes and others.
    ///   - count: How many count, 0 to 8.
    init(_ word: UInt64, count: Int) {
      mask = count > 0 ? .max &>> UInt64(64 &- 8 &* count) : 0
      self.word = word & mask
    }

    @inline(__always)
    func matches(_ other: UInt64) -> Bool { other & mask == word }
  }

  /// The longest value that is kept, except for texts.
  private static let longest = 23
  /// A length that no value has, for one that is not kept. An index and this length can be added without overflow.
  private static let unlikely = Int.max / 2

  /// Whether the member with the opening quote of its key at `position` has the same key, and its value, or a blank, where
  /// ``valueStart(_:)`` says.
  @inline(__always)
  func hasKey(_ bytes: Span<UInt8>, _ position: Int) -> Bool {
    start.matches(bytes.word(at: position))
  }

  /// Where the value begins of a member with this key at `position`.
  @inline(__always)
  func valueStart(_ position: Int) -> Int { position &+ valueOffset }

  /// The end of the value at `first`; `nil` if it is of another form.
  @inline(__always)
  func valueEnd(_ bytes: Span<UInt8>, _ first: Int, before end: Int) -> Int? {
    guard first &+ valueLength < end else { return nil }
    if quote != 0 {
      guard bytes[first] == UInt8(ascii: "\"") else { return nil }
      var found = UInt64(bytes.textEnds(at: first &+ 1))
      if quote > UInt64(UInt32.max) { found |= UInt64(bytes.textEnds(at: first &+ 33)) &<< 32 }
      // Only the lowest bit is of this text. A text of the length before would be found below as well, but later.
      if found & (0 &- found) == quote {
        let last = first &+ valueLength
        return bytes[last &- 1] == UInt8(ascii: "\"") ? last : nil
      }
      let last = first &+ found.trailingZeroBitCount &+ 2
      return found != 0 && last < end && bytes[last &- 1] == UInt8(ascii: "\"") ? last : nil
    }
    if hasDigits {
      guard bytes[first] != UInt8(ascii: "0"),
        values.0.matches(bytes.word(at: first).withZeros),
        values.1.matches(bytes.word(at: first &+ 8).withZeros)
      else { return nil }
    } else {
      guard values.0.matches(bytes.word(at: first)), values.1.matches(bytes.word(at: first &+ 8)),
        values.2.matches(bytes.word(at: first &+ 16))
      else { return nil }
    }
    return first &+ valueLength
  }

  /// Becomes like a member that has been read.
  /// - Parameter key: Without quotes.
  mutating func adopt(_ bytes: Span<UInt8>, _ key: Range<Int>, _ value: JSONScanner.Token) {
    let length = value.range.lowerBound &- key.lowerBound &+ 1
    // Two quotes, a colon, and at most one blank.
    guard length <= 8, length &- key.count <= 4 else {
      start = Pattern()
      return
    }
    start = Pattern(bytes.word(at: key.lowerBound &- 1), count: length)
    keyLength = key.count
    valueOffset = length
    adopt(bytes, value)
  }

  /// Expects a value like one that has been read, after the same key and the same blanks.
  mutating func adopt(_ bytes: Span<UInt8>, _ value: JSONScanner.Token) {
    let (first, count) = (value.range.lowerBound, value.range.count)
    kind = value.kind
    valueLength = count
    quote = 0
    if value.kind == .string {
      if count <= 65 { quote = 1 &<< UInt64(count &- 2) } else { valueLength = Self.unlikely }
    } else if count <= Self.longest {
      // A number that begins with another digit is not one.
      hasDigits = bytes[first] &- UInt8(ascii: "1") < 9 && count < 16
      values = (
        pattern(bytes, first, count: count &+ 1), pattern(bytes, first &+ 8, count: count &- 7),
        pattern(bytes, first &+ 16, count: count &- 15)
      )
    } else {
      valueLength = Self.unlikely
    }
  }

  private func pattern(_ bytes: Span<UInt8>, _ start: Int, count: Int) -> Pattern {
    let word = bytes.word(at: start)
    return Pattern(hasDigits ? word.withZeros : word, count: min(max(count, 0), 8))
  }
}

extension UInt64 {
  /// Its bytes, with a zero for each digit.
  @inline(__always)
  fileprivate var withZeros: UInt64 {
    let digits = nonDigits ^ 0x8080_8080_8080_8080
    return self & ~(digits &>> 7 &* 0x0f)
  }
}
