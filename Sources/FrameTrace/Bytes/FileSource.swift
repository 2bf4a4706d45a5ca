/// The bytes of an open file, unchanged.
final class FileSource: ByteSource {
  /// The path that was opened.
  private let path: String
  /// The name used in errors.
  let name: String
  private let file: FileDescriptor
  /// Bytes read ahead that the next reads return again.
  private var lookedAt: [UInt8] = []
  /// How many bytes were returned so far.
  private(set) var position = 0

  init(_ file: consuming FileDescriptor, path: String, named name: String) {
    self.file = file
    self.path = path
    self.name = name
  }

  /// The size in bytes; `nil` for a pipe.
  var size: Int? { file.size }

  /// The next unread bytes, without consuming them.
  /// - Returns: `count` bytes, or fewer if the file is shorter.
  func peek(_ count: Int) throws(ParseError) -> [UInt8] {
    var bytes = lookedAt
    while bytes.count < count {
      var more = [UInt8](repeating: 0, count: count - bytes.count)
      let found = try file.read(into: &more, at: 0..<more.count, path: name)
      if found == 0 { break }
      bytes.append(contentsOf: more.prefix(found))
    }
    lookedAt = bytes
    return bytes
  }

  func read(into bytes: inout [UInt8], at index: Range<Int>) throws(ParseError) -> Int {
    if !lookedAt.isEmpty { return takeLookedAt(&bytes, index) }
    let count = try file.read(into: &bytes, at: index, path: name)
    position += count
    return count
  }

  private func takeLookedAt(_ bytes: inout [UInt8], _ index: Range<Int>) -> Int {
    let count = min(index.count, lookedAt.count)
    bytes.replaceSubrange(index.prefix(count), with: lookedAt.prefix(count))
    lookedAt.removeFirst(count)
    position += count
    return count
  }

  /// A path at which the complete file can be opened again for reading at any position, as the zip reader requires. A
  /// pipe is copied to a temporary file first, which `keep` holds open.
  func reopenablePath(keep: inout FileSource?) throws(ParseError) -> String {
    if path != "-", file.size != nil { return path }
    let copy = try FileDescriptor(temporaryFor: name)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try fill(&chunk, from: 0)
      if count == 0 { break }
      try copy.write(chunk.span.extracting(..<count), path: name)
    }
    let path = copy.reopenablePath
    keep = FileSource(copy, path: path, named: name)
    return path
  }
}
