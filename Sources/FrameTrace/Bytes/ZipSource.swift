import CMinizip

/// The contents of a file in a zip archive: the named file, or the only file.
///
/// Format: PKWARE's APPNOTE, read by minizip. Folders and the `__MACOSX` entries that
/// macOS adds do not count as files.
@safe final class ZipSource: ByteSource {
  private let path: String
  private let archive: unzFile?
  /// Holds the temporary copy of a pipe open while minizip reads it.
  private var copy: FileSource?
  private var ended = false
  /// The name of the open file, for messages.
  private var member = ""

  /// - Parameter entry: The name of the file; `nil` for the only file.
  convenience init(_ source: FileSource, entry: String? = nil) throws(ParseError) {
    try self.init(opening: source)
    if let entry { try open(entry) } else { try openTheOneFile() }
  }

  /// Opens an archive without opening a file in it.
  private init(opening source: FileSource) throws(ParseError) {
    path = source.name
    let name = try source.reopenablePath(keep: &copy)
    unsafe archive = unsafe unzOpen64(name)
    guard unsafe archive != nil else {
      throw ParseError(
        path: path, problem: "expected a zip archive with a file list, found no readable one",
        help: "the archive is truncated or damaged; unpack it with 'unzip' to see what is left")
    }
  }

  deinit { unsafe unzClose(archive) }

  func read(into bytes: inout [UInt8], at position: Range<Int>) throws(ParseError) -> Int {
    // minizip reports a read after the end as an error.
    if ended { return 0 }
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[position])
      return unsafe unzReadCurrentFile(archive, part.baseAddress, UInt32(clamping: part.count))
    }
    if count < 0 {
      throw ParseError(path: path, problem: "\(member) in the zip archive has corrupt data")
    }
    if count == 0 {
      ended = true
      guard unsafe unzCloseCurrentFile(archive) != UNZ_CRCERROR else {
        throw ParseError(path: path, problem: "\(member) in the zip archive fails its checksum")
      }
    }
    return Int(count)
  }

  private func openTheOneFile() throws(ParseError) {
    let names = fileNames()
    guard names.count == 1, let name = names.first else {
      throw ParseError(
        path: path,
        problem: names.isEmpty
          ? "expected one file in the zip archive, found none"
          : "expected one file in the zip archive, found \(names.count) (first: \(names[0]))",
        help: names.isEmpty
          ? "unpack it with 'unzip' and pass the trace" : "name one: \(path)/\(names[0])")
    }
    try open(name)
  }

  private func open(_ name: String) throws(ParseError) {
    member = name
    guard unsafe unzLocateFile(archive, name, 1) == UNZ_OK else {
      throw ParseError(
        path: path, problem: "expected a file of this name in the zip archive, found none",
        help: "'unzip -l' lists the names")
    }
    guard unsafe unzOpenCurrentFile(archive) == UNZ_OK else {
      throw ParseError(
        path: path,
        problem: "\(name) in the zip archive is encrypted or uses an unsupported compression",
        help: "unpack it with 'unzip' and pass the trace")
    }
  }

  /// The names of the files in an archive, in the archive's order; `nil` if it is not a readable archive.
  /// - Parameter most: The maximum number of names listed.
  package static func names(in path: String, atMost most: Int) -> [String]? {
    guard let source = FileSource(archive: path), let archive = try? ZipSource(opening: source)
    else { return nil }
    return archive.fileNames(atMost: most)
  }

  private func fileNames(atMost most: Int = .max) -> [String] {
    var names: [String] = []
    var status = unsafe unzGoToFirstFile(archive)
    while status == UNZ_OK, names.count < most {
      if let name = currentName(), !name.hasSuffix("/"), !name.hasPrefix("__MACOSX/") {
        names.append(name)
      }
      status = unsafe unzGoToNextFile(archive)
    }
    return names
  }

  private func currentName() -> String? {
    var characters = [CChar](repeating: 0, count: 4096)
    let length = UInt(characters.count - 1)
    let status = unsafe characters.withUnsafeMutableBufferPointer {
      unsafe unzGetCurrentFileInfo64(archive, nil, $0.baseAddress, length, nil, 0, nil, 0)
    }
    guard status == UNZ_OK else { return nil }
    return String(
      decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension FileSource {
  /// The bytes of a file that is a zip archive according to its first bytes; `nil` for any other file.
  convenience init?(archive path: String) {
    guard FileDescriptor.isRegular(path), let file = try? FileDescriptor(reading: path, for: path)
    else { return nil }
    self.init(file, path: path, named: path)
    guard let start = try? peek(4), Compression(firstBytes: start) == .zip else { return nil }
  }
}
