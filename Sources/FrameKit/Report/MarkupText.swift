/// Text in HTML and XML.
enum MarkupText {
  /// Text that is shown as it is, inside of elements and of attributes in quotes. What no
  /// document may hold becomes the sign for an unknown character.
  /// - Parameter keepsLines: Whether it stays on as many lines as it has.
  static func escape(_ text: String, keepsLines: Bool = false) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n" where keepsLines: escaped += "\n"
      case "\n", "\t", "\r": escaped += " "
      case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
        escaped += "\u{fffd}"
      case _ where scalar.properties.isNoncharacterCodePoint: escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
