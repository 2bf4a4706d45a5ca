/// What an analysis prints of what it measured, without what it says of metrics that it did not: those
/// change with each new metric, and one sample holds them.
enum MeasuredOutput {
  /// - Parameter name: The name of the recorded file, whose suffix says the form.
  static func of(_ output: String, _ name: String) -> String {
    switch name.split(separator: ".").last {
    case "json": json(output)
    case "csv": csv(output)
    default: text(output)
    }
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Without the line that counts what is not shown.
  private static func text(_ output: String) -> String {
    output.replacing(/--all shows .*/, with: "--all shows more")
  }

  /// Without the objects that have a reason in place of values.
  private static func json(_ output: String) -> String {
    var kept: [Substring] = []
    for line in lines(output) {
      kept.append(line)
      guard line.contains("}"), kept.count >= 5 else { continue }
      let object = kept.suffix(5).map { $0.drop { $0 == " " } }
      if object[0].hasSuffix("\": {"), object[1].hasPrefix("\"unit\""), object[2] == "\"n\": 0,",
        object[3].hasPrefix("\"why\"")
      {
        kept.removeLast(5)
      }
    }
    return kept.joined(separator: "\n")
  }

  /// Without the rows that have a reason in place of values.
  private static func csv(_ output: String) -> String {
    lines(output).filter { $0.firstMatch(of: /,0,0,,,,,,,,,[^,].*,(true|false)$/) == nil }
      .joined(separator: "\n")
  }
}
