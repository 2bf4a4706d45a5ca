/// A result as CI systems show tests.
struct TestCase {
  enum Outcome { case passed, failed, skipped }

  let name: String
  let outcome: Outcome
  /// What is said of it.
  let text: String
}

extension ComparisonOfSides {
  /// The cases of all comparisons, named by their side where there are several.
  var testCases: [TestCase] {
    comparisons.flatMap { comparison in
      comparison.testCases(of: comparisons.count > 1 ? comparison.names.after : nil)
    }
  }
}

extension Comparison {
  /// A case for each gating metric, failed when it regressed.
  /// - Parameter side: What the names begin with; `nil` where there is one side.
  fileprivate func testCases(of side: String?) -> [TestCase] {
    metrics.filter(\.isGating).map { metric in
      let effect = FixedNumber.text(metric.effect, decimals: 2)
      let values = [metric.before, metric.after].map { FixedNumber.text($0, decimals: 2) }
      return TestCase(
        name: (side.map { "\($0): " } ?? "") + metric.name, outcome: metric.verdict.outcome,
        text:
          "\(metric.verdict.rawValue): \(values[0]) → \(values[1]) \(metric.unit), \(effect) \(metric.effectUnit)"
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
