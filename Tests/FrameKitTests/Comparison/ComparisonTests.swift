import Testing

@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

@Suite("Comparisons")
struct ComparisonTests {
  /// A run of frames of about the given number of milliseconds, slightly irregular.
  static func run(
    _ name: String, _ milliseconds: Double, seed: UInt64, count: Int = 1200,
    interval: Int64? = 16_666_667, source: RunRefresh.Source = .stated, start: Int64? = nil,
    definition: String = "present to present", stalls: Int = 0
  ) -> RunSummary {
    var random = SplitMix64(seed: seed)
    let times = (0..<count).map { position -> Int64 in
      let share = 1 + 0.1 * (random.nextUnit() - 0.5)
      let isStall = stalls > 0 && position % (count / stalls) == 5
      return Int64(milliseconds * share * 1e6) + (isStall ? 40_000_000 : 0)
    }
    return RunSummary(
      file: name, process: "game", surface: "s", definition: definition, times: times,
      refresh: interval.flatMap { RunRefresh($0, source, times: times) }, start: start,
      clock: start == nil ? nil : "QPC",
      latencies: times.prefix(50).map { $0 * 3 }, latencyName: "touchToPhoton")
  }

  static func side(
    _ name: String, _ milliseconds: [Double], seed: UInt64, stalls: Int = 0
  ) -> [RunSummary] {
    milliseconds.enumerated().map {
      run("\(name)\($0)", $1, seed: seed + UInt64($0), stalls: stalls)
    }
  }

  @Test("runs that got slower by more than the threshold have regressed")
  func regressed() throws {
    let comparison = try Comparison(
      Self.side("a", [10, 10.1, 9.9], seed: 1), Self.side("b", [11.2, 11.3, 11.1], seed: 9))
    #expect(comparison.overall == .regressed)
    let p50 = try #require(comparison.metrics.first { $0.name == "p50(frameTime)" })
    #expect(p50.verdict == .regressed && abs(p50.effect - 12) < 0.5)
    #expect(p50.interval.contains(p50.effect) && p50.p < 0.01)
    #expect(comparison.method.hasPrefix("pooled t on per-run values, 3 v 3 runs"))
  }

  @Test("the same the other way round has improved, and alike runs have not changed")
  func others() throws {
    let fast = Self.side("a", [10, 10.05, 9.95, 10], seed: 1)
    let slow = Self.side("b", [11.2, 11.3, 11.1, 11.2], seed: 9)
    #expect(try Comparison(slow, fast).overall == .improved)
    let again = Self.side("c", [10.02, 9.98, 10, 10.01], seed: 30)
    #expect(try Comparison(fast, again).overall == .noChange)
    let noisy = Self.side("d", [9, 11.5, 10.2], seed: 40)
    #expect(try Comparison(Self.side("e", [10, 12, 9], seed: 50), noisy).overall == .inconclusive)
  }

  /// From five runs a side on, their ranks are compared.
  @Test(arguments: [(4, "pooled t"), (5, "Mann–Whitney")])
  func fiveRunsAreRanked(_ count: Int, _ method: String) throws {
    let times = (0..<count).map { 10 + 0.05 * Double($0 % 3) }
    let comparison = try Comparison(
      Self.side("a", times, seed: 1), Self.side("b", times, seed: 90))
    #expect(comparison.method.hasPrefix(method))
  }

  /// A t-test does not see a change any more as one run gets ever slower.
  @Test func aSlowerRunHidesNoChange() throws {
    let around = { (level: Double, count: Int) -> [Double] in
      (0..<count).map { level + 0.05 * Double($0 % 4) }
    }
    let before = around(10, 10)
    for slowest in [11, 12, 15, 30, 100.0] {
      let after = around(11, 9) + [slowest]
      let (one, other) = (Self.side("a", before, seed: 1), Self.side("b", after, seed: 90))
      #expect(try Comparison(one, other).overall == .regressed, "\(slowest)")
      // Nine runs are alike, but the tenth is not ruled out.
      let stray = try Comparison(one, Self.side("c", around(10.02, 9) + [slowest], seed: 40))
      #expect(slowest < 15 || stray.overall != .noChange, "\(slowest)")
    }
  }

  @Test("hitches alone are a regression")
  func hitches() throws {
    let comparison = try Comparison(
      Self.side("a", [10, 10.05, 9.95], seed: 1),
      Self.side("b", [10, 10.05, 9.95], seed: 9, stalls: 12))
    #expect(comparison.overall == .regressed)
    let worse = comparison.metrics.filter { $0.verdict == .regressed }.map(\.name)
    #expect(worse.contains("intervalHitchRatio"))
    #expect(!worse.contains("p50(frameTime)"))
  }

  @Test("one run a side is only suspected, and says so")
  func single() throws {
    let comparison = try Comparison(
      [Self.run("a", 10, seed: 1)], [Self.run("b", 13, seed: 2)])
    #expect(comparison.overall == .suspected)
    #expect(comparison.method.contains("single run, assumed noise 2.5 %"))
    #expect(comparison.warnings.contains { $0.text.contains("one run per side") })
  }

  @Test("unequal numbers of runs have a variance each")
  func welch() throws {
    let comparison = try Comparison(
      Self.side("a", [10, 10.1, 9.9], seed: 1), Self.side("b", [11.2, 11.3, 11.1, 11], seed: 9))
    #expect(comparison.method.hasPrefix("pooled and Welch's t"))
    #expect(comparison.overall == .regressed)
  }

  @Test("a history tells the noise that one run cannot")
  func history() throws {
    var options = ComparisonOptions()
    options.history = (0..<8).map { job in
      [Self.run("h\(job)", 10 + 0.05 * Double(job % 3), seed: 100 + UInt64(job))]
    }
    let slow = try Comparison(
      [Self.run("a", 10, seed: 1)], [Self.run("b", 11.2, seed: 2)], options: options)
    #expect(slow.overall == .regressed)
    #expect(slow.method.contains("the noise of 8 earlier runs"))
    options.history = (0..<6).map { job in
      (0..<3).map { Self.run("h\(job)\($0)", 10, seed: 200 + UInt64(job * 3 + $0)) }
    }
    let jobs = try Comparison(
      Self.side("a", [10, 10.1, 10], seed: 1), Self.side("b", [11.2, 11.3, 11], seed: 9),
      options: options)
    #expect(jobs.method.contains("means of jobs with the noise of 6 earlier jobs"))
    #expect(jobs.overall == .regressed)
    options.history = Array(options.history.prefix(2))
    let few = try Comparison(
      Self.side("a", [10, 10.1, 10], seed: 1), Self.side("b", [10, 10.1, 10], seed: 9),
      options: options)
    #expect(few.warnings.contains { $0.text.hasPrefix("2 earlier runs are too few") })
  }

  @Test("frames bound to refreshes are judged by their mean, drops and hitches")
  func quantized() throws {
    let comparison = try Comparison(
      Self.side("a", [16.67, 16.67, 16.67], seed: 1),
      Self.side("b", [16.67, 16.67, 16.67], seed: 9))
    let gating = comparison.metrics.filter(\.isGating).map(\.name)
    #expect(gating == ["mean(frameTime)", "missedRefreshShare", "intervalHitchRatio"])
  }

  @Test("latencies on a grid are compared by the share of the cell")
  func latencies() throws {
    var options = ComparisonOptions()
    options.kind = .latency
    let comparison = try Comparison(
      Self.side("a", [10, 10.1, 9.9], seed: 1), Self.side("b", [12, 12.1, 11.9], seed: 9),
      options: options)
    #expect(comparison.overall == .regressed)
    #expect(comparison.metrics.map(\.name) == ["p50(touchToPhoton)", "p95(touchToPhoton)"])
    #expect(LatencyMeasures.grid([[4_166_667 * 10, 4_166_667 * 12, 4_166_667 * 11]]) == 4_166_667)
    #expect(LatencyMeasures.grid([[41_000_000, 45_300_000, 47_777_777]]) == nil)
  }

  @Test("what does not belong together is refused")
  func refusals() {
    let good = Self.side("a", [10, 10.1], seed: 1)
    let expectations: [(RunSummary, String)] = [
      (Self.run("short", 10, seed: 3, count: 200), "expected at least 240 frame times, found 200"),
      (Self.run("other", 10, seed: 3, definition: "start to start"), "are measured start to start"),
      (Self.run("fast", 10, seed: 3, interval: 8_333_333), "refreshes every 8.333 ms"),
    ]
    for (run, words) in expectations {
      #expect { try Comparison(good, [run]) } throws: { error in
        (error as? ComparisonRefusal)?.message.contains(words) ?? false
      }
    }
    var options = ComparisonOptions()
    options.allowsDifferentRefresh = true
    #expect(throws: Never.self) {
      try Comparison(good, [Self.run("fast", 10, seed: 3, interval: 8_333_333)], options: options)
    }
    // An inferred refresh is no reason to refuse, and misses of two refreshes decide nothing.
    #expect(throws: Never.self) {
      let other = Self.run("x", 10, seed: 3, interval: 8_333_333, source: .inferred)
      let comparison = try Comparison(good, [other])
      #expect(!comparison.metrics.contains { $0.name == "missedRefreshShare" })
      #expect(
        comparison.warnings.contains { $0.text.contains("refresh every 16.667 and 8.333 ms") })
    }
    #expect {
      try Comparison([good[0], Self.run("copy", 10, seed: 1)], good)
    } throws: { error in
      (error as? ComparisonRefusal)?.message
        == "copy: the same recording as a0, given twice for one side"
    }
  }

  @Test("warnings name what stands against the verdict")
  func warnings() throws {
    let late = (0..<3).map { Self.run("b\($0)", 10, seed: UInt64($0), start: 100 + Int64($0)) }
    let early = (0..<3).map { Self.run("a\($0)", 10, seed: UInt64(9 + $0), start: Int64($0)) }
    let mixed = (0..<3).map {
      Self.run("c\($0)", 10, seed: UInt64(9 + $0), start: 99 + 2 * Int64($0))
    }
    #expect(try Comparison(early, late).warnings.contains { $0.text.contains("--plan 3") })
    #expect(try !Comparison(mixed, late).warnings.contains { $0.text.contains("--plan") })
    let unknown = Self.side("a", [10, 10.1], seed: 1)
    #expect(
      try Comparison(unknown, unknown).warnings.contains {
        $0.text.contains("do not show the order of the runs")
      })
    let few = try Comparison(unknown, [Self.run("x", 10, seed: 4, count: 500), unknown[0]])
    #expect(
      few.warnings.contains { $0.text.hasPrefix("p99 rests on fewer than ten frames in 1 of 4") })
    let assumed = try Comparison(unknown, [Self.run("x", 10, seed: 4, interval: nil), unknown[0]])
    #expect(
      assumed.warnings.contains { $0.text.hasPrefix("no fixed refresh was found in 1 of 4 runs") })
    let odd = Self.side("o", [10, 10.1, 9.9, 10, 14], seed: 70)
    let outlier = try Comparison(odd, Self.side("p", [10, 10.1, 9.9, 10, 10], seed: 80))
    #expect(
      outlier.warnings.contains { $0.text.hasPrefix("o4 is an outlier among the runs of 'before'") }
    )
    let long = Self.run("l", 10, seed: 90, count: 3000)
    #expect(
      try Comparison([long], [unknown[0]]).warnings.contains {
        $0.text.hasPrefix("runs differ in length")
      })
  }

  @Test("looking more than once costs some of the level")
  func looks() throws {
    var options = ComparisonOptions()
    options.looks = try #require(ComparisonOptions.looks(named: "3,5,10"))
    let comparison = try Comparison(
      Self.side("a", [10, 10.1, 9.9], seed: 1), Self.side("b", [11.2, 11.3, 11.1], seed: 9),
      options: options
    )
    #expect(comparison.method.contains("at 0.0197 for each of 3 looks"))
    #expect(ComparisonOptions.looks(named: "2,4") == nil)
    #expect(ComparisonOptions.looks(named: "x") == nil)
  }

  @Test("summaries written and read compare as the runs themselves, to the last bit")
  func summaries() throws {
    let before = Self.side("a", [10, 10.1, 9.9], seed: 1)
    let after = Self.side("b", [10.3, 10.4, 10.2], seed: 9, stalls: 4)
    let direct = try Comparison(before, after)
    let read = try Comparison(Self.reread(before), Self.reread(after))
    #expect(direct.metrics == read.metrics)
    #expect(try Self.reread(before) == before)
    let one = try Comparison([before[0]], [after[0]])
    #expect(
      try Comparison(Self.reread([before[0]]), Self.reread([after[0]])).metrics == one.metrics)
  }

  private static func reread(_ runs: [RunSummary]) throws -> [RunSummary] {
    let lines = try InputFile(bytes: Array(RunTexts.lines(runs).utf8), path: "runs.jsonl")
    #expect(RunSummaryReader.recognizes(lines))
    let whole = try InputFile(bytes: Array(RunTexts.whole(runs).utf8), path: "runs.json")
    #expect(RunSummaryReader.recognizes(whole))
    let read = try RunSummaryReader.read(whole)
    #expect(try RunSummaryReader.read(lines) == read)
    return read
  }

  @Test("broken summaries are refused with a place")
  func brokenSummaries() throws {
    let good = RunTexts.whole(Self.side("a", [10], seed: 1))
    let flaws = [
      good.replacing("\"n\":200", with: "\"n\":201"), String(good.dropLast(40)),
      good.replacing("frametool.runs/1", with: "frametool.runs/9"),
      good.replacing("\"bins\":[", with: "\"bins\":[-5,1,"),
      good.replacing("\"missed\":", with: "\"mist\":"), "{\"schema\":\"frametool.runs/1\"}",
    ]
    for flaw in flaws {
      #expect(throws: ParseError.self) {
        try RunSummaryReader.read(InputFile(bytes: Array(flaw.utf8), path: "x"))
      }
    }
    for length in stride(from: 0, to: good.utf8.count, by: 97) {
      let cut = Array(good.utf8.prefix(length))
      #expect(throws: ParseError.self) {
        try RunSummaryReader.read(InputFile(bytes: cut, path: "x"))
      }
    }
  }

  @Test("histograms merge to the same whatever the order")
  func merging() {
    let runs = Self.side("a", [10, 16, 33], seed: 5)
    let histograms = runs.flatMap(\.blocks).map(\.histogram)
    var forward = FrameHistogram()
    var backward = FrameHistogram()
    for histogram in histograms { forward.merge(histogram) }
    for histogram in histograms.reversed() { backward.merge(histogram) }
    #expect(forward.bins.map(\.bin) == backward.bins.map(\.bin))
    #expect(forward.bins.map(\.count) == backward.bins.map(\.count))
    #expect(forward.total == 3600)
  }

  @Test("the block bootstrap of drops and hitches")
  func bootstrap() {
    // Twelve frames, two per block, at 16.6667 ms: one takes two refreshes and one takes three.
    let times = [16.6, 16.7, 16.8, 33.3, 16.5, 16.7, 16.7, 16.6, 50.1, 16.7, 16.6, 16.8]
    let run = RunSummary(
      file: "x", process: nil, surface: "s", definition: "d",
      times: times.map { Int64(($0 * 1e6).rounded()) },
      refresh: RunRefresh(interval: 16_666_700, source: .stated, kept: 1))
    #expect(abs(run.value(.missedRefreshShare) - 20) < 1e-9)
    #expect(abs(run.value(.intervalHitchRatio) - 200.18659202985475) < 0.01)
    let variance = run.variance([.missedRefreshShare])[0]
    #expect(abs(variance - 118.303250153509) < 1e-6)
  }
}
