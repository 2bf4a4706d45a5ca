import FrameTrace

/// The lines of `adb shell dumpsys` output, however it was saved: UTF-8, or UTF-16 from PowerShell,
/// with Unix, Windows or mixed line endings.
struct DumpText {
  let lines: [Substring]

  /// The largest dump that is read, in bytes; a dump of a whole device takes a few megabytes.
  private static let mostBytes = 64 << 20

  init(_ input: InputFile) throws(ParseError) {
    self.init(try input.readAll(atMost: Self.mostBytes, of: "a dump"))
  }

  init(_ head: FileHead) { self.init(head.bytes) }

  private init(_ bytes: [UInt8]) {
    // A line that went through text mode twice ends in `\r\r\n`; it is still one line.
    let text = Self.decoded(bytes).replacing("\r\r\n", with: "\n")
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func decoded(_ bytes: [UInt8]) -> String {
    let isLittle = bytes.starts(with: [0xff, 0xfe])
    guard isLittle || bytes.starts(with: [0xfe, 0xff]) else {
      return String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { position in
      let (one, other) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      return isLittle ? one | other << 8 : one << 8 | other
    }
    return String(decoding: units, as: UTF16.self)
  }
}
