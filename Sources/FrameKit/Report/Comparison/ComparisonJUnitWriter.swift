/// Writes a comparison as a JUnit report, which CI systems show as tests: a case for each
/// gating metric, failed when it regressed.
struct ComparisonJUnitWriter: ComparisonWriter {
  let format = ComparisonFormat.junit

  func write(_ comparison: Comparison) -> String {
    let cases = comparison.metrics.filter(\.isGating).map { metric in
      JUnitCase(
        name: metric.name, outcome: outcome(metric), text: words(metric))
    }
    return JUnitText.suite(
      "frametool compare", cases, output: ComparisonTextWriter().write(comparison))
  }

  private func outcome(_ metric: MetricComparison) -> JUnitCase.Outcome {
    switch metric.verdict {
    case .regressed: .failed
    case .suspected, .inconclusive: .skipped
    case .improved, .suspectedImprovement, .noChange: .passed
    }
  }

  private func words(_ metric: MetricComparison) -> String {
    let effect = FixedNumber.text(metric.effect, decimals: 2)
    return "\(metric.verdict.rawValue): \(effect) \(metric.effectUnit)"
  }
}

/// A case of a JUnit report.
struct JUnitCase {
  enum Outcome { case passed, failed, skipped }

  let name: String
  let outcome: Outcome
  /// What is said of it.
  let text: String
}

/// Text in JUnit's XML.
enum JUnitText {
  /// A report with one suite.
  static func suite(_ name: String, _ cases: [JUnitCase], output: String) -> String {
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
