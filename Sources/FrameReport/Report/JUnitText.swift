import FrameTrace

/// Text in JUnit's XML.
enum JUnitText {
  /// A report with one suite.
  static func suite(_ name: String, _ cases: [TestCase], output: String) -> String {
    let failures = cases.count { $0.outcome == .failed }
    let skipped = cases.count { $0.outcome == .skipped }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuite name=\"\(escape(name))\" tests=\"\(cases.count)\" failures=\"\(failures)\" skipped=\"\(skipped)\">",
    ]
    for item in cases {
      let start = "  <testcase classname=\"\(escape(name))\" name=\"\(escape(item.name))\""
      switch item.outcome {
      case .passed: lines.append("\(start)/>")
      case .failed:
        lines.append("\(start)><failure message=\"\(escape(item.text))\"/></testcase>")
      case .skipped:
        lines.append("\(start)><skipped message=\"\(escape(item.text))\"/></testcase>")
      }
    }
    lines += ["  <system-out>\(escape(output))</system-out>", "</testsuite>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func escape(_ text: String) -> String {
    MarkupText.escape(text, keepsLines: true)
  }
}

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
      case _
      where scalar.properties.isNoncharacterCodePoint || PrintableText.turnsDirection(scalar):
        escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The same, kept apart from the text around it where it may be written from right to left.
  static func isolated(_ text: String) -> String {
    let isMixed = text.unicodeScalars.contains { (0x590..<0x900).contains($0.value) }
    return isMixed ? "<bdi>\(escape(text))</bdi>" : escape(text)
  }
}
