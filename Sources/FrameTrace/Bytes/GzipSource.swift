import CZlib

/// The contents of a gzip file, with all its members concatenated, or of data in zlib format.
///
/// Format: RFC 1952 and 1950, read by zlib.
@safe final class GzipSource: ByteSource {
  private let source: FileSource
  private let kind: String
  private var stream = unsafe z_stream()
  private var compressed = [UInt8](repeating: 0, count: 1 << 16)
  /// The part of `compressed` that is still to be decoded.
  private var pending = 0..<0
  /// How many compressed bytes lie before `compressed`, for error messages.
  private var offset = 0
  private var ended = false
  private var failure: ParseError?

  init(_ source: FileSource, isZlib: Bool = false) {
    self.source = source
    kind = isZlib ? "zlib" : "gzip"
    // 15 bits of window, and 16 for "a gzip header and nothing else".
    unsafe inflateInit2_(
      &stream, isZlib ? 15 : 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  }

  deinit { unsafe inflateEnd(&stream) }

  func read(into bytes: inout [UInt8], at position: Range<Int>) throws(ParseError) -> Int {
    if let failure { throw failure }
    while !ended {
      if pending.isEmpty { try refill() }
      if ended { break }
      let (produced, status) = decode(into: &bytes, at: position)
      note(status)
      if produced > 0 { return produced }
      if let failure { throw failure }
    }
    return 0
  }

  private func refill() throws(ParseError) {
    offset += pending.upperBound
    let count = try source.fill(&compressed, from: 0)
    pending = 0..<count
    if count == 0 { throw broken("the \(kind) data ends early") }
  }

  private func decode(
    into bytes: inout [UInt8], at position: Range<Int>
  ) -> (produced: Int, status: Int32) {
    let room = UInt32(clamping: position.count)
    let status = unsafe bytes.withUnsafeMutableBufferPointer { output in
      unsafe compressed.withUnsafeMutableBufferPointer { input in
        unsafe stream.next_in = input.baseAddress.map { unsafe $0 + pending.lowerBound }
        unsafe stream.avail_in = UInt32(pending.count)
        unsafe stream.next_out = output.baseAddress.map { unsafe $0 + position.lowerBound }
        unsafe stream.avail_out = room
        return unsafe inflate(&stream, Z_NO_FLUSH)
      }
    }
    pending = (pending.upperBound - Int(unsafe stream.avail_in))..<pending.upperBound
    return (Int(room - (unsafe stream.avail_out)), status)
  }

  /// Handles the result of a decoding step: the end of a member, or broken data.
  private func note(_ status: Int32) {
    switch status {
    case Z_OK, Z_BUF_ERROR: return
    case Z_STREAM_END: startNextMember()
    default: failure = broken("corrupt \(kind) data")
    }
  }

  private func startNextMember() {
    do {
      if pending.isEmpty { try refill() }
      if kind == "gzip", compressed[pending].starts(with: [0x1f, 0x8b]) {
        unsafe inflateReset(&stream)
      } else {
        failure = broken("at least \(pending.count) bytes after the end of the \(kind) data")
      }
    } catch {
      // Note: only an empty rest is a valid end; a read error must not be mistaken for one.
      if error.kind == .badData { ended = true } else { failure = error }
    }
  }

  private func broken(_ problem: String) -> ParseError {
    ParseError(path: source.name, position: .byte(offset + pending.lowerBound), problem: problem)
  }
}
