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
