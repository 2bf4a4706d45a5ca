/// Text whose only effect on a terminal is to be displayed.
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

  /// The whole text on one line, without control characters, for a cell of a table.
  package static func cell(_ text: String) -> String { replacing(text, keepsLineEnds: false) }

  private static func replacing(_ text: String, keepsLineEnds: Bool) -> String {
    guard mayHaveEffects(text) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where keepsLineEnds: scalars.append(scalar)
      case "\t", "\n", "\r": scalars.append(" ")
      default: scalars.append(hasEffect(scalar) ? "\u{fffd}" : scalar)
      }
    }
    return String(scalars)
  }

  /// Whether a string may have a character with an effect: a fast test, negative for most strings.
  static func mayHaveEffects(_ text: String) -> Bool {
    text.utf8.contains(where: mayHaveEffect)
  }

  /// Whether a byte may belong to a character with an effect.
  static func mayHaveEffect(_ byte: UInt8) -> Bool {
    // Directional characters begin with one of the last two.
    byte < 0x20 || byte == 0x7f || byte == 0xc2 || byte == 0xd8 || byte == 0xe2
  }

  /// Whether a character controls a terminal, line ends included, or changes the direction of text.
  static func hasEffect(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0: true
    default: turnsDirection(scalar)
    }
  }

  /// Whether a character changes the direction of the text after it: the marks, embeddings, overrides and isolates of
  /// Unicode Standard Annex 9.
  package static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
