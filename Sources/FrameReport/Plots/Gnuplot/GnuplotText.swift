/// Quoting of text in gnuplot's language.
enum GnuplotText {
  /// The longest text that is drawn, in characters.
  static let longest = 160

  /// A double-quoted text that gnuplot shows literally, whatever it contains.
  ///
  /// Every byte except letters, spaces and harmless punctuation is written as an octal escape.
  /// Digits are escaped too, because gnuplot extends an escape over following digits, and so is
  /// everything that gnuplot treats as a command, a variable or markup. Single quotes are not an
  /// alternative: gnuplot 5.4 misreads two in a row.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for byte in printable(text).utf8 {
      if isPlain(byte) {
        quoted.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let octal = String(byte, radix: 8)
        quoted += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return quoted + "\""
  }

  /// A text for a tick mark, which gnuplot interprets as a number format.
  static func quotedFormat(_ text: String) -> String {
    quoted(printable(text).replacing("%", with: "%%"))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: " .,:-_+()/=".utf8.contains(byte)
    }
  }

  /// The text without characters that a picture cannot contain, cut to the maximum length.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest * 4) {
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: scalars.append(" ")
      // Bidirectional control characters would affect the rest of the picture's text.
      case 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: continue
      case 0xfffe, 0xffff: scalars.append("\u{fffd}")
      default: scalars.append(scalar)
      }
    }
    // gnuplot writes this sequence unescaped into SVG, where it is not allowed.
    let printable = String(scalars).replacing("]]>", with: "]] >")
    return printable.count > longest ? printable.prefix(longest - 1) + "…" : printable
  }
}
