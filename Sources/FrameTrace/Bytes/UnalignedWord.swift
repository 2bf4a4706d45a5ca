import CByteScan

extension Span<UInt8> {
  /// The eight bytes from `offset` as one number; the first byte is the lowest.
  ///
  /// The load itself is checked against the span's bounds; it is `unsafe` only because the standard library cannot know
  /// that any bytes form a valid number.
  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Up to `count` bytes from `offset` as one number, padded with zeros.
  @inlinable @inline(__always)
  package func word(at offset: Int, count: Int) -> UInt64 {
    let word = word(at: offset)
    return count >= 8 ? word : word & (1 &<< UInt64(truncatingIfNeeded: count &* 8) &- 1)
  }

  /// Which of the 32 bytes from `offset` are a quote, a backslash or a control character, which end the plain part of a
  /// JSON string: one bit for each, with the first byte in the lowest bit.
  @inline(__always)
  func textEnds(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset &+ 32 <= count)
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe byte_scan_text(base + offset)
    }
  }

  /// The structural characters of JSON in the 32 bytes from `offset`.
  @inline(__always)
  func marks(at offset: Int) -> byte_scan_marks {
    precondition(offset >= 0 && offset &+ 32 <= count)
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return byte_scan_marks() }
      return unsafe byte_scan_json(base + offset)
    }
  }

  /// Which of the 64 bytes from `offset` have a value: one bit for each, with the first byte in the lowest bit.
  @inline(__always)
  func matches(_ value: UInt8, at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 64 <= count)
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe byte_scan_match(base + offset, value)
    }
  }

  /// Whether the bytes in `range` are those of `other` from `start` on. Eight bytes must be
  /// readable from the start of every word compared.
  @inline(__always)
  func equals(_ other: Span<UInt8>, at start: Int, _ range: Range<Int>) -> Bool {
    var offset = 0
    while offset &+ 8 <= range.count {
      if word(at: range.lowerBound &+ offset) != other.word(at: start &+ offset) { return false }
      offset &+= 8
    }
    let rest = range.count &- offset
    return rest == 0
      || word(at: range.lowerBound &+ offset, count: rest)
        == other.word(at: start &+ offset, count: rest)
  }
}

extension UInt64 {
  /// Which of the word's bytes have a value, by their high bits: the lowest set bit is correct; those above it may not
  /// be.
  @inlinable @inline(__always)
  package func matches(_ value: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let zeros = self ^ (ones &* UInt64(value))
    return (zeros &- ones) & ~zeros & 0x8080_8080_8080_8080
  }

  /// How many of the word's bytes are digits, from the lowest byte up to the first that is not a digit.
  @inlinable @inline(__always)
  package var digitCount: Int { nonDigits.trailingZeroBitCount &>> 3 }

  /// Which of the word's bytes are not digits, by their high bits.
  @inlinable @inline(__always)
  package var nonDigits: UInt64 {
    let digits = self ^ 0x3030_3030_3030_3030
    let others = (digits & 0x7f7f_7f7f_7f7f_7f7f &+ 0x7676_7676_7676_7676) | digits
    return others & 0x8080_8080_8080_8080
  }
}
