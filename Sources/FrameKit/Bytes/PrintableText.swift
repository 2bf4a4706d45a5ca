/// Text that does nothing to a terminal but stand there.
public enum PrintableText {
  /// The text with every control character but line ends replaced, so that no name in a trace can
  /// move the cursor, change colours or set a window's title.
  public static func lines(_ text: String) -> String { replacing(text, keepsLineEnds: true) }

  /// The same on one line, cut where it is longer than anybody reads.
  public static func line(_ text: String, longest: Int = 1000) -> String {
    let line = replacing(text, keepsLineEnds: false)
    return line.count > longest ? line.prefix(longest - 1) + "…" : line
  }

  private static func replacing(_ text: String, keepsLineEnds: Bool) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 }) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0a where keepsLineEnds: scalars.append(scalar)
      case 0x09, 0x0a, 0x0d: scalars.append(" ")
      case 0..<0x20, 0x7f..<0xa0: scalars.append("\u{fffd}")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

/// Writes CSV: comma, line feed, quotes only where a cell needs them (RFC 4180).
enum CSVText {
  static func rows(_ rows: [[String]]) -> String {
    var line = CSVLine()
    for row in rows {
      for cell in row { line.add(cell) }
      line.end()
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }
}

/// Paths within addresses (RFC 3986).
public enum PercentEncoding {
  /// A path with every byte that is not harmless as its number.
  public static func path(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      if isPlain || "/-._~".utf8.contains(byte) { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

/// Bytes as text of 64 characters (RFC 4648).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for place in 0..<4 {
        let index = Int(word >> (18 - 6 * UInt32(place)) & 0x3f)
        text.append(place <= group.count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
