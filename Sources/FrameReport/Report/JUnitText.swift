import FrameTrace

/// Results as JUnit XML.
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

/// Escaped text for HTML and XML.
enum MarkupText {
  /// Escapes text for elements and for attributes in quotes. Characters that are not allowed in a
  /// document become the replacement character.
  /// - Parameter keepsLines: Whether line breaks are kept.
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

  /// Escaped text, isolated from the text around it in case it is written from right to left.
  static func isolated(_ text: String) -> String {
    let isMixed = text.unicodeScalars.contains { (0x590..<0x900).contains($0.value) }
    return isMixed ? "<bdi>\(escape(text))</bdi>" : escape(text)
  }
}
