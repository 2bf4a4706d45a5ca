import FrameTrace

/// Results for the log of a GitHub workflow: annotations, followed by the text.
///
/// An annotation is one line with a workflow command; see "Workflow commands for GitHub Actions".
enum GitHubText {
  /// The maximum number of annotations of each level that GitHub shows for a step.
  private static let mostAnnotations = 10

  /// The annotations of test cases and the text of the result. All verdicts and all failed cases are annotated; without
  /// any, the first undecided case is, or else the first case.
  static func log(_ title: String, _ cases: [TestCase], _ text: String) -> String {
    let decisive = cases.filter { $0.outcome == .failed || $0.isVerdict }
    let first = cases.first { $0.outcome == .skipped } ?? cases.first
    let shown = decisive.isEmpty ? [first].compactMap(\.self) : decisive
    let lines = shown.prefix(mostAnnotations).map { item in
      let name = item.isVerdict ? String(item.name.dropLast(TestCase.verdict.count)) : item.name
      let words =
        name.isEmpty ? title : "\(title): \(name.hasSuffix(": ") ? String(name.dropLast(2)) : name)"
      return "::\(item.outcome.command) title=\(property(words))::\(data(item.text))\n"
    }
    return lines.joined() + inert(text)
  }

  /// Text without workflow commands: names in the text may come from anyone.
  private static func inert(_ text: String) -> String {
    text.split(separator: "::", omittingEmptySubsequences: false).joined(separator: ": :")
      .split(separator: "##[", omittingEmptySubsequences: false).joined(separator: "## [")
  }

  /// A message with escaped percent signs and line breaks.
  private static func data(_ text: String) -> String {
    PrintableText.lines(text).unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// The value of a property, in which colons and commas are also escaped.
  private static func property(_ text: String) -> String {
    data(text).unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case ":": escaped += "%3A"
      case ",": escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
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
