import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// Findings compared with a truth.
struct TraceScoreTests {
  typealias Finding = DetectorOutput.Finding

  /// Truths with and without drops, of one surface and of two.
  private static let truths = (0..<JankFamily.allCases.count * 6).map {
    JankTrace(number: $0, of: 21).truth
  }

  /// What a detector that is always right would say.
  private static func perfect(_ truth: JankTruth) -> [Finding] {
    truth.drops.map { drop in
      Finding(
        surface: drop.surface, refresh: drop.refresh, time: nil, stage: drop.stage,
        culprit: drop.culprit.map { .init(surface: $0.surface, row: $0.frame) })
    }
  }

  private static func score(_ truth: JankTruth, _ findings: [Finding]) -> ScoreTally {
    TraceScore(
      truth, DetectorOutput(trace: truth.name, findings: findings), namesFrames: true
    ).tally
  }

  @Test func aTruthScoredAgainstItselfIsPerfect() {
    for truth in Self.truths {
      for byTime in [false, true] {
        var findings = Self.perfect(truth)
        for position in findings.indices where byTime {
          findings[position].time = truth.drops[position].time
          findings[position].refresh = nil
        }
        let score = TraceScore(
          truth, DetectorOutput(trace: truth.name, findings: findings), namesFrames: true)
        #expect(score.misses.isEmpty, "\(truth.name): \(score.misses)")
        #expect(score.tally.detected == truth.drops.count)
        #expect(score.tally.rightStage == truth.drops.count)
        #expect(score.tally.rightCulprit == score.tally.culprits)
        #expect(score.tally.falseAlarms == 0)
        #expect(score.tally.repeated == 0)
      }
    }
  }

  /// Shuffled, cut and repeated findings are never more right than they were.
  @Test func nothingButBetterFindingsRaisesAScore() {
    var random = SplitMix64(seed: 5)
    for truth in Self.truths where !truth.isClean {
      var findings = Self.perfect(truth)
      findings.append(Finding(surface: 0, refresh: -5, time: nil, stage: .app))
      let whole = Self.score(truth, findings)
      #expect(whole.falseAlarms == 1)
      let shuffled = Self.score(truth, findings.shuffled(using: &random))
      #expect(shuffled == whole)
      let doubled = Self.score(truth, findings + findings)
      #expect(doubled.detected == whole.detected && doubled.rightStage == whole.rightStage)
      #expect(doubled.falseAlarms == 1)
      #expect(doubled.repeated == findings.count)
      let cut = Self.score(truth, Array(findings.prefix(findings.count / 2)))
      #expect(cut.detected <= whole.detected && cut.rightStage <= whole.rightStage)
      #expect(cut.rightCulprit <= whole.rightCulprit)
    }
  }

  /// A run of refreshes may be one finding, and a late frame stands for all that it dropped.
  @Test func runsAndFramesStandForSeveralRefreshes() throws {
    let truth = try #require(
      Self.truths.first { truth in
        truth.surfaces.count == 1 && truth.drops.count > 1
          && truth.drops[1].refresh == truth.drops[0].refresh + 1
          && truth.drops[1].victim == truth.drops[0].victim
      })
    let drop = truth.drops[0]
    let run = truth.drops.prefix { $0.victim == drop.victim }.count
    let byRun = Self.score(
      truth,
      [
        Finding(
          surface: 0, refresh: drop.refresh, time: nil, count: Int64(run), stage: drop.stage)
      ])
    #expect(byRun.detected == run && byRun.falseAlarms == 0)
    let byFrame = Self.score(truth, [Finding(surface: 0, frame: drop.victim, stage: nil)])
    #expect(byFrame.detected >= run && byFrame.falseAlarms == 0)
    #expect(byFrame.unknownStage == byFrame.detected)
    var long = Finding(surface: nil, refresh: nil, time: drop.time, stage: .app)
    long.length = Nanoseconds(truth.interval(at: drop.time) * Int64(run))
    #expect(Self.score(truth, [long]).detected == run)
  }

  @Test func aCountDetectsAtMostAsMany() throws {
    let truth = try #require(Self.truths.first { !$0.isClean })
    let victims = Set(truth.drops.map { [$0.surface, $0.victim] }).count
    var output = DetectorOutput(trace: truth.name)
    output.count = victims + 3
    let tally = TraceScore(truth, output, namesFrames: false).tally
    #expect(tally.detected == victims)
    #expect(tally.falseAlarms == 3)
    let clean = try #require(Self.truths.first { $0.isClean })
    #expect(TraceScore(clean, output, namesFrames: false).tally.alarmed == 1)
  }

  /// What a tool says of surfaces or frames that the truth does not have is a false alarm like any other.
  @Test func strangersAreFalseAlarms() throws {
    let truth = try #require(Self.truths.first { $0.isClean })
    for surface in [nil, 0, 7] as [Int?] {
      let tally = Self.score(truth, [Finding(surface: surface, frame: 1_000_000, stage: .gpu)])
      #expect(tally.falseAlarms == 1 && tally.alarmed == 1)
      let run = Finding(surface: surface, refresh: 1 << 20, time: nil, count: .max, stage: nil)
      #expect(Self.score(truth, [run]).falseAlarms > 0)
    }
    var output = DetectorOutput(trace: truth.name)
    output.count = -5
    let tally = TraceScore(truth, output, namesFrames: false).tally
    #expect(tally.detected == 0 && tally.falseAlarms == 0)
  }

  @Test func aTraceThatIsNotJudgedIsNeitherRightNorWrong() throws {
    let truth = try #require(Self.truths.first { !$0.isClean })
    let output = DetectorOutput(trace: truth.name, whyUnjudged: "no times")
    let score = TraceScore(truth, output, namesFrames: true)
    #expect(score.tally.unjudged == truth.drops.count)
    #expect(score.tally.detected == 0)
    #expect(score.misses.allSatisfy { $0.kind == .unjudged && $0.said == "no times" })
  }

  private static func stated(_ text: String) throws -> DetectorOutput? {
    DetectorOutput(
      stated: try Importers.read(InputFile(bytes: Array(text.utf8), path: "a.txt")), name: "a")
  }

  private static let frames = """
    {"schema": "frametool.trace/1", "unit": "ms"}
    {"type": "surface", "id": "s"}
    """

  /// What sources say themselves: verdicts on frames before hitches, and hitches before counts.
  @Test func whatSourcesSayIsAnOutput() throws {
    let verdicts = try #require(
      try Self.stated(
        Self.frames + """

          {"type": "frame", "appStart": 0, "displayed": 20, "verdict": "onTime"}
          {"type": "frame", "appStart": 16, "displayed": 50, "verdict": "app"}
          {"type": "frame", "appStart": 33, "displayed": 80, "verdict": "late"}
          {"type": "hitch", "start": 36, "duration": 14, "kind": "commit"}

          """))
    #expect(verdicts.findings.map(\.frame) == [1, 2])
    #expect(verdicts.findings.map(\.stage) == [.app, .unknown])
    let hitches = try #require(
      try Self.stated(
        Self.frames + """

          {"type": "frame", "appStart": 0, "displayed": 20}
          {"type": "hitch", "start": 36, "duration": 33, "kind": "commit"}
          {"type": "hitch", "start": 96, "duration": 16, "kind": "render"}

          """))
    #expect(hitches.findings.map(\.time) == [36_000_000, 96_000_000])
    #expect(hitches.findings.map(\.stage) == [.app, nil])
    #expect(hitches.findings[0].length == Nanoseconds(33_000_000))
    let counted = try #require(
      try Self.stated(
        """
        Applications Graphics Acceleration Info:
        Uptime: 100000 Realtime: 100000

        ** Graphics info for pid 501 [Scroll] **

        Stats since: 1000ns
        Total frames rendered: 40
        Janky frames: 2 (5.00%)
        Janky frames (legacy): 3 (7.50%)
        50th percentile: 9ms

        """))
    #expect(counted.count == 2)
    let nothing = "\n{\"type\": \"frame\", \"appStart\": 0, \"displayed\": 20}\n"
    let silent = try Self.stated(Self.frames + nothing)
    #expect(silent == nil)
  }

  /// Values of R's `binom::binom.confint(x, n, methods = "wilson")`, which agree with Wilson's formula.
  @Test(arguments: [
    (0, 10, 0.0, 0.2775328), (10, 10, 0.7224672, 1.0), (1, 2, 0.0945312, 0.9054688),
    (81, 263, 0.2552726, 0.3661987),
  ])
  func intervalsOfShares(_ seen: Int, _ cases: Int, _ low: Double, _ high: Double) throws {
    let interval = try #require(WilsonInterval.of(seen, among: cases))
    #expect(abs(interval.lowerBound - low) < 1e-4)
    #expect(abs(interval.upperBound - high) < 1e-4)
    #expect(WilsonInterval.of(0, among: 0) == nil)
  }
}
