/// Text without effects on a terminal other than being displayed.
package enum PrintableText {
  /// The text with every control character except line ends, and every directional formatting
  /// character, replaced. No name in a trace can then move the cursor, change colors, set a
  /// window's title or reverse the direction of a sentence.
  package static func lines(_ text: String) -> String { replacing(text, keepsLineEnds: true) }

  /// The text on one line, without control characters, and cut off if it is too long to read.
  package static func line(_ text: String, longest: Int = 1000) -> String {
    let line = replacing(text, keepsLineEnds: false)
    return line.count > longest ? line.prefix(longest - 1) + "…" : line
  }

  private static func replacing(_ text: String, keepsLineEnds: Bool) -> String {
    // Marks of direction begin with one of the last two.
    let odd: (UInt8) -> Bool = {
      $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 || $0 == 0xd8 || $0 == 0xe2
    }
    guard text.utf8.contains(where: odd) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0a where keepsLineEnds: scalars.append(scalar)
      case 0x09, 0x0a, 0x0d: scalars.append(" ")
      case 0..<0x20, 0x7f..<0xa0: scalars.append("\u{fffd}")
      case _ where turnsDirection(scalar): scalars.append("\u{fffd}")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// Whether a character turns the direction of the text after it: the marks, embeddings, overrides and isolates of
  /// Unicode Standard Annex 9.
  package static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
