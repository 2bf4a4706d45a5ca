/// A result as CI systems show tests.
struct TestCase {
  enum Outcome { case passed, failed, skipped }

  let name: String
  let outcome: Outcome
  /// What is said of it.
  let text: String
}

extension Comparison {
  /// A case for each gating metric, failed when it regressed.
  var testCases: [TestCase] {
    metrics.filter(\.isGating).map { metric in
      let effect = FixedNumber.text(metric.effect, decimals: 2)
      return TestCase(
        name: metric.name, outcome: metric.verdict.outcome,
        text: "\(metric.verdict.rawValue): \(effect) \(metric.effectUnit)")
    }
  }
}

extension Verdict {
  fileprivate var outcome: TestCase.Outcome {
    switch self {
    case .regressed: .failed
    case .suspected, .inconclusive: .skipped
    case .improved, .suspectedImprovement, .noChange: .passed
    }
  }
}
