extension Span<UInt8> {
  /// The eight bytes from `offset` on as one number, the first byte the lowest.
  ///
  /// The load itself is checked against the span's bounds; it is `unsafe` only because
  /// the standard library cannot know that any bytes make a valid number.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
