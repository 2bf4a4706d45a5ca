/// A stream of bytes that is read once from front to back: a file, or the contents of a
/// compressed one.
///
/// A class, because a source owns what cannot be copied: an open file, a decoder's state.
protocol ByteSource: AnyObject {
  /// Reads bytes into `bytes[place]`, as many as are at hand, at least one.
  ///
  /// A source that meets broken data gives what it could decode before it first, and
  /// throws on the call after.
  /// - Returns: How many bytes were read; 0 at the end, and only there.
  func read(into bytes: inout [UInt8], at place: Range<Int>) throws(ParseError) -> Int
}

extension ByteSource {
  /// Fills `bytes` from `start` on, as far as the source goes.
  /// - Returns: How many bytes were read; fewer than asked for only at the end.
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

  func read(into bytes: inout [UInt8], at place: Range<Int>) throws(ParseError) -> Int {
    let count = min(place.count, content.count - position)
    bytes.replaceSubrange(place.prefix(count), with: content[position..<position + count])
    position += count
    return count
  }
}
