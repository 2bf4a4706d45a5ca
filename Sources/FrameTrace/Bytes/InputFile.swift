/// An input being read: a file or standard input, decompressed if necessary.
///
/// It returns its bytes once, from front to back. Its first bytes are available beforehand, so that
/// an importer can be chosen by content. It belongs to one thread.
public final class InputFile {
  /// The name the user gave; `-` is standard input.
  public let path: String
  /// The compression format of the input; `nil` for none.
  public let compression: Compression?
  /// The first bytes after decompression: 64 KiB, or the length of a table's first line, up to 1 MiB.
  public let head: [UInt8]
  /// Called from time to time with the number of bytes read from the file and its size (`nil` for a
  /// pipe), to display progress.
  public var progress: ((_ read: Int, _ size: Int?) -> Void)?

  /// How parts of a long input are read. Results do not depend on it.
  public var parallelism = Parallelism.none

  /// The maximum size of decompressed data, in bytes; by default, as many as ``Inflation`` allows.
  public var largestSize: Int?
  /// How many bytes were read after the head.
  private var readAfterHead = 0

  /// The number of bytes used to choose an importer.
  package static let headSize = 1 << 16
  /// A table's first line may be longer than `headSize`, up to this many bytes.
  package static let longestHeader = 1 << 20

  private let file: FileSource?
  private let source: any ByteSource
  private var headTaken = 0
  /// An error in compressed data found while reading the head; it is thrown when reading reaches its position.
  private var pendingFailure: ParseError?

  /// Opens an input; `-` is standard input.
  /// - Parameter name: The name used in results and errors; by default, the path.
  /// - Throws: `ParseError` if the input cannot be opened, is a folder, or is a broken archive.
  public convenience init(path: String, named name: String? = nil) throws(ParseError) {
    let name = name ?? path
    if let inner = ZipPath(path) {
      let file = try FileDescriptor(reading: inner.archive, for: name)
      try self.init(FileSource(file, path: inner.archive, named: name), entry: inner.entry)
      return
    }
    let file =
      path == "-" ? FileDescriptor(borrowing: 0) : try FileDescriptor(reading: path, for: name)
    if file.isDirectory {
      throw ParseError(
        .inputOutput, path: name, problem: "expected a file, found a folder",
        help: "name the trace files in it")
    }
    try self.init(FileSource(file, path: path, named: name))
  }

  /// - Parameter entry: The name of the file in an archive; `nil` for the file itself, or an archive's only one.
  init(_ file: FileSource, entry: String? = nil) throws(ParseError) {
    self.file = file
    path = file.name
    compression = Compression(firstBytes: try file.peek(4))
    source =
      switch compression {
      case .gzip: GzipSource(file)
      case .zlib: GzipSource(file, isZlib: true)
      case .zstd: ZstdSource(file)
      case .zip: try ZipSource(file, entry: entry)
      case nil: file
      }
    (head, pendingFailure) = Self.readHead(source)
  }

  /// Creates an input from bytes in memory, under the name `path`.
  public init(bytes: [UInt8], path: String = "memory") throws(ParseError) {
    file = nil
    self.path = path
    compression = nil
    source = MemorySource(bytes)
    (head, pendingFailure) = Self.readHead(source)
  }

  private static func readHead(_ source: any ByteSource) -> ([UInt8], ParseError?) {
    var bytes = [UInt8](repeating: 0, count: headSize)
    var count = 0
    var failure: ParseError?
    do throws(ParseError) {
      while count < bytes.count {
        let found = try source.read(into: &bytes, at: count..<bytes.count)
        if found == 0 { break }
        count += found
        if count == bytes.count, count < longestHeader, mayBeHeader(bytes) {
          bytes += [UInt8](repeating: 0, count: count)
        }
      }
    } catch {
      failure = error
    }
    bytes.removeLast(bytes.count - count)
    return (bytes, failure)
  }

  /// Whether bytes may be the beginning of a table's first line, which an importer needs completely.
  private static func mayBeHeader(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, !"{[<".utf8.contains(first) else { return false }
    return !bytes.contains { $0 == 0x0a || $0 == 0x0d || $0 == 0 }
  }

  /// How many bytes are reserved beyond the file's size, so that a reader can append padding without copying all bytes.
  private static let room = 64

  /// All remaining bytes, if there are not too many.
  /// - Parameter what: What the bytes are, for the error if there are more.
  package func readAll(atMost most: Int, of what: String) throws(ParseError) -> [UInt8] {
    var bytes: [UInt8] = []
    if compression == nil, let size = file?.size {
      bytes.reserveCapacity(min(size, most) + Self.room)
    }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(into: &block, at: 0..<block.count)
      if count == 0 { return bytes }
      bytes += block[..<count]
      guard bytes.count <= most else {
        throw ParseError(
          path: path, problem: "expected at most \(most) bytes of \(what), found more")
      }
    }
  }

  /// Reads the available bytes into `bytes[position]`, at least one.
  /// - Returns: How many bytes were read; 0 at the end.
  package func read(into bytes: inout [UInt8], at index: Range<Int>) throws(ParseError) -> Int {
    if headTaken < head.count {
      let count = min(index.count, head.count - headTaken)
      bytes.replaceSubrange(index.prefix(count), with: head[headTaken..<headTaken + count])
      headTaken += count
      return count
    }
    if let failure = pendingFailure { throw failure }
    let count = try source.read(into: &bytes, at: index)
    readAfterHead += count
    if let file {
      progress?(file.position, file.size)
      if compression != nil { try checkInflation(of: file) }
    }
    return count
  }

  private func checkInflation(of file: FileSource) throws(ParseError) {
    let (size, read) = (head.count + readAfterHead, file.size ?? file.position)
    let most = largestSize ?? Inflation.most(of: read)
    guard size > most else { return }
    throw ParseError(
      path: path, position: .byte(size),
      problem:
        "expected at most \(Megabytes.text(Int64(most))) MB in \(Megabytes.text(Int64(read))) MB of compressed data, found more",
      help: "if it is what you expect, --max-size allows more megabytes")
  }

  /// Why compressed data is broken from its first byte; `nil` if it is not broken or not compressed.
  package var startFailure: ParseError? { head.isEmpty ? pendingFailure : nil }

  /// The head, which identifies a file that was read before.
  /// - Throws: If it could not be read. Damaged compressed data counts as content.
  package func wholeHead() throws(ParseError) -> [UInt8] {
    if let failure = pendingFailure, failure.kind != .badData { throw failure }
    return head
  }

  /// The size of the file on disk; `nil` for a pipe.
  public var fileSize: Int? { file?.size }

  /// How many bytes of the file have been read.
  var filePosition: Int { file?.position ?? 0 }
}

/// How much compressed data may grow, so that a small file cannot fill the memory.
public enum Inflation {
  /// The maximum ratio. Traces shrink to between a fifth and a twentieth; data that shrinks more than this ratio holds
  /// little.
  public static let mostTimes = 100
  /// Small files may grow by more than `mostTimes`, up to this many bytes.
  public static let leastBytes = 256_000_000

  /// The maximum decompressed size of a number of compressed bytes.
  static func most(of compressed: Int) -> Int {
    let (product, isOver) = compressed.multipliedReportingOverflow(by: mostTimes)
    return isOver ? .max : max(leastBytes, product)
  }
}
