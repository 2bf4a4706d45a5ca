/// The output of an analysis without its notes on metrics that were not measured: those change with
/// each new metric, and one sample contains them.
enum MeasuredOutput {
  /// - Parameter name: The name of the recorded file, whose suffix gives the format.
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

  /// Text without the line that counts the hidden metrics.
  private static func text(_ output: String) -> String {
    output.replacing(/--all shows .*/, with: "--all shows more")
  }

  /// JSON without the objects that have a reason instead of values.
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

  /// CSV without the rows that have a reason instead of values.
  private static func csv(_ output: String) -> String {
    lines(output).filter { $0.firstMatch(of: /,0,0,,,,,,,,,[^,].*,(true|false)$/) == nil }
      .joined(separator: "\n")
  }
}
