extension Span<UInt8> {
  /// The first index of a byte.
  @inlinable @inline(__always)
  package func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while place < range.upperBound {
      if self[place] == byte { return place }
      place &+= 1
    }
    return nil
  }

  /// The last index of a byte.
  package func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var place = range.upperBound
    while place > range.lowerBound {
      place &-= 1
      if self[place] == byte { return place }
    }
    return nil
  }

  /// The first index at which a name begins.
  /// - Precondition: Eight bytes can be read from any index in the range.
  package func first(_ name: ByteName, in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while let found = first(name.first, in: place..<range.upperBound) {
      if begins(name, in: found..<range.upperBound) { return found }
      place = found &+ 1
    }
    return nil
  }

  /// Where a text of any length begins first.
  package func first(of text: [UInt8], in range: Range<Int>) -> Int? {
    guard let initial = text.first else { return range.lowerBound }
    let other = text.span
    var place = range.lowerBound
    while range.upperBound &- place >= text.count,
      let found = first(initial, in: place..<range.upperBound &- text.count &+ 1)
    {
      var length = 1
      while length < text.count, self[found &+ length] == other[length] { length &+= 1 }
      if length == text.count { return found }
      place = found &+ 1
    }
    return nil
  }

  /// The text in a range.
  package func text(_ range: Range<Int>) -> String {
    String(decoding: range.map { self[$0] }, as: UTF8.self)
  }

  /// A range without the blanks at its start.
  package func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, self[start] == 0x20 { start &+= 1 }
    return start..<range.upperBound
  }

  /// A range without the blanks at its end.
  package func withoutBlanksAtEnd(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, self[end &- 1] == 0x20 { end &-= 1 }
    return range.lowerBound..<end
  }

  /// A whole number, optionally with a sign; `nil` if it is not a number, or has more than 18
  /// digits.
  package func whole(_ range: Range<Int>) -> Int64? {
    guard let first = range.first else { return nil }
    let isSigned = self[first] == UInt8(ascii: "-") || self[first] == UInt8(ascii: "+")
    let start = isSigned ? first + 1 : first
    guard 1...18 ~= range.upperBound - start else { return nil }
    var value: Int64 = 0
    for place in start..<range.upperBound {
      let digit = self[place] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return self[first] == UInt8(ascii: "-") ? -value : value
  }
}
