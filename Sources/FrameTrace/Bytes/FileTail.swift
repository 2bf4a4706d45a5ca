/// Follows a file while somebody still writes it: each look finds the whole lines since the one before.
package final class FileTail {
  private let file: FileDescriptor
  private let path: String
  private var position = 0
  /// A line whose end is not there yet.
  private var rest: [UInt8] = []

  /// The longest line that is waited for.
  private static let longestLine = 16 << 20
  private static let blockSize = 1 << 20

  package init(path: String) throws(ParseError) {
    file = try FileDescriptor(reading: path, for: path)
    self.path = path
    if file.isDirectory {
      throw ParseError(.inputOutput, path: path, problem: "expected a file, found a folder")
    }
  }

  /// The whole lines since the last look, each with its line feed; of many only the first, so that whoever looks
  /// goes on until there are none.
  package func next() throws(ParseError) -> [UInt8] {
    // Whoever writes may have begun anew.
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
