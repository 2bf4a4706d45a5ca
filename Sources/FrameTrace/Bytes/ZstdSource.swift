import CZstd

/// The contents of a zstd file, with all its frames concatenated.
///
/// Format: RFC 8878, read by libzstd.
@safe final class ZstdSource: ByteSource {
  private let source: FileSource
  private let stream: OpaquePointer?
  private var compressed = [UInt8](repeating: 0, count: 1 << 17)
  private var pending = 0..<0
  /// How many compressed bytes lie before `compressed`, for error messages.
  private var offset = 0
  /// Whether the decoder is between two frames, where the input may end.
  private var atFrameEnd = false

  init(_ source: FileSource) {
    self.source = source
    unsafe stream = ZSTD_createDStream()
  }

  deinit { unsafe ZSTD_freeDStream(stream) }

  func read(into bytes: inout [UInt8], at position: Range<Int>) throws(ParseError) -> Int {
    while true {
      if pending.isEmpty, try !refill() { return 0 }
      let produced = try decode(into: &bytes, at: position)
      if produced > 0 { return produced }
    }
  }

  /// Reads more compressed bytes.
  /// - Returns: `false` at a clean end.
  private func refill() throws(ParseError) -> Bool {
    offset += pending.upperBound
    pending = 0..<(try source.fill(&compressed, from: 0))
    if pending.isEmpty, !atFrameEnd { throw broken("the zstd data ends early") }
    return !pending.isEmpty
  }

  private func decode(
    into bytes: inout [UInt8], at position: Range<Int>
  ) throws(ParseError) -> Int {
    let input = pending
    var produced = 0
    var consumed = 0
    let status = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe compressed.withUnsafeBytes { compressed in
        var output = unsafe ZSTD_outBuffer(
          dst: bytes.baseAddress, size: position.upperBound, pos: position.lowerBound)
        var given = unsafe ZSTD_inBuffer(
          src: compressed.baseAddress, size: input.upperBound, pos: input.lowerBound)
        let status = unsafe ZSTD_decompressStream(stream, &output, &given)
        produced = unsafe output.pos - position.lowerBound
        consumed = unsafe given.pos
        return status
      }
    }
    if ZSTD_isError(status) != 0 { throw broken("corrupt zstd data") }
    pending = consumed..<input.upperBound
    atFrameEnd = status == 0
    return produced
  }

  private func broken(_ problem: String) -> ParseError {
    ParseError(path: source.name, position: .byte(offset + pending.lowerBound), problem: problem)
  }
}
