/// Texts in gnuplot's language.
enum GnuplotText {
  /// The longest text that is drawn, in characters.
  static let longest = 160

  /// A text in double quotes that gnuplot shows as it is, whatever it holds.
  ///
  /// Every byte is written as an octal escape that is not a letter, a space or harmless
  /// punctuation. Digits are escaped too, as gnuplot reads an escape as far as digits go, and
  /// so is everything that it takes for a command, a variable or markup. Single quotes are no
  /// way out: gnuplot 5.4 reads two in a row wrongly.
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

  /// A text for a mark of an axis, which gnuplot takes for the format of a number.
  static func quotedFormat(_ text: String) -> String {
    quoted(printable(text).replacing("%", with: "%%"))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: " .,:-_+()/=".utf8.contains(byte)
    }
  }

  /// The text without what no picture can hold, and not longer than one has room for.
  private static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest * 4) {
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: scalars.append(" ")
      // Marks that turn the direction of what follows would turn the rest of the picture's text.
      case 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: continue
      case 0xfffe, 0xffff: scalars.append("\u{fffd}")
      default: scalars.append(scalar)
      }
    }
    // gnuplot writes this as it is into SVG, where it may not stand.
    let printable = String(scalars).replacing("]]>", with: "]] >")
    return printable.count > longest ? printable.prefix(longest - 1) + "…" : printable
  }
}
