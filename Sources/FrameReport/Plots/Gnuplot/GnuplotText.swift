/// Quoting of text in gnuplot's language.
enum GnuplotText {
  /// A double-quoted string that gnuplot shows literally, whatever it contains.
  ///
  /// Every byte except letters, spaces and harmless punctuation is written as an octal escape. Digits are escaped too,
  /// because gnuplot extends an escape over following digits. Everything that gnuplot treats as a command, a variable
  /// or markup is also escaped. Single quotes are not an alternative: gnuplot 5.4 misreads two in a row.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for byte in PlotText.printable(text).utf8 {
      if isPlain(byte) {
        quoted.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let octal = String(byte, radix: 8)
        quoted += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
      }
    }
    return quoted + "\""
  }

  /// A string for a tick mark, which gnuplot interprets as a number format.
  static func quotedFormat(_ text: String) -> String {
    quoted(PlotText.printable(text).replacing("%", with: "%%"))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: " .,:-_+()/=".utf8.contains(byte)
    }
  }
}
