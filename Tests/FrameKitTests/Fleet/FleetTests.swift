import Foundation
import Testing

@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

@Suite struct FleetTests {
  private static func options(_ by: [String], _ compared: String?) throws -> Fleet.Options {
    var options = Fleet.Options()
    options.by = by
    options.comparing = try compared.map { try #require(Fleet.Sides($0)) }
    return options
  }

  /// Runs of ten scenes and two versions; each scene has its own cost and its own change in the
  /// second version.
  private static func runs(
    seed: UInt64, scenes: Int, runs: Int, change: (Int) -> Double
  ) throws -> [SummarizedRun] {
    var random = SplitMix64(seed: seed)
    var made: [SummarizedRun] = []
    for scene in 0..<scenes {
      for version in ["1", "2"] {
        for run in 0..<runs {
          let cost =
            8 + Double(scene) * (version == "2" ? change(scene) : 1)
            + (version == "2" ? 8 * (change(scene) - 1) : 0)
          made.append(
            try MadeFleet.run(
              "\(scene)-\(version)-\(run)", tags: ["scene": "\(scene)", "version": version],
              milliseconds: cost,
              frames: 40, using: &random))
        }
      }
    }
    return made
  }

  @Test("of fleets without a change few have a group called changed")
  func equalFleets() throws {
    var called = 0
    var groups = 0
    for seed in 0..<40 as Range<UInt64> {
      let fleet = try MadeFleet.fleet(
        try Self.runs(seed: seed, scenes: 6, runs: 4) { _ in 1 },
        try Self.options(["scene"], "version=1..2"))
      let comparison = try #require(FleetComparison(fleet))
      groups += comparison.groups.count
      called += comparison.groups.filter { [.regressed, .improved].contains($0.verdict) }.count
    }
    #expect(groups == 240)
    #expect(Double(called) <= 0.05 * Double(groups))
  }

  @Test func aSceneThatGotSlowerStandsFirst() throws {
    let fleet = try MadeFleet.fleet(
      try Self.runs(seed: 1, scenes: 6, runs: 5) { $0 == 3 ? 1.2 : 1 },
      try Self.options(["scene"], "version=1..2"))
    let comparison = try #require(FleetComparison(fleet))
    #expect(comparison.groups.map(\.verdict).filter { $0 == .regressed }.count == 1)
    let first = try #require(comparison.groups.first)
    #expect(first.values == ["3"] && first.verdict == .regressed)
    let effect = try #require(first.decisive?.effect)
    #expect(abs(effect - 20) < 5)
    #expect(FleetReport(fleet).overall == .regressed)
  }

  /// Fast devices became common and every device got slower: plain means say that it got faster.
  @Test(arguments: [["device"], []])
  func aChangedMixOfDevicesDoesNotFool(_ by: [String]) throws {
    var random = SplitMix64(seed: 7)
    var runs: [SummarizedRun] = []
    for (device, cost, counts) in [("slow", 30.0, [12, 4]), ("fast", 10.0, [4, 12])] {
      for (version, count) in zip(["1", "2"], counts) {
        for run in 0..<count {
          runs.append(
            try MadeFleet.run(
              "\(device)\(version)\(run)", tags: ["device": device, "version": version],
              milliseconds: cost * (version == "2" ? 1.1 : 1), using: &random))
        }
      }
    }
    let fleet = try MadeFleet.fleet(runs, try Self.options(by, "version=1..2"))
    let comparison = try #require(FleetComparison(fleet))
    #expect(comparison.all.verdict == .regressed)
    let mean = try #require(comparison.all.figures.first { $0.figure.statistic == .mean })
    #expect(abs(mean.effect - 10) < 3)
    #expect(mean.plain < -20)
    #expect(mean.mixChange == 0.5)
    let words = Writers.write(FleetReport(fleet), as: .text)
    #expect(
      words.contains("mix of device differs between the sides by 50 %: plain means would show -")
    )
  }

  /// From eight runs a side on, one stray run among them hides no change; with fewer, no group of several could be called
  /// changed by its ranks.
  @Test(arguments: [(8, Verdict.regressed), (7, .inconclusive)])
  func aStrayRunHidesNoChange(_ count: Int, _ verdict: Verdict) throws {
    for size in [20.0, 40, 4000] {
      var random = SplitMix64(seed: 11)
      let runs = try ["1", "2"].flatMap { version in
        try (0..<count).map { run in
          try MadeFleet.run(
            "\(version) \(run)", tags: ["version": version],
            milliseconds: version == "2" ? 11.5 : run == 0 ? size : 10, using: &random)
        }
      }
      let fleet = try MadeFleet.fleet(runs, try Self.options([], "version=1..2"))
      #expect(try #require(FleetComparison(fleet)).all.verdict == verdict, "\(size) ms")
    }
  }

  /// If one of two kinds of devices got slower, the median of all differences may show nothing, and the mean does.
  @Test(arguments: [4, 8, 20]) func aChangeOfOneKindShows(_ count: Int) throws {
    var random = SplitMix64(seed: 12)
    var runs: [SummarizedRun] = []
    for (device, change) in [("old", 1.3), ("new", 1)] {
      for version in ["1", "2"] {
        for run in 0..<count {
          runs.append(
            try MadeFleet.run(
              "\(device) \(version) \(run)", tags: ["device": device, "version": version],
              milliseconds: 10 * (version == "2" ? change : 1), using: &random))
        }
      }
    }
    let fleet = try MadeFleet.fleet(runs, try Self.options([], "version=1..2"))
    let all = try #require(FleetComparison(fleet)).all
    #expect(all.verdict == .regressed)
    let mean = try #require(all.figures.first { $0.figure.statistic == .mean })
    #expect(abs(mean.effect - 14) < 3, "\(mean.effect)")
  }

  /// Runs on displays of different rates are never added up, and never compared with each other.
  @Test func refreshRatesAreKeptApart() throws {
    var random = SplitMix64(seed: 5)
    let runs = try ["60 Hz", "120 Hz"].flatMap { refresh in
      try (0..<6).map { run in
        try MadeFleet.run(
          "\(refresh) \(run)", tags: ["refresh": refresh, "version": run < 3 ? "1" : "2"],
          milliseconds: refresh == "60 Hz" ? 16 : 8, using: &random)
      }
    }
    let fleet = try MadeFleet.fleet(runs, try Self.options([], nil))
    #expect(fleet.options.by == ["refresh"])
    #expect(fleet.groups.map(\.values) == [["120 Hz"], ["60 Hz"]])
    let one = try MadeFleet.fleet(Array(runs.prefix(6)), try Self.options([], nil))
    #expect(one.options.by.isEmpty && one.groups.map(\.values) == [[]])
    let asked = try MadeFleet.fleet(runs, try Self.options(["refresh"], nil))
    #expect(asked.options.by == ["refresh"] && asked.groups.count == 2)
    // Half of the frame time on the other display is not an improvement.
    let apart = try #require(
      FleetComparison(
        try MadeFleet.fleet(
          Array(runs.prefix(3)) + Array(runs.suffix(3)), try Self.options([], "version=1..2"))))
    #expect(apart.groups.allSatisfy { $0.why != nil })
    #expect(apart.all.verdict == .inconclusive)
    // Unless that is what is compared.
    let rates = try #require(
      FleetComparison(
        try MadeFleet.fleet(runs, try Self.options([], "refresh=60 Hz..120 Hz"))))
    #expect(rates.all.verdict == .improved)
  }

  @Test func devicesRepeatWhereRunsOfOneAreAlike() throws {
    var random = SplitMix64(seed: 3)
    var runs: [SummarizedRun] = []
    // Devices differ a lot, and the runs of one device little; the versions run on different
    // devices.
    for (version, cost) in [("1", [10.0, 14, 18]), ("2", [11.0, 15.5, 19])] {
      for (device, cost) in cost.enumerated() {
        for run in 0..<20 {
          runs.append(
            try MadeFleet.run(
              "\(version)\(device)\(run)",
              tags: ["device": "\(version)\(device)", "version": version],
              milliseconds: cost, frames: 30, using: &random))
        }
      }
    }
    var options = try Self.options([], "version=1..2")
    options.unit = "device"
    options.mix = []
    let comparison = try #require(FleetComparison(try MadeFleet.fleet(runs, options)))
    #expect(comparison.all.verdict == .inconclusive)
    #expect(comparison.all.figures.first?.counts.before == 3)
  }

  /// Runs that keep a rate differ only by a few late frames: histogram bins must not turn these
  /// into findings.
  @Test func contentThatKeepsARateCallsNothing() throws {
    var called = 0
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var runs: [SummarizedRun] = []
      for scene in 0..<6 {
        for version in ["1", "2"] {
          for run in 0..<6 {
            let times = (0..<300).map { frame -> Int64 in
              let isLate = random.nextUnit() < 0.01
              let kept: Int64 = frame % 100 < 30 ? 2 : 1
              return (kept + (isLate ? 1 : 0)) * 16_666_667 + Int64(2e5 * random.nextUnit())
            }
            runs.append(
              SummarizedRun(
                RunTimes(named: "r", times: times, interval: Nanoseconds(16_666_667)),
                tags: ["scene": "\(scene)", "version": version],
                named: "\(scene) \(version) \(run)"))
          }
        }
      }
      let comparison = try #require(
        FleetComparison(
          try MadeFleet.fleet(runs, try Self.options(["scene"], "version=1..2"))))
      // Quantiles of such runs do not move until they jump, and decide nothing.
      let deciding = comparison.groups[0].figures.filter(\.isDeciding).map(\.figure.name)
      #expect(deciding.contains("missedRefreshShare") && !deciding.contains("p95(frameTime)"))
      let groups = comparison.groups.filter { [.regressed, .improved].contains($0.verdict) }
      called += groups.isEmpty ? 0 : 1
    }
    #expect(called <= 1, "\(called) of 20 fleets")
  }

  @Test func aGroupWithoutASideSaysSo() throws {
    var random = SplitMix64(seed: 3)
    let runs = try (0..<4).map {
      try MadeFleet.run("\($0)", tags: ["version": "1"], milliseconds: 10, using: &random)
    }
    let comparison = try #require(
      FleetComparison(try MadeFleet.fleet(runs, try Self.options([], "version=1..2"))))
    #expect(comparison.all.why == "no run of version 2")
    #expect(
      FleetReport(try MadeFleet.fleet(runs, try Self.options([], "version=1..2"))).overall
        == .inconclusive)
  }
}

@Suite struct SummaryMergeTests {
  private static func runs(_ seed: UInt64) throws -> [SummarizedRun] {
    var random = SplitMix64(seed: seed)
    return try (0..<12).map { position in
      if position == 5 {
        return SummarizedRun(file: "broken", size: 3, tags: ["device": "a"], failed: "no trace")
      }
      return try MadeFleet.run(
        "run\(position)",
        tags: ["device": ["a", "b"][position % 2], "version": "\(position % 3)"],
        milliseconds: 10, frames: 25,
        using: &random)
    }
  }

  /// The text that merging several texts gives.
  private static func merged(_ texts: [String], by tags: [String]?) throws -> String {
    var merge = try SummaryMerge(by: tags)
    for text in texts {
      try SummaryReader.read(InputFile(bytes: Array(text.utf8), path: "x")) { run, _, line in
        do { try merge.add(run, line: String(decoding: line, as: UTF8.self) + "\n") } catch {
          Issue.record(error)
        }
      }
    }
    var lines = ""
    try merge.forEachLine { lines += $0 }
    return Writers.summaryHeader + lines + merge.added.map(Writers.line).joined()
  }

  private static func text(_ runs: some Sequence<SummarizedRun>) -> String {
    Writers.summaryHeader + runs.map(Writers.line).joined()
  }

  @Test(
    "the order and the grouping of a merge do not show", arguments: 0..<20,
    [nil, ["device"], ["version", "device"], []])
  func anyOrder(_ seed: UInt64, _ tags: [String]?) throws {
    var random = SplitMix64(seed: seed)
    let runs = try Self.runs(seed)
    let whole = try Self.merged([Self.text(runs)], by: tags)
    let shuffled = runs.shuffled(using: &random)
    let cuts = [Int.random(in: 0...12, using: &random), Int.random(in: 0...12, using: &random)]
      .sorted()
    let parts = try [shuffled[..<cuts[0]], shuffled[cuts[0]..<cuts[1]], shuffled[cuts[1]...]].map {
      try Self.merged([Self.text($0)], by: tags)
    }
    #expect(
      try Self.merged([Self.merged([parts[2], parts[0]], by: tags), parts[1]], by: tags) == whole)
    #expect(
      try Self.merged([parts[1], Self.merged([parts[2], parts[0]], by: tags)], by: tags) == whole)
  }

  @Test(arguments: [nil, ["device"]])
  func aRunThatIsThereTwiceCountsOnce(_ tags: [String]?) throws {
    let runs = try Self.runs(1)
    #expect(
      try Self.merged([Self.text(runs + runs.shuffled())], by: tags)
        == Self.merged([Self.text(runs)], by: tags))
  }

  private static func identified(_ seed: UInt64) throws -> [SummarizedRun] {
    try runs(seed).map { $0.identified(by: Array("\($0.file ?? "")".utf8)) }
  }

  /// A run is the same whatever the name of its file, and added-up runs keep the IDs of the runs
  /// they contain.
  @Test func addedUpRunsCountOnce() throws {
    let runs = try Self.identified(4)
    let renamed = runs.map { run in
      var run = run
      run.file = run.file.map { "./\($0)" }
      return run
    }
    for tags in [["device"], []] {
      let sums = try Self.merged([Self.text(runs)], by: tags)
      #expect(try Self.merged([sums, sums], by: tags) == sums)
      #expect(
        try Self.merged([sums, Self.text(renamed.filter { $0.tally != nil })], by: tags) == sums)
      #expect(sums.contains("\"ids\":["))
    }
    let apart = try Self.merged([Self.text(renamed), Self.text(runs)], by: nil)
    #expect(apart.split(separator: "\n").count == runs.count + 2, "of the trace that failed two")
  }

  /// Added-up runs cannot be separated again.
  @Test func addedUpRunsThatOverlapAreRefused() throws {
    let runs = try Self.identified(5).filter { $0.tally != nil }
    let one = try Self.merged([Self.text(runs[..<6])], by: [])
    let other = try Self.merged([Self.text(runs[3...])], by: [])
    var merge = try SummaryMerge(by: [])
    var refused: RunsCountedTwice?
    for text in [one, other] {
      try SummaryReader.read(InputFile(bytes: Array(text.utf8), path: "x")) { run, _, line in
        do throws(RunsCountedTwice) {
          try merge.add(run, line: String(decoding: line, as: UTF8.self) + "\n")
        } catch {
          refused = error
        }
      }
    }
    #expect(refused == RunsCountedTwice(known: 3, of: 8))
    var builder = Fleet.Builder(Fleet.Options())
    for run in runs + runs { try builder.add(run) }
    #expect(builder.fleet.runs == Int64(runs.count) && builder.repeated == runs.count)
  }

  /// A figure of few runs stays as exact as measured after any number of merges.
  @Test func figuresOfFewRunsAreExact() throws {
    var values = FigureValues()
    for value in [16_683_350, 16_683_351, 16_683_350] as [Int64] { values.add(value) }
    #expect(values.values.map(\.value) == [16.683_35, 16.683_35, 16.683_351])
    var many = FigureValues()
    for value in 0..<Int64(FigureValues.mostExact) { many.add(value + 1) }
    #expect(many.exact?.count == FigureValues.mostExact)
    var sum = many
    sum.merge(values)
    #expect(sum.exact == nil && sum.counts.count == Int64(FigureValues.mostExact + 3))
  }

  @Test func aSummaryIsReadAsItWasWritten() throws {
    let text = Self.text(try Self.runs(2))
    var again = Writers.summaryHeader
    try SummaryReader.read(InputFile(bytes: Array(text.utf8), path: "x")) { run, _, _ in
      again += Writers.line(run)
    }
    #expect(again == text)
  }

  private static func expectRefusal(of text: String, _ flaw: String) {
    #expect(throws: ParseError.self, "\(flaw)") {
      try SummaryReader.read(InputFile(bytes: Array(text.utf8), path: "x")) { _, _, _ in }
    }
  }

  /// A summary whose packed counts are others.
  private static func repacked(_ text: String, _ change: (String) -> String) throws -> String {
    let words = SummaryDictionary.bytes
    return try text.replacing(/"packed":"([^"]*)"/) { match in
      let packed = try #require(Base64.bytes(String(match.1)))
      let size = try #require(Inflated.zstdSize(packed, packed.indices))
      let content = try #require(
        Inflated.zstd(packed, packed.indices, to: Int(size), dictionary: words))
      // The histograms after the text are bytes of any kind.
      let end = try #require(content.firstIndex(of: 0x0a))
      let changed = change(String(decoding: content[...end], as: UTF8.self))
      let again = Deflated.zstd(
        Array(changed.utf8) + content[(end + 1)...], level: 9, dictionary: words, isChecked: true)
      return "\"packed\":\"\(Base64.text(again))\""
    }
  }

  @Test func brokenSummariesAreRefusedWithTheirLine() throws {
    let good = Self.text(try Self.runs(2))
    let flaws = [
      ("\"runs\":1", "\"runs\":-1"), ("\"p50\":", "\"p51\":"), ("\"mean\":", "\"mean\":0."),
      ("\"packed\":\"", "\"packed\":\"="), ("\"packed\":\"", "\"packed\":1,\"x\":\""),
      ("runs/3", "runs/4"),
    ]
    for (old, new) in flaws { Self.expectRefusal(of: good.replacing(old, with: new), new) }
    let packed = [
      ("\"n\":25", "\"n\":26"), ("\"above\":0", "\"above\":9"), ("\"above\":0", "\"above\":[0]"),
      ("\"sum\":", "\"sam\":"), ("\"min\":", "\"min\":-"), ("\"metric\":", "\"matrix\":"),
      ("\"values\":[", "\"values\":[1,"), ("}", ""), ("\n", ""),
    ]
    for (old, new) in packed {
      Self.expectRefusal(of: try Self.repacked(good) { $0.replacing(old, with: new) }, new)
    }
    #expect(try Self.repacked(good) { $0 } == good)
    // In version 2, all of it is in the open.
    let path = TestData.root.appending(path: "Tests/Summaries/runs-2.jsonl")
    let earlier = try String(contentsOf: path, encoding: .utf8)
    let open = [
      ("\"n\":109", "\"n\":108"), ("\"above\":[", "\"above\":[1,"),
      ("\"above\":[", "\"above\":[-1,2,"), ("\"runs\":1", "\"runs\":-1"),
      ("\"sum\":", "\"sam\":"), ("\"min\":", "\"min\":-"), ("\"each\":[", "\"each\":[9,-3,"),
      ("\"statistic\":\"p50\"", "\"statistic\":\"p51\""), ("\"metric\":", "\"matrix\":"),
      ("runs/2", "runs/4"),
    ]
    for (old, new) in open { Self.expectRefusal(of: earlier.replacing(old, with: new), new) }
    // A truncated line is not read; the complete lines before it are.
    for length in stride(from: 40, to: good.utf8.count - 1, by: 211) {
      let cut = Array(good.utf8.prefix(length))
      guard cut.last != 0x0a, cut.last != UInt8(ascii: "}") else { continue }
      #expect(throws: ParseError.self) {
        try SummaryReader.read(InputFile(bytes: cut, path: "x")) { _, _, _ in }
      }
    }
  }
}
