import FrameTrace
import FrameVerdicts

/// The joint result of a gate on several runs, in words and for scripts.
struct GatedRunsReport {
  private let runs: GatedRuns

  init(_ runs: GatedRuns) { self.runs = runs }

  /// The report as a document.
  var document: Document {
    var document = Document()
    document.add(.lines(["\(sentence.text); \(runs.files.count) runs"]))
    document.add(table, "Limits")
    document.add(.lines(notes))
    return document
  }

  /// The result in a sentence.
  var sentence: GateSentence {
    let outcomes = runs.items.map(\.outcome)
    return GateSentence(
      failed: outcomes.count { $0 == .failed }, kept: outcomes.count { $0 == .kept },
      withinNoise: outcomes.count { $0 == .withinNoise }, of: outcomes.count)
  }

  private var table: TextTable {
    ResultRows(columns: Self.columns, rows: runs.items).table
  }

  static let columns: [ResultColumn<GatedRuns.Item>] = [
    .text("limit", "the limit", \.limit.text).shown("limit"),
    .text("surface", "the surface", \.surface).shown("surface"),
    .integer("n", "how many runs have the figure", \.values.count).shown("runs", .right),
    .real("median", "the median of the runs", \.median)
      .otherwise(whyNot).shown("median", decimals: 3),
    .text("unit", "the unit of the figure", \.unit).shown(""),
    .real("deviation", "the standard deviation of a run", \.noise?.spread)
      .otherwise(whyNot).shown("deviation", decimals: 3),
    .real("chance_unchanged_fails", "the share of unchanged runs that fail", \.chanceOfOne)
      .otherwise(whyNot)
      .shown("unchanged runs fail", .right) { $0.chanceOfOne.map(percent) ?? "" },
    .text("result", "what became of the limit", \.outcome.rawValue)
      .shown("result", .left, words),
    .text("why", "why it cannot be decided", \.why).ifAny,
    .text("remark", "what else is to be known of it", \.remark).ifAny,
  ]

  @Sendable private static func whyNot(_ item: GatedRuns.Item) -> String? {
    item.why ?? "equal runs, or too few, show no noise"
  }

  @Sendable private static func words(_ item: GatedRuns.Item) -> String {
    switch item.outcome {
    case .kept: "kept\(item.remark.map { "; \($0)" } ?? "")"
    case .failed:
      "FAILED\(item.median.flatMap { item.limit.excess(of: $0, item.unit) }.map { ", \($0)" } ?? "")"
    case .withinNoise: "cannot be decided: past the limit by no more than the noise of the runs"
    case .undecided: "cannot be decided: \(item.why ?? "no run has the figure")"
    }
  }

  private var notes: [String] {
    let often = runs.items.compactMap { item -> String? in
      guard let chance = item.chanceOfOne, chance >= 0.02, item.outcome != .failed else {
        return nil
      }
      let share =
        chance <= 0.5
        ? "one unchanged run in \(Int((1 / chance).rounded()))"
        : "\(Self.percent(chance)) of unchanged runs"
      return
        "judged separately, \(share) would fail \(item.limit.text) (estimated from \(item.values.count) runs); 'gate --suggest' finds a limit that one in 100 fails"
    }
    return often + [
      "judged by the median of the runs; fails only if the median's one-sided 95 % bound is past the limit too; 'gate --each' judges each run separately"
    ]
  }

  @Sendable private static func percent(_ share: Double) -> String {
    share < 0.001 ? "< 0.1 %" : FixedNumber.text(share * 100, decimals: 1) + " %"
  }

  /// The outcome of each limit.
  var items: [GatedRuns.Item] { runs.items }

  /// The test cases; those that cannot be decided are skipped.
  var cases: [TestCase] {
    runs.items.map { item in
      let outcome: TestCase.Outcome =
        switch item.outcome {
        case .kept: .passed
        case .failed: .failed
        case .withinNoise, .undecided: .skipped
        }
      let found = item.median.map { FixedNumber.text($0, decimals: 3) } ?? "nothing"
      return TestCase(
        name: "\(item.surface): \(item.limit.text)", outcome: outcome,
        text: "\(Self.words(item)): median \(found) \(item.unit), n = \(item.values.count) runs")
    }
  }
}
