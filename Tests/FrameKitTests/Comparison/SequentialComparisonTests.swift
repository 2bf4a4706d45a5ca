import FrameAnalysis
import Testing

@testable import FrameReport
@testable import FrameStatistics
@testable import FrameVerdicts

/// Comparisons that may be made again after each pair of runs.
@Suite struct SequentialComparisonTests {
  private static func compared(
    _ before: [RunSummary], _ after: [RunSummary]
  ) throws(ComparisonRefusal) -> Comparison {
    var options = ComparisonOptions()
    options.isSequential = true
    return try Comparison(before, after, options: options)
  }

  /// Runs of one program, in pairs that differ by these shares, in turns.
  private static func pairs(_ count: Int, by shares: [Double]) -> [(RunSummary, RunSummary)] {
    (0..<count).map { number in
      let run = { (name: String, more: Double) in
        ComparisonTests.run(
          "\(name)\(number)", 10 * (1 + more), seed: UInt64(2 * number + (name == "a" ? 0 : 1)),
          count: 300, interval: nil)
      }
      return (run("a", 0), run("b", shares[number % shares.count]))
    }
  }

  /// Over all ways in which chance may have dealt the runs of equal programs to the sides, at most one in forty is ever
  /// called regressed, and one in forty improved, though several figures are judged and each look counts.
  @Test(arguments: [[0.2, 0.22, 0.18], [0.2, 0.01, 0.4]])
  func everyDealIsFair(_ shares: [Double]) throws {
    let pairs = Self.pairs(7, by: shares)
    var (worse, better) = (0, 0)
    for deal in 0..<(1 << pairs.count) {
      let sides = pairs.enumerated().map { deal >> $0 & 1 == 0 ? $1 : ($1.1, $1.0) }
      let verdicts = try (5...pairs.count).map { count in
        try Self.compared(sides.prefix(count).map(\.0), sides.prefix(count).map(\.1)).overall
      }
      if verdicts.contains(.regressed) { worse += 1 }
      if verdicts.contains(.improved) { better += 1 }
    }
    let most = Double(1 << pairs.count) / 40
    #expect(Double(worse) <= most && Double(better) <= most)
    // Where all pairs differ by about as much, all runs of one side slower is one of those deals.
    if shares[1] > 0.1 { #expect(worse >= 1 && better >= 1) }
  }

  /// Both sides of the fewest pairs.
  @Test func fourPairsAreTooFew() throws {
    let pairs = Self.pairs(5, by: [0.1, 0.2])
    let refusal = #expect(throws: ComparisonRefusal.self) {
      try PairedRuns(PairedRuns.Terms(), Self.lines(pairs.prefix(4))).compared()
    }
    #expect(refusal == .fewPairs(found: 4, needed: 5))
    let comparison = try PairedRuns(PairedRuns.Terms(), Self.lines(pairs[...])).compared()
    #expect(
      comparison.metrics.allSatisfy {
        $0.interval.lowerBound.isFinite && $0.p <= 1 && $0.pBetter <= 1
      })
    #expect(comparison.method.hasPrefix("bets on the sign of each pair's difference"))
  }

  private static func lines(_ pairs: ArraySlice<(RunSummary, RunSummary)>) -> [SummarizedRun] {
    pairs.enumerated().flatMap { number, pair in
      [("a", pair.0), ("b", pair.1)].map { side, run in
        var line = SummarizedRun(RunTally(), tags: ["side": side, "pair": "\(number + 1)"])
        line.run = run
        return line
      }
    }
  }

  /// Half a pair, a failed run, and a line of something else are no pair; a run that was made again counts once.
  @Test func onlyWholePairsCount() {
    var lines = Self.lines(Self.pairs(6, by: [0.1, 0.2])[...])
    lines.remove(at: 3)
    lines.append(
      SummarizedRun(file: "x", size: nil, tags: ["side": "a", "pair": "9"], failed: "it ended"))
    for (side, pair) in [("a", "x"), ("z", "1"), ("b", "9223372036854775807"), ("a", "0")] {
      lines.append(SummarizedRun(RunTally(), tags: ["side": side, "pair": pair]))
    }
    lines.append(lines[0])
    let runs = PairedRuns(PairedRuns.Terms(), lines)
    #expect(runs.pairs.count == 5 && runs.unpaired == 1)
    #expect(runs.failures == ["it ended"] && runs.lastPair == 9)
  }

  /// Runs that miss no refresh: nothing contradicts itself in what is said, and ten pairs are enough.
  @Test func figuresThatAreAlwaysZeroTakeTenPairs() throws {
    let runs = { (name: String, seed: Int) in
      (0..<10).map { ComparisonTests.run("\(name)\($0)", 16.6666, seed: UInt64(seed + $0)) }
    }
    let (before, after) = (runs("a", 0), runs("b", 50))
    let early = try Self.compared(Array(before.prefix(9)), Array(after.prefix(9)))
    let missed = try #require(early.metrics.first { $0.name == "missedRefreshShare" })
    #expect(missed.verdict == .inconclusive && missed.runsToDecide == 10)
    let sentence = ComparisonSentence(early).text
    #expect(sentence.contains("too few to rule out a change of missedRefreshShare"), "\(sentence)")
    #expect(sentence.contains("about 1 more run per side would decide"), "\(sentence)")
    let late = try Self.compared(before, after)
    #expect(late.metrics.first { $0.name == "missedRefreshShare" }?.verdict == .noChange)
  }

  /// A change for the better that is in sight is waited for; one that is not ends the measurement.
  @Test func anImprovementInSightIsWaitedFor() throws {
    let run = { (name: String, length: Double, seed: Int) in
      ComparisonTests.run("\(name)\(seed)", length, seed: UInt64(seed), count: 300, interval: nil)
    }
    let faster = (0..<6).map { run("b", 8, 50 + $0) }
    let usual = (0..<6).map { run("a", 10, $0) }
    let early = try Self.compared(Array(usual.prefix(5)), Array(faster.prefix(5)))
    #expect(early.overall == .noChange && !early.isDecided)
    let late = try Self.compared(usual, faster)
    #expect(late.overall == .improved && late.isDecided)
    let same = (0..<6).map { run("c", 10, 90 + $0) }
    let none = try Self.compared(usual, same)
    #expect(none.overall != .noChange || none.isDecided)
  }
}
