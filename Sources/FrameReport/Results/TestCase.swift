import FrameTrace
import FrameVerdicts

/// A result as a test case for CI systems.
struct TestCase {
  enum Outcome { case passed, failed, skipped }

  let name: String
  let outcome: Outcome
  /// The text of the result.
  let text: String

  /// The end of a case's name if the case is the verdict of all others.
  static let verdict = "verdict"

  /// Whether the case is the verdict of all others, of a comparison or of one of its sides.
  var isVerdict: Bool { name == Self.verdict || name.hasSuffix(": \(Self.verdict)") }
}

extension ComparisonOfSides {
  /// The cases of all comparisons, named by their side if there are several.
  var testCases: [TestCase] {
    comparisons.flatMap { comparison in
      comparison.testCases(of: comparisons.count > 1 ? comparison.names.after : nil)
    }
  }
}

extension Comparison {
  /// A case for the verdict, and one for each gating metric, which fails if the metric regressed.
  /// - Parameter side: The prefix of the names; `nil` if there is only one side.
  fileprivate func testCases(of side: String?) -> [TestCase] {
    let prefix = side.map { "\($0): " } ?? ""
    let verdict = TestCase(
      name: prefix + TestCase.verdict, outcome: overall.outcome, text: ComparisonSentence(self).text
    )
    return [verdict]
      + metrics.filter(\.isGating).map { metric in
        let values = [metric.before, metric.after].map { FixedNumber.text($0, decimals: 2) }
        return TestCase(
          name: prefix + metric.name, outcome: metric.verdict.outcome,
          text:
            "\(metric.verdict.word): \(values[0]) → \(values[1]) \(metric.unit), \(metric.effectText) \(metric.intervalText) (\(ComparisonSentence.level))"
        )
      }
  }
}

extension Verdict {
  var outcome: TestCase.Outcome {
    switch self {
    case .regressed: .failed
    case .suspected, .inconclusive: .skipped
    case .improved, .suspectedImprovement, .noChange: .passed
    }
  }
}
