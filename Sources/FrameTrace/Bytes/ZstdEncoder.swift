import CZstd

/// Compresses bytes piece by piece in zstd format (RFC 8878), using libzstd.
///
/// Other versions of the library may produce other bytes for the same content.
@safe final class ZstdEncoder {
  private let stream: OpaquePointer?
  private var buffer: [UInt8]

  /// Summaries are as small as at level 9, in a fifth of its time.
  private static let level: Int32 = 6

  init() {
    unsafe stream = ZSTD_createCStream()
    // Without memory for a stream, each call fails.
    if let stream = unsafe stream {
      unsafe ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, Self.level)
      unsafe ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1)
    }
    buffer = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())
  }

  deinit { unsafe ZSTD_freeCStream(stream) }

  /// The compressed bytes that are ready after more input.
  /// - Returns: `nil` if the library fails, for example, for lack of memory.
  func consume(_ bytes: [UInt8]) -> [UInt8]? { compress(bytes, ZSTD_e_continue) }

  /// The last compressed bytes.
  func end() -> [UInt8]? { compress([], ZSTD_e_end) }

  private func compress(_ bytes: [UInt8], _ directive: ZSTD_EndDirective) -> [UInt8]? {
    guard unsafe stream != nil else { return nil }
    var compressed: [UInt8] = []
    var taken = 0
    while true {
      var written = 0
      let status = unsafe bytes.withUnsafeBytes { bytes in
        unsafe buffer.withUnsafeMutableBytes { buffer in
          var input = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: taken)
          var output = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
          let status = unsafe ZSTD_compressStream2(stream, &output, &input, directive)
          (taken, written) = unsafe (input.pos, output.pos)
          return status
        }
      }
      guard ZSTD_isError(status) == 0 else { return nil }
      compressed += buffer[..<written]
      // The end is complete when the library's buffers are empty.
      if directive == ZSTD_e_end ? status == 0 : taken == bytes.count { return compressed }
    }
  }
}
