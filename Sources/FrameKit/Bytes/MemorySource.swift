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
