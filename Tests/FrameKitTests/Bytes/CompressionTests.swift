import CZlib
import CZstd
import Foundation
import Testing

@testable import FrameStatistics
@testable import FrameTrace

@Suite struct CompressionTests {
  static let text = Array(String(repeating: "frame,16.6667,NA\n", count: 20_000).utf8)

  @Test func gzipIsOpenedTransparently() throws {
    try withFile(Self.gzip(Self.text)) { path in
      let input = try InputFile(path: path)
      #expect(input.compression == .gzip)
      #expect(try Self.readAll(input).bytes == Self.text)
    }
  }

  @Test func allMembersOfAGzipFileAreRead() throws {
    try withFile(Self.gzip(Self.text) + Self.gzip([0x41, 0x42])) { path in
      let input = try InputFile(path: path)
      #expect(try Self.readAll(input).bytes == Self.text + [0x41, 0x42])
    }
  }

  /// What was decompressed before, with which dictionary, and whether that was broken, must not matter to what comes next.
  @Test func dataDecompressedOneAfterTheOtherAreIndependent() {
    let words = Array("frame,16.6667,NA\nframe,33.3333,NA\n".utf8)
    let plain = Deflated.zstd(Self.text, isChecked: true)
    let worded = Deflated.zstd(words + words, dictionary: words, isChecked: true)
    let results = Parallelism.threads {}.map(200) { number -> Bool in
      var broken = number % 2 == 0 ? plain : worded
      broken[broken.count - 1 - number % 8] ^= 0x55
      let dictionary = number % 2 == 0 ? [] : words
      let size = number % 2 == 0 ? Self.text.count : 2 * words.count
      return Inflated.zstd(broken, broken.indices, to: size, dictionary: dictionary) == nil
        && Inflated.zstd(worded, worded.indices, to: 2 * words.count) == nil
        && Inflated.zstd(plain, plain.indices, to: Self.text.count) == Self.text
        && Inflated.zstd(worded, worded.indices, to: 2 * words.count, dictionary: words)
          == words + words
    }
    #expect(results == [Bool](repeating: true, count: 200))
  }

  @Test func dataInZlibsFormIsOpenedTransparently() throws {
    try withFile(Deflated.all(Self.text)) { path in
      let input = try InputFile(path: path)
      #expect(input.compression == .zlib)
      #expect(try Self.readAll(input).bytes == Self.text)
    }
    // A text may begin with its first letter.
    let text = Array("x,time\n".utf8)
    try withFile(text) { path in
      let input = try InputFile(path: path)
      #expect(input.compression == nil)
    }
  }

  @Test func zstdIsOpenedTransparently() throws {
    try withFile(Self.zstd(Self.text) + Self.zstd([0x41])) { path in
      let input = try InputFile(path: path)
      #expect(input.compression == .zstd)
      #expect(try Self.readAll(input).bytes == Self.text + [0x41])
    }
  }

  @Test func theOneFileOfAZipArchiveIsRead() throws {
    let archive = Self.zip([
      ("folder/", []), ("trace.csv", Self.text), ("__MACOSX/._trace.csv", [1]),
    ])
    try withFile(archive) { path in
      let input = try InputFile(path: path)
      #expect(input.compression == .zip)
      #expect(try Self.readAll(input).bytes == Self.text)
    }
  }

  /// All of it is in the head, so the next read is after the end.
  @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537])
  func smallFilesInAZipArchiveAreRead(_ size: Int) throws {
    let bytes = Array(Self.text.prefix(size))
    try withFile(Self.zip([("trace.csv", bytes)])) { path in
      let input = try InputFile(path: path)
      let (read, error) = try Self.readAll(input)
      #expect(read == bytes && error == nil, "\(error?.problem ?? "")")
    }
  }

  @Test func aFileOfAZipArchiveIsOpenedByItsPath() throws {
    let archive = Self.zip([("a.csv", Self.text), ("folder/b.csv", [1, 2]), ("folder/", [])])
    try withFile(archive) { path in
      let (one, other) = (
        try Self.readAll(InputFile(path: "\(path)/a.csv")),
        try Self.readAll(InputFile(path: "\(path)/folder/b.csv"))
      )
      #expect(one.bytes == Self.text && other.bytes == [1, 2])
      #expect(
        ZipPath.files(in: path, atMost: 10) == ["\(path)/a.csv", "\(path)/folder/b.csv"])
      #expect(ZipPath.files(in: path, atMost: 1)?.count == 2)
      for name in ["none", "folder", "a.csv/b"] {
        let error = #expect(throws: ParseError.self) { try InputFile(path: "\(path)/\(name)") }
        #expect(error?.path == "\(path)/\(name)")
      }
    }
  }

  @Test func aZipArchiveOfSeveralFilesIsRefusedWithTheirNumber() throws {
    try withFile(Self.zip([("a.csv", Self.text), ("b.csv", [1])])) { path in
      let error = #expect(throws: ParseError.self) { try InputFile(path: path) }
      #expect(error?.problem == "expected one file in the zip archive, found 2 (first: a.csv)")
      #expect(error?.help == "name one: \(path)/a.csv")
    }
  }

  @Test func aZipArchiveWithoutFilesIsRefused() throws {
    try withFile(Self.zip([("folder/", [])])) { path in
      #expect(throws: ParseError.self) { try InputFile(path: path) }
    }
  }

  @Test func bytesBehindAGzipFileAreTold() throws {
    try withFile(Self.gzip(Self.text) + [1, 2, 3]) { path in
      let (bytes, error) = try Self.readAll(InputFile(path: path))
      #expect(bytes == Self.text)
      #expect(error?.problem == "at least 3 bytes after the end of the gzip data")
    }
  }

  @Test(arguments: ["gzip", "zstd"])
  func dataThatEndsEarlyGivesWhatItHasAndThenSaysSo(_ kind: String) throws {
    let whole = kind == "gzip" ? Self.gzip(Self.text) : Self.zstd(Self.text)
    for length in stride(from: 5, to: whole.count, by: 7) {
      try withFile(Array(whole.prefix(length))) { path in
        let (bytes, error) = try Self.readAll(InputFile(path: path))
        #expect(Self.text.starts(with: bytes))
        #expect(error?.problem == "the \(kind) data ends early", "cut at \(length)")
      }
    }
  }

  @Test func brokenBytesNeverTrap() throws {
    var random = SplitMix64(seed: 3)
    let archives = [
      Self.gzip(Self.text), Self.zstd(Self.text), Self.zip([("trace.csv", Self.text)]),
    ]
    for archive in archives {
      for _ in 0..<60 {
        var broken = archive
        for _ in 0..<4 {
          let position = Int.random(in: 4..<broken.count, using: &random)
          broken[position] = UInt8.random(in: 0...255, using: &random)
        }
        try withFile(broken) { path in
          if let input = try? InputFile(path: path) { _ = try Self.readAll(input) }
        }
      }
    }
  }

  @Test func aFolderAndAMissingFileAreToldApart() {
    let folder = #expect(throws: ParseError.self) { try InputFile(path: "/tmp") }
    #expect(folder?.description == "/tmp: expected a file, found a folder")
    let missing = #expect(throws: ParseError.self) { try InputFile(path: "/no/such/file") }
    #expect(missing?.description == "/no/such/file: cannot open: No such file or directory")
  }
}

extension CompressionTests {
  /// All bytes of an input, and the error at its end.
  static func readAll(_ input: InputFile) throws -> (bytes: [UInt8], error: ParseError?) {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 10_000)
    do throws(ParseError) {
      while true {
        let count = try input.read(into: &chunk, at: 0..<chunk.count)
        if count == 0 { return (all, nil) }
        all += chunk.prefix(count)
      }
    } catch {
      return (all, error)
    }
  }

  func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).bin")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    deflated(bytes, windowBits: 31)
  }

  private static func deflated(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
    var bytes = bytes
    var stream = unsafe z_stream()
    unsafe deflateInit2_(
      &stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    var output = [UInt8](repeating: 0, count: bytes.count + 1024)
    let room = output.count
    let left = unsafe bytes.withUnsafeMutableBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(room)
        unsafe deflate(&stream, Z_FINISH)
        return Int(unsafe stream.avail_out)
      }
    }
    unsafe deflateEnd(&stream)
    return Array(output.prefix(room - left))
  }

  static func zstd(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = unsafe bytes.withUnsafeBytes { source in
      unsafe output.withUnsafeMutableBytes { target in
        unsafe ZSTD_compress(target.baseAddress, target.count, source.baseAddress, source.count, 3)
      }
    }
    return Array(output.prefix(count))
  }

  /// A zip archive according to PKWARE's APPNOTE: local headers with deflated data, the central
  /// directory, and its end record.
  static func zip(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for (name, bytes) in files {
      let data = deflated(bytes, windowBits: -15)
      let checksum = unsafe bytes.withUnsafeBufferPointer {
        unsafe crc32(0, $0.baseAddress, UInt32($0.count))
      }
      let sizes =
        little(UInt32(checksum)) + little(UInt32(data.count)) + little(UInt32(bytes.count))
      let shared =
        little(UInt16(20)) + little(UInt16(0)) + little(UInt16(8)) + little(UInt32(0)) + sizes
      let lengths = little(UInt16(name.utf8.count)) + little(UInt16(0))
      let offset = little(UInt32(archive.count))
      archive += [0x50, 0x4b, 3, 4] + shared + lengths + Array(name.utf8) + data
      directory += [0x50, 0x4b, 1, 2] + little(UInt16(20)) + shared + lengths
      directory += [UInt8](repeating: 0, count: 10) + offset + Array(name.utf8)
    }
    let count = little(UInt16(files.count))
    let end = little(UInt32(directory.count)) + little(UInt32(archive.count)) + little(UInt16(0))
    return archive + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + count + count + end
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
