/// An output file, or one of the process's own streams.
///
/// A named file appears under its name only when it is complete. Until then, its bytes are in a new
/// file next to it, which is removed if writing fails. A file whose name ends in `.zst` is compressed.
package final class ByteSink {
  private let file: FileDescriptor
  private let path: String
  /// The path of the bytes until they are complete; `nil` if they are written directly to their destination.
  package let unfinishedPath: String?
  private var isFinished = false
  /// The bytes of the pieces that were written completely.
  private var count = 0
  /// Compresses the bytes; `nil` if they are written unchanged.
  private let encoder: ZstdEncoder?

  /// The extension of compressed files, in upper or lower case.
  package static let compressedSuffix = ".zst"

  /// Whether a file of that name is compressed. A recording is not compressed, because it must be readable at any time.
  package static func isCompressed(_ path: String) -> Bool {
    path.lowercased().hasSuffix(compressedSuffix)
  }

  /// Opens a file for writing; `-` is standard output.
  package init(path: String) throws(ParseError) {
    self.path = path
    encoder = Self.isCompressed(path) ? ZstdEncoder() : nil
    guard !path.isEmpty else {
      throw ParseError(.inputOutput, path: "output", problem: "cannot write: the name is empty")
    }
    if path == "-" {
      file = FileDescriptor(borrowing: 1)
      unfinishedPath = nil
    } else if FileDescriptor.isReplaceable(path) {
      let unfinished = FileDescriptor.unfinishedPath(besides: path)
      unfinishedPath = unfinished
      file = try FileDescriptor(writing: unfinished, for: path, .new)
    } else {
      unfinishedPath = nil
      file = try FileDescriptor(writing: path, for: path)
    }
  }

  /// Opens a file that has its final name from the start, for recordings that must survive the
  /// process.
  package init(recordingTo path: String) throws(ParseError) {
    self.path = path
    (unfinishedPath, encoder) = (nil, nil)
    file = try FileDescriptor(writing: path, for: path)
  }

  /// Opens a file to append after its first bytes.
  package init(continuing path: String, after count: Int) throws(ParseError) {
    self.path = path
    (unfinishedPath, encoder) = (nil, nil)
    file = try FileDescriptor(writing: path, for: path, .kept)
    file.cut(to: count)
    file.seek(to: count)
    self.count = count
  }

  /// Opens a recording that may already exist, for one process at a time: keeps the first bytes and discards the rest.
  /// - Parameter count: Returns how many bytes to keep; called when no other process can change them.
  package init(alone path: String, keeping count: () throws(ParseError) -> Int) throws(ParseError) {
    self.path = path
    (unfinishedPath, encoder) = (nil, nil)
    file = try FileDescriptor(writing: path, for: path, .kept)
    guard file.lock(path) else {
      throw ParseError(
        .inputOutput, path: path, problem: "cannot write: another process is writing it",
        help: "wait for its end, or give the output another name")
    }
    let count = try count()
    file.cut(to: count)
    file.seek(to: count)
    self.count = count
  }

  /// Borrows an open stream of the process: 1 is standard output, 2 standard error.
  package init(stream: Int32) {
    path = stream == 1 ? "standard output" : "standard error"
    file = FileDescriptor(borrowing: stream)
    (unfinishedPath, encoder) = (nil, nil)
  }

  deinit {
    if !isFinished, let unfinishedPath { FileDescriptor.remove(unfinishedPath) }
  }

  /// Removes the bytes of a file that will not be completed.
  package static func remove(unfinished path: String) { FileDescriptor.remove(path) }

  /// Whether a path names a regular file.
  package static func isFile(_ path: String) -> Bool { FileDescriptor.isRegular(path) }

  /// Whether a process holds a lock on a file.
  package static func isLocked(_ path: String) -> Bool {
    guard let file = try? FileDescriptor(reading: path, for: path) else { return false }
    return !file.lock(path)
  }

  /// Renames a file.
  package static func move(_ path: String, to other: String) throws(ParseError) {
    try FileDescriptor.rename(path, to: other)
  }

  /// Whether an output, such as a pipe, is written in place, and not to a file next to it until it is complete.
  package static func isInPosition(_ path: String) -> Bool {
    path == "-" || !FileDescriptor.isReplaceable(path)
  }

  /// Whether a file of that name exists.
  package static func exists(_ path: String) -> Bool { FileDescriptor.exists(path) }

  /// Whether an output file would be the same file as an input.
  package static func wouldReplace(_ input: String, with output: String) -> Bool {
    output != "-" && input != "-" && FileDescriptor.isSame(input, output)
  }

  /// Writes all bytes.
  /// - Returns: `false` if the reader has closed.
  /// - Throws: `ParseError` of kind `inputOutput`, for example if the disk is full.
  package func write(_ bytes: [UInt8]) throws(ParseError) -> Bool {
    guard let encoder else { return try writePlain(bytes) }
    return try writePlain(try compressed(encoder.consume(bytes)))
  }

  private func compressed(_ bytes: [UInt8]?) throws(ParseError) -> [UInt8] {
    guard let bytes else {
      throw ParseError(.inputOutput, path: path, problem: "cannot write: compressing failed")
    }
    return bytes
  }

  private func writePlain(_ bytes: [UInt8]) throws(ParseError) -> Bool {
    let isRead = try file.write(bytes.span, path: path)
    count += bytes.count
    return isRead
  }

  /// Removes the written part of a piece that could not be written completely.
  package func removeUnfinishedPiece() { file.cut(to: count) }

  /// Renames a complete recording.
  package func finish(under name: String) throws(ParseError) {
    if Self.isCompressed(name) {
      try copy(to: try ByteSink(path: name))
      FileDescriptor.remove(path)
    } else {
      try FileDescriptor.rename(path, to: name)
    }
    isFinished = true
  }

  private func copy(to other: ByteSink) throws(ParseError) {
    let source = try FileDescriptor(reading: path, for: path)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let found = try source.read(into: &bytes, at: 0..<bytes.count, path: path)
      if found == 0 { break }
      _ = try other.write(Array(bytes[..<found]))
    }
    try other.finish()
  }

  /// Puts the complete file under its name.
  package func finish() throws(ParseError) {
    if let encoder { _ = try writePlain(try compressed(encoder.end())) }
    if let unfinishedPath { try FileDescriptor.rename(unfinishedPath, to: path) }
    isFinished = true
  }
}
