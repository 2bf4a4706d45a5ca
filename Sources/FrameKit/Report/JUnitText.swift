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
