/// Results for the log of a GitHub workflow: annotations, then the text.
///
/// An annotation is a workflow command on a line; see "Workflow commands for GitHub Actions".
enum GitHubText {
  /// The most annotations of each level that GitHub shows for a step.
  private static let mostAnnotations = 10

  /// The annotations of test cases (each that failed; else the first that is undecided; else the
  /// first), and the text of the result.
  static func log(_ title: String, _ cases: [TestCase], _ text: String) -> String {
    let failed = cases.filter { $0.outcome == .failed }
    let first = cases.first { $0.outcome == .skipped } ?? cases.first
    let shown = failed.isEmpty ? [first].compactMap(\.self) : failed
    let lines = shown.prefix(mostAnnotations).map { item in
      let name = item.name == "verdict" ? title : "\(title): \(item.name)"
      return "::\(item.outcome.command) title=\(property(name))::\(data(item.text))\n"
    }
    return lines.joined() + text
  }

  /// A message, in which a percent sign and line ends are escaped.
  private static func data(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// The value of a property, which also ends at a colon and a comma.
  private static func property(_ text: String) -> String {
    data(text).reduce(into: "") { escaped, character in
      switch character {
      case ":": escaped += "%3A"
      case ",": escaped += "%2C"
      default: escaped.append(character)
      }
    }
  }
}

extension TestCase.Outcome {
  /// The workflow command that shows the outcome.
  fileprivate var command: String {
    switch self {
    case .failed: "error"
    case .skipped: "warning"
    case .passed: "notice"
    }
  }
}
