extension Span<UInt8> {
  /// The first index of a byte.
  @inlinable @inline(__always)
  package func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      if self[position] == byte { return position }
      position &+= 1
    }
    return nil
  }

  /// The last index of a byte.
  package func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var position = range.upperBound
    while position > range.lowerBound {
      position &-= 1
      if self[position] == byte { return position }
    }
    return nil
  }

  /// The first index of a byte, found eight bytes at a time.
  /// - Precondition: Eight bytes can be read from any index in the range.
  package func first(_ byte: UInt8, inWordsOf range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      let found = word(at: position).matches(byte)
      if found != 0 {
        position &+= found.trailingZeroBitCount &>> 3
        return position < range.upperBound ? position : nil
      }
      position &+= 8
    }
    return nil
  }

  /// The first index of either of two bytes, found eight bytes at a time.
  /// - Precondition: Eight bytes can be read from any index in the range.
  @inlinable @inline(__always)
  package func first(_ one: UInt8, or other: UInt8, inWordsOf range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while position < range.upperBound {
      let word = word(at: position)
      let found = word.matches(one) | word.matches(other)
      if found != 0 {
        position &+= found.trailingZeroBitCount &>> 3
        return position < range.upperBound ? position : nil
      }
      position &+= 8
    }
    return nil
  }

  /// The first index at which a name begins.
  /// - Precondition: Eight bytes can be read from any index in the range.
  package func first(_ name: ByteName, in range: Range<Int>) -> Int? {
    guard name.length > 1 else { return first(name.first, in: range) }
    let last = range.upperBound &- name.length
    let (initial, second) = (name.first, name.second)
    var position = range.lowerBound
    while position <= last {
      var found = pairs(initial, second, at: position)
      while found != 0 {
        let candidate = position &+ found.trailingZeroBitCount &>> 3
        guard candidate <= last else { return nil }
        if name.begins(self, at: candidate) { return candidate }
        found &= found &- 1
      }
      position &+= 8
    }
    return nil
  }

  /// The possible starts of a pair of bytes in the next eight bytes, as the high bits of those bytes. No pair is
  /// missed.
  @inline(__always)
  private func pairs(_ first: UInt8, _ second: UInt8, at position: Int) -> UInt64 {
    word(at: position).matches(first) & word(at: position &+ 1).matches(second)
  }

  /// The first index of a string of any length.
  package func first(of text: [UInt8], in range: Range<Int>) -> Int? {
    guard let initial = text.first else { return range.lowerBound }
    let last = range.upperBound &- text.count
    var position = range.lowerBound
    if text.count > 1 {
      let second = text[1]
      // Only whole words of the range are read here.
      while position &+ 9 <= range.upperBound {
        var found = pairs(initial, second, at: position)
        while found != 0 {
          let candidate = position &+ found.trailingZeroBitCount &>> 3
          if candidate <= last, holds(text, at: candidate) { return candidate }
          found &= found &- 1
        }
        position &+= 8
      }
    }
    while position <= last {
      if self[position] == initial, holds(text, at: position) { return position }
      position &+= 1
    }
    return nil
  }

  /// Whether the bytes of a string are at an index, with enough bytes left from there.
  package func holds(_ text: [UInt8], at position: Int) -> Bool {
    let other = text.span
    for index in 0..<text.count where self[position &+ index] != other[index] { return false }
    return true
  }

  /// The string in a range.
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
    for position in start..<range.upperBound {
      let digit = self[position] &- 0x30
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return self[first] == UInt8(ascii: "-") ? -value : value
  }

  /// A whole number of up to 64 bits, optionally with a sign; `nil` if it is not one.
  package func integer(_ range: Range<Int>) -> Int64? {
    whole(range) ?? (range.count > 18 ? Int64(text(range)) : nil)
  }
}
