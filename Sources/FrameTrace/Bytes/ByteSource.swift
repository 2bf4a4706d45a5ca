/// A stream of bytes that is read once from front to back: a file, or the contents of a compressed file.
///
/// A class, because a source owns state that cannot be copied: an open file, a decoder.
protocol ByteSource: AnyObject {
  /// Reads the available bytes into `bytes[position]`, at least one.
  ///
  /// If data is broken, a source first returns the bytes that it could decode and throws on the
  /// next call.
  /// - Returns: How many bytes were read; 0 at the end, and only there.
  func read(into bytes: inout [UInt8], at index: Range<Int>) throws(ParseError) -> Int
}

extension ByteSource {
  /// Fills `bytes` from `start`, as far as the source has bytes.
  /// - Returns: How many bytes were read; fewer than requested only at the end.
  func fill(_ bytes: inout [UInt8], from start: Int) throws(ParseError) -> Int {
    var end = start
    while end < bytes.count {
      let count = try read(into: &bytes, at: end..<bytes.count)
      if count == 0 { break }
      end += count
    }
    return end - start
  }
}

/// Bytes that are already in memory, read as if from a file.
final class MemorySource: ByteSource {
  private let content: [UInt8]
  private var position = 0

  init(_ content: [UInt8]) { self.content = content }

  func read(into bytes: inout [UInt8], at index: Range<Int>) throws(ParseError) -> Int {
    let count = min(index.count, content.count - position)
    bytes.replaceSubrange(index.prefix(count), with: content[position..<position + count])
    position += count
    return count
  }
}
