/// Follows a file that is still being written: each read returns the complete lines added since the
/// last.
package final class FileTail {
  private let file: FileDescriptor
  private let path: String
  private var position = 0
  /// A line that is not yet complete.
  private var rest: [UInt8] = []

  /// The maximum length of a buffered incomplete line.
  private static let longestLine = 16 << 20
  private static let blockSize = 1 << 20

  package init(path: String) throws(ParseError) {
    file = try FileDescriptor(reading: path, for: path)
    self.path = path
    if file.isDirectory {
      throw ParseError(.inputOutput, path: path, problem: "expected a file, found a folder")
    }
  }

  /// The complete lines since the last read, each with its line feed. If there are many lines, only the first ones are
  /// returned, so callers must continue until none are left.
  package func next() throws(ParseError) -> [UInt8] {
    // The writer may have started over.
    if let size = file.size, size < position { (position, rest) = (0, []) }
    file.seek(to: position)
    var bytes = [UInt8](repeating: 0, count: Self.blockSize)
    while true {
      let count = try file.read(into: &bytes, at: 0..<bytes.count, path: path)
      if count == 0 { return [] }
      position += count
      rest += bytes[..<count]
      if let end = rest.lastIndex(of: 0x0a) {
        let lines = Array(rest[...end])
        rest.removeFirst(end + 1)
        return lines
      }
      guard rest.count <= Self.longestLine else {
        throw ParseError(
          path: path, problem: "expected a line of text, found none in \(rest.count) bytes")
      }
    }
  }
}
