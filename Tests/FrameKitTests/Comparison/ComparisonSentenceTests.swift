import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

@Suite("What a reader of a comparison sees")
struct ComparisonTextTests {
  static func text(_ comparison: Comparison) -> String {
    Writers.write(ComparisonOfSides(comparison), as: .text)
  }

  @Test("each verdict stands in the first line")
  func verdicts() throws {
    let side = ComparisonTests.side
    let base = side("a", [10, 10.1, 9.9], 1, 0)
    let slow = side("b", [11.2, 11.3, 11.1], 9, 0)
    let single = try Comparison(
      [ComparisonTests.run("x", 10, seed: 1)], [ComparisonTests.run("y", 13, seed: 2)])
    let open = try Comparison(
      side("e", [10, 12, 9], 50, 0), side("f", [9, 11.5, 10.2], 40, 0))
    let words = [
      try Self.text(Comparison(base, slow)), try Self.text(Comparison(slow, base)),
      try Self.text(
        Comparison(side("g", [10, 10.02, 9.98], 60, 0), side("h", [10, 10.01, 9.99], 70, 0))),
      Self.text(single), Self.text(open),
    ].map { String($0.split(separator: "\n")[0]) }
    #expect(words[0].hasPrefix("regressed: after is slower: "))
    #expect(
      words[0].hasSuffix("; 3 runs each, in unknown order") && words[0].contains(" (95 % bounds)")
    )
    #expect(words[1].hasPrefix("improved: after is faster: "))
    #expect(words[2].hasPrefix("fine: more than "))
    #expect(
      words[2].contains(" is ruled out for every deciding figure, each with 95 % confidence"))
    #expect(words[3].hasPrefix("suspected: after is slower: "))
    #expect(words[3].hasSuffix("; one run each"))
    #expect(words[4].hasPrefix("undecided: "))
    #expect(words[4].contains(" more runs per side would decide; 3 runs each"))
    #expect(!words[4].contains("ruled out;") && !words.contains { $0.contains(" 0.0 %") })
    #expect(Self.text(open).contains("runs per side"))
    let better = try Comparison(
      [ComparisonTests.run("y", 13, seed: 2)], [ComparisonTests.run("x", 10, seed: 1)])
    #expect(better.overall == .suspectedImprovement)
    let first = Self.text(better).split(separator: "\n")[0]
    #expect(first.hasPrefix("suspected improvement: after is faster: "))
    #expect(!better.metrics.contains { $0.verdict == .improved })
    #expect(Self.text(single).contains("method: single run, assumed noise 2.5 %"))
  }

  @Test("each warning stands below the table")
  func warnings() throws {
    let run = ComparisonTests.run
    let early = (0..<3).map {
      run("a\($0)", 10, UInt64(9 + $0), 1200, 16_666_667, .stated, Int64($0), "d", 0)
    }
    let late = (0..<3).map {
      run("b\($0)", 10, UInt64($0), 1200, 16_666_667, .stated, 100 + Int64($0), "d", 0)
    }
    let odd = ComparisonTests.side("o", [10, 10.1, 9.9, 10, 14], seed: 70)
    let even = ComparisonTests.side("p", [10, 10.1, 9.9, 10, 10], seed: 80)
    var options = ComparisonOptions()
    options.history = [[odd[0]], [odd[1]]]
    let short = [
      run("s", 10, 1, 500, nil, .stated, nil, "d", 0),
      run("t", 10, 2, 500, nil, .stated, nil, "d", 0),
    ]
    let texts = try [
      (Comparison(early, late), "warning: all runs of one side came before those of the other"),
      (Comparison(odd, even), "warning: o4 is an outlier among the runs of 'before'"),
      (Comparison(odd, even), "warning: the traces do not show the order of the runs"),
      (
        Comparison(odd, even, options: options),
        "warning: 2 earlier runs are too few to estimate the noise"
      ),
      (Comparison(short, short), "warning: p99 rests on fewer than ten frames in 4 of 4 runs"),
      (Comparison(short, short), "warning: no fixed refresh was found in 4 of 4 runs"),
      (Comparison(short, short), "warning: 2 runs of one side are the same recordings"),
      (Comparison([odd[0]], [even[0]]), "warning: one run per side cannot separate"),
    ]
    for (comparison, words) in texts { #expect(Self.text(comparison).contains(words), "\(words)") }
  }
}

/// The part of a comparison that a reviewer reads first.
@Suite struct ComparisonSentenceTests {
  /// Two recordings that look alike do not require further runs.
  @Test func equalSidesShowNoDifference() throws {
    let comparison = try Comparison(
      [ComparisonTests.run("x", 10, seed: 1)], [ComparisonTests.run("y", 10.001, seed: 1)])
    let text = Writers.write(ComparisonOfSides(comparison), as: .text)
    #expect(text.hasPrefix("undecided: no difference seen, but "))
    #expect(text.split(separator: "\n")[0].contains(" is not ruled out (95 % confidence); about "))
  }

  /// A comparison of one figure that decides nothing, with a change that is this likely by chance.
  private static func open(p: Double, pBetter: Double, runs: Int?) -> ComparisonSentence {
    let metric = MetricComparison(
      name: "p99(frameTime)", unit: "ms", effectUnit: "%", before: 10, after: 12, effect: 20,
      interval: 2...40, p: p, pBetter: pBetter, threshold: 10, noise: 5, isGating: true,
      verdict: .inconclusive, runsNeeded: runs, runsToDecide: runs, contradictedBy: nil)
    let side = [ComparisonTests.run("x", 10, seed: 1)]
    return ComparisonSentence(
      Comparison(
        before: side, after: side, names: SideNames(), kind: .frames, metric: "frameTime",
        isSequential: false, design: .turns, method: "", metrics: [metric],
        overall: .inconclusive, warnings: [],
        beside: []))
  }

  /// A leaning is named below a probability of 0.3; otherwise the sentence states how large a
  /// change is not ruled out.
  @Test func whatLeansIsNamed() {
    let leaning = Self.open(p: 0.299, pBetter: 0.9, runs: 4).text
    #expect(
      leaning
        == "undecided: leans slower, p99(frameTime) +20.0 % [+2.0, +40.0] (95 % bounds); about 3 more runs per side would decide; one run each"
    )
    let faster = Self.open(p: 0.9, pBetter: 0.1, runs: 2).text
    #expect(faster.hasPrefix("undecided: leans faster, "))
    #expect(faster.contains("about 1 more run per side would decide"))
    let none = Self.open(p: 0.3, pBetter: 0.9, runs: nil).text
    #expect(
      none.hasPrefix("undecided: no difference shown, but p99(frameTime) +40.0 % is not ruled out"))
    #expect(none.contains("more than 200 runs per side would be needed to decide"))
  }

  /// Rates and lows are shown next to the deciding times, with the same values as in an analysis of
  /// the run.
  @Test func ratesStandBesideTheTimes() throws {
    let studies = try [1, 2].map { try Study(of: DrawnPlot.trace("uncapped-game", seed: $0)) }
    let runs = try studies.map { try RunTimes.of($0).summary }
    let comparison = try Comparison([runs[0]], [runs[1]])
    for name in ["averageFrameRate", "onePercentLowAverage"] {
      let beside = try #require(comparison.beside.first { $0.name == name })
      let printed = try studies.map { study in
        let surface = try #require(TraceAnalysis(of: study).surfaces.first)
        guard case .figure(let rate, _)? = surface[name]?.figures else { return -1.0 }
        return rate
      }
      #expect(beside.unit == "fps" && [beside.before, beside.after] == printed)
    }
  }
}
