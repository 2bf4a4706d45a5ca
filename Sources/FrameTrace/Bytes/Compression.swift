import CZlib
import CZstd
import Synchronization

/// The compression formats that are unpacked automatically.
public enum Compression: String, Sendable, CaseIterable {
  case gzip, zstd, zip, zlib

  /// Detects the format from an input's first bytes; `nil` if it is not compressed.
  init?(firstBytes bytes: [UInt8]) {
    if bytes.starts(with: [0x1f, 0x8b]) {
      self = .gzip
    } else if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
      self = .zstd
    } else if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
      self = .zip
    } else if Self.isZlib(bytes) {
      self = .zlib
    } else {
      return nil
    }
  }
}

extension Compression {
  /// Whether bytes are a zlib header (RFC 1950) with the usual window: no text begins with these bytes.
  private static func isZlib(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2, bytes[0] == 0x78 else { return false }
    return [0x01, 0x9c, 0xda].contains(bytes[1])
  }
}

/// Decompresses data that was compressed in memory.
package enum Inflated {
  /// The largest size that is accepted.
  package static let most = 1 << 29

  /// The size of the data that a zstd frame (RFC 8878) states; `nil` if it states none.
  package static func zstdSize(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64? {
    let size = unsafe bytes[range].withUnsafeBytes { input in
      unsafe ZSTD_getFrameContentSize(input.baseAddress, input.count)
    }
    // The two highest numbers stand for "unknown" and "no frame".
    return size < UInt64.max - 1 ? size : nil
  }

  /// All of the zstd data (RFC 8878) in some bytes; `nil` if it is broken or has another size.
  /// - Parameter dictionary: The bytes that the data may refer to.
  package static func zstd(
    _ bytes: [UInt8], _ range: Range<Int>, to size: Int, dictionary: [UInt8] = []
  ) -> [UInt8]? {
    guard size <= most else { return nil }
    let context = unsafe ZstdContexts.take()
    defer { unsafe ZstdContexts.putBack(context) }
    var output = [UInt8](repeating: 0, count: size)
    let found = unsafe output.withUnsafeMutableBytes { output in
      unsafe bytes[range].withUnsafeBytes { input in
        unsafe dictionary.withUnsafeBytes { dictionary in
          unsafe ZSTD_decompress_usingDict(
            context, output.baseAddress, size, input.baseAddress, input.count,
            dictionary.baseAddress, dictionary.count)
        }
      }
    }
    return ZSTD_isError(found) == 0 && found == size ? output : nil
  }

  /// All of the zlib data (RFC 1950) in some bytes; `nil` if it is broken, truncated or too large.
  /// - Parameter limit: The maximum number of bytes accepted.
  package static func all(
    _ bytes: [UInt8], _ range: Range<Int>, atMost limit: Int = most
  ) -> [UInt8]? {
    inflated(bytes, range, windowBits: 15, atMost: limit)
  }

  /// Like `all`, for data without the zlib header (RFC 1951).
  package static func raw(
    _ bytes: [UInt8], _ range: Range<Int>, atMost limit: Int = most
  ) -> [UInt8]? {
    inflated(bytes, range, windowBits: -15, atMost: limit)
  }

  /// - Parameter windowBits: As zlib expects it: negative for data without a header.
  private static func inflated(
    _ bytes: [UInt8], _ range: Range<Int>, windowBits: Int32, atMost limit: Int
  ) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard
      unsafe inflateInit2_(
        &stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { unsafe inflateEnd(&stream) }
    var input = Array(bytes[range])
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var taken = 0
    while true {
      let (status, produced) = unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe block.withUnsafeMutableBufferPointer { block in
          unsafe stream.next_in = input.baseAddress.map { unsafe $0 + taken }
          unsafe stream.avail_in = UInt32(input.count - taken)
          unsafe stream.next_out = block.baseAddress
          unsafe stream.avail_out = UInt32(block.count)
          let status = unsafe inflate(&stream, Z_NO_FLUSH)
          return (status, block.count - Int(unsafe stream.avail_out))
        }
      }
      taken = input.count - Int(unsafe stream.avail_in)
      output += block[..<produced]
      if status == Z_STREAM_END { return output.count <= limit ? output : nil }
      guard status == Z_OK, produced > 0, output.count <= limit else { return nil }
    }
  }
}

/// The memory that zstd needs to decompress. It is kept for the next data, because allocating it takes as long as
/// decompressing a few kilobytes.
private enum ZstdContexts {
  /// The addresses of the contexts that no thread uses.
  private static let idle = Mutex<[UInt]>([])

  /// The number of contexts kept: as many as are in use at the same time on most machines.
  private static let most = 16

  static func take() -> OpaquePointer? {
    let known = idle.withLock { $0.popLast() }
    return unsafe known.flatMap { unsafe OpaquePointer(bitPattern: $0) } ?? ZSTD_createDCtx()
  }

  static func putBack(_ context: OpaquePointer?) {
    guard let context = unsafe context else { return }
    let address = UInt(bitPattern: context)
    let isKept = idle.withLock { idle in
      guard idle.count < most else { return false }
      idle.append(address)
      return true
    }
    if !isKept { unsafe ZSTD_freeDCtx(context) }
  }
}

/// Data compressed in memory.
package enum Deflated {
  /// The bytes as a zstd frame (RFC 8878) that states their number.
  /// - Parameters:
  ///   - level: The compression level; by default, zstd's usual level.
  ///   - dictionary: Bytes that the frame may refer to, which the reader must also have.
  ///   - isChecked: Whether the frame ends with a checksum, so that damaged bytes are not read as other content.
  package static func zstd(
    _ bytes: [UInt8], level: Int32 = 3, dictionary: [UInt8] = [], isChecked: Bool = false
  ) -> [UInt8] {
    let context = unsafe ZSTD_createCCtx()
    defer { unsafe ZSTD_freeCCtx(context) }
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let size = unsafe output.withUnsafeMutableBytes { output in
      unsafe bytes.withUnsafeBytes { input in
        unsafe dictionary.withUnsafeBytes { dictionary in
          unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
          unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, isChecked ? 1 : 0)
          unsafe ZSTD_CCtx_loadDictionary(context, dictionary.baseAddress, dictionary.count)
          return unsafe ZSTD_compress2(
            context, output.baseAddress, output.count, input.baseAddress, input.count)
        }
      }
    }
    precondition(ZSTD_isError(size) == 0, "zstd could not compress \(bytes.count) bytes")
    return Array(output.prefix(size))
  }

  /// The bytes in zlib format (RFC 1950), at its usual level: 1 % larger than at its best level, in an eighth of the
  /// time, as measured with the columns of a page.
  package static func all(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(length))
    let status = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe compress2(
          output.baseAddress, &length, input.baseAddress, uLong(bytes.count),
          Z_DEFAULT_COMPRESSION)
      }
    }
    // The buffer has room for the worst case, so that only a lack of memory can make the call fail.
    precondition(status == Z_OK, "zlib could not compress \(bytes.count) bytes")
    return Array(output.prefix(Int(length)))
  }
}

/// The CRC-32 of bytes, as in zlib and PNG (ITU-T V.42).
package enum Checksum {
  package static func of(_ bytes: [UInt8]) -> UInt32 {
    UInt32(
      truncatingIfNeeded: unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe crc32_z(0, bytes.baseAddress, bytes.count)
      })
  }
}
