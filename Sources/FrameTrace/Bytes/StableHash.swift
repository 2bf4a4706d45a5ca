/// A hash that depends only on its bytes and is the same on any machine and in any process: FNV-1a
/// with 64 bits.
///
/// G. Fowler, L. C. Noll, K.-P. Vo and D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm". The hash is not secure
/// against deliberate collisions.
package struct StableHash: Sendable {
  @usableFromInline package var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package init(_ text: String) {
    self.init()
    add(text.utf8)
  }

  @inlinable
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Adds a number with a fixed width, so that it cannot be confused with the numbers next to it.
  package mutating func add(_ number: Int128) {
    let bits = UInt128(truncatingIfNeeded: number)
    add((0..<16).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt128($0))) })
  }
}
