import FrameTrace

/// A packed trace whose blocks have the checksums of their content, so that changed content is read and not only
/// left out.
enum FuzzedBlocks {
  /// The kind, the size and the checksum before a block's content.
  private static let head = 9

  static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var start = PackedFormat.signature.count + 1
    while start + head <= bytes.count {
      let size = (1...4).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
      let content = start + head
      guard content + size <= bytes.count else { break }
      let sum = Checksum.of(Array(bytes[content..<content + size]))
      for byte in 0..<4 { bytes[start + 5 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte)) }
      start = content + size
    }
    return bytes
  }
}
