import FrameTrace
import FrameVerdicts

/// What a gate says of several runs together, in words and for scripts.
struct GatedRunsReport {
  private let runs: GatedRuns

  init(_ runs: GatedRuns) { self.runs = runs }

  /// What is said of them.
  var document: Document {
    let outcomes = runs.items.map(\.outcome)
    let sentence = GateSentence(
      failed: outcomes.count { $0 == .failed }, kept: outcomes.count { $0 == .kept },
      withinNoise: outcomes.count { $0 == .withinNoise }, of: outcomes.count)
    var document = Document()
    document.add(.lines(["\(sentence.text); \(runs.files.count) runs"]))
    document.add(table, "Limits")
    document.add(.lines(notes))
    return document
  }

  private var table: TextTable {
    var table = TextTable([
      ("limit", .left), ("surface", .left), ("runs", .right), ("median", .right), ("", .left),
      ("deviation", .right), ("unchanged runs fail", .right), ("result", .left),
    ])
    for item in runs.items {
      table.append([
        item.limit.text, item.surface, "\(item.values.count)",
        item.median.map { FixedNumber.text($0, decimals: 3) } ?? "", item.unit,
        item.noise.map { FixedNumber.text($0.spread, decimals: 3) } ?? "",
        item.chanceOfOne.map(Self.percent) ?? "", Self.words(item),
      ])
    }
    return table
  }

  private static func words(_ item: GatedRuns.Item) -> String {
    switch item.outcome {
    case .kept: "kept\(item.remark.map { "; \($0)" } ?? "")"
    case .failed:
      "FAILED\(item.median.flatMap { item.limit.excess(of: $0, item.unit) }.map { ", \($0)" } ?? "")"
    case .withinNoise: "cannot be decided: past it by no more than the noise of the runs"
    case .untold: "cannot be decided: \(item.why ?? "no run has it")"
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
        "judged singly, \(share) would fail \(item.limit.text) (estimated from \(item.values.count) runs); 'gate --suggest' finds a limit that one in 100 fails"
    }
    return often + [
      "judged by the median of the runs; fails only if its one-sided 95 % bound is past the limit too; 'gate --each' judges each run by itself"
    ]
  }

  private static func percent(_ share: Double) -> String {
    share < 0.001 ? "< 0.1 %" : FixedNumber.text(share * 100, decimals: 1) + " %"
  }

  /// What became of each limit, as data.
  var rows: FieldRecord.Rows {
    FieldRecord.Rows(count: runs.items.count) { [items = runs.items] place in
      let item = items[place]
      let untold = item.why ?? "runs that are alike, or fewer than two, show no noise"
      var record = FieldRecord()
      record.add("surface", item.surface)
      record.add("limit", item.limit.text)
      record.add("n", item.values.count)
      record.add("median", item.median, else: untold)
      record.add("deviation", item.noise?.spread, else: untold)
      record.add("unit", item.unit)
      record.add("chance_unchanged_fails", item.chanceOfOne, else: untold)
      record.add("result", item.outcome.rawValue)
      record.addIfAny("why", item.why)
      record.addIfAny("remark", item.remark)
      return record
    }
  }

  /// The test cases: those that cannot be decided are skipped.
  var cases: [TestCase] {
    runs.items.map { item in
      let outcome: TestCase.Outcome =
        switch item.outcome {
        case .kept: .passed
        case .failed: .failed
        case .withinNoise, .untold: .skipped
        }
      let found = item.median.map { FixedNumber.text($0, decimals: 3) } ?? "nothing"
      return TestCase(
        name: "\(item.surface): \(item.limit.text)", outcome: outcome,
        text: "\(Self.words(item)): median \(found) \(item.unit), n = \(item.values.count) runs")
    }
  }
}
