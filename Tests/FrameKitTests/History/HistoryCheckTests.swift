import Fixtures
import Testing

@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// The jobs at which levels changed, and whether the newest job is off its level.
@Suite struct HistoryCheckTests {
  private static func check(_ history: SyntheticHistory) throws -> HistoryCheck {
    let store = try TemporaryStore()
    try store.store.add(history.additions)
    return try #require(HistoryCheck.all(store.store.values(.init(), last: .max)).first)
  }

  @Test func threePlantedStepsAreFoundAndNamed() throws {
    let steps = [(60, 1.06), (110, 0.93), (165, 1.08)].map {
      SyntheticHistory.Step(job: $0.0, factor: $0.1)
    }
    let history = SyntheticHistory(jobs: 200, seed: 42, steps: steps)
    let check = try Self.check(history)
    #expect(check.changes.count == 3)
    for (change, step) in zip(check.changes, steps) {
      #expect(abs(change.position - step.job) <= 1)
      // The range contains the commit that caused the change.
      let jobs = history.additions.map(\.job)
      #expect(change.last.commit == jobs[change.position - 1].commit)
      #expect(change.first.commit == jobs[change.position].commit)
      #expect(abs(change.effect.size - 100 * (step.factor - 1)) < 1.5)
      #expect(change.effect.interval.contains(100 * (step.factor - 1)))
      #expect(change.isWorse == (step.factor > 1))
    }
    #expect(check.verdict(recent: 40) == .regressed)
    // It still stands, though it is not among the newest jobs.
    #expect(check.verdict(recent: 10) == .regressed)
    let standing = try #require(check.standing)
    #expect(abs(standing.change.position - 165) <= 1 && standing.jobs >= 34)
    #expect(check.warnings.isEmpty)
  }

  /// One series in a hundred may show a false change; of twenty, none or one does.
  @Test func historiesWithoutAStepAreLeftAlone() throws {
    let found = try (1...20).map { seed in
      try Self.check(SyntheticHistory(jobs: 200, seed: seed * 7919)).changes.count
    }
    #expect(found.reduce(0, +) <= 1, "\(found)")
  }

  /// The false alarm rate: of 300 series without a step, about three show one, up to a number that
  /// chance would exceed once in a thousand times.
  @Test func theRateOfFalseChangesIsTheStatedOne() {
    var random = SplitMix64(seed: 5)
    let alarms = (0..<300).count { number in
      let values = (0..<60).map { _ in
        (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      }
      return !ChangePoints(values, seed: UInt64(number)).positions.isEmpty
    }
    #expect(alarms <= 10, "\(alarms)")
  }

  @Test func theProfileIsThatOfItsDefinition() {
    var random = SplitMix64(seed: 9)
    for count in [6, 7, 20, 41] {
      // Only a few distinct values, so that there are many ties.
      let values = (0..<count).map { _ in Double(Int.random(in: 0...9, using: &random)) / 8 }
      for (position, distance) in ChangePoints.profile(values) {
        #expect(abs(distance - Self.energy(values, position)) < 1e-9)
      }
    }
  }

  private static func energy(_ values: [Double], _ position: Int) -> Double {
    let (left, right) = (Array(values[..<position]), Array(values[position...]))
    let mean = { (one: [Double], other: [Double]) in
      one.reduce(0) { sum, a in sum + other.reduce(0) { $0 + abs(a - $1) } }
    }
    let (n1, n2) = (Double(left.count), Double(right.count))
    return 2 / (n1 + n2) * mean(left, right) - n2 / ((n1 + n2) * (n1 - 1)) * mean(left, left)
      - n1 / ((n1 + n2) * (n2 - 1)) * mean(right, right)
  }

  @Test func theNewestJobsAreHeldAgainstTheirLevel() throws {
    let step = { (factor: Double, jobs: Int) in
      SyntheticHistory(jobs: 30, seed: 3, steps: [.init(job: 30 - jobs, factor: factor)])
    }
    let worse = try Self.check(step(1.15, 2))
    let newest = try #require(worse.newest)
    #expect(newest.verdict == .regressed && newest.count >= 27)
    #expect(worse.verdict(recent: 10) == .regressed)
    #expect(try Self.check(step(0.85, 2)).newest?.verdict == .improved)
    #expect(try Self.check(step(1, 2)).newest?.verdict != .regressed)
    // A single job is only suspected, and shown as it was measured.
    let one = try Self.check(step(1.3, 1))
    #expect(one.verdict(recent: 10) == .suspected)
    let shown = try #require(one.newest)
    #expect(shown.newCount == 1)
    #expect(abs(shown.after - one.series.value(29)) < 1e-9)
    #expect(abs(shown.effect.size - 100 * (shown.after / shown.before - 1)) < 1e-9)
  }

  /// The change is attributed to a job even if that is one of the last two, where no test of levels
  /// can find it.
  @Test func theFirstWorseJobIsNamed() throws {
    var right = 0
    for seed in UInt64(1)...20 {
      let history = SyntheticHistory(
        jobs: 52, seed: seed, steps: [.init(job: 50, factor: 1.1)], noise: 0.01)
      let check = try Self.check(history)
      #expect(check.verdict(recent: 10) == .regressed)
      guard case .newest(let newest) = check.judgment(recent: 10).reason,
        let first = newest.firsts.first
      else {
        Issue.record("seed \(seed): no job is named")
        continue
      }
      if first.job.commit == history.additions[50].job.commit { right += 1 }
      #expect(newest.firsts.reduce(0) { $0 + $1.probability } < 1.0001)
    }
    #expect(right >= 19, "\(right) of 20")
  }

  /// An accepted change is no longer reported; later ones are.
  @Test func anAcceptedChangeStandsNoLonger() throws {
    let history = SyntheticHistory(
      jobs: 90, seed: 5,
      steps: [.init(job: 30, factor: 1.1), .init(job: 60, factor: 1.1)])
    let store = try TemporaryStore()
    let jobs = try store.store.add(history.additions)
    let check = {
      try #require(HistoryCheck.all(try store.store.values(.init(), last: .max)).first)
    }
    #expect(try check().standing != nil)
    try store.store.accept(
      [jobs[35]], metrics: [], note: "new renderer", on: JobDate(seconds: 0))
    let second = try check()
    #expect(second.standing.map { abs($0.change.position - 60) <= 1 } == true)
    #expect(second.series.accepted?.note == "new renderer")
    try store.store.accept(
      [jobs[62]], metrics: ["p50(frameTime)"], note: nil, on: JobDate(seconds: 0))
    #expect(try check().standing != nil, "it is of another figure")
    try store.store.accept(
      [jobs[62]], metrics: [history.additions[0].runs[0][0].metric], note: nil,
      on: JobDate(seconds: 0))
    let last = try check()
    #expect(last.standing == nil && last.verdict(recent: 10) != .regressed)
    #expect(last.verdict(recent: 40) != .regressed)
  }

  /// A change stands if at least ten jobs are at its level. One with fewer is among the newest, or
  /// comes from a machine that was used for some jobs. A larger change stands as well.
  @Test func aChangeStandsFromTenJobsOn() throws {
    for (jobs, stands) in [(9, false), (10, true), (40, true)] {
      let check = try Self.check(Self.levels([(10, 40), (12, jobs)]))
      #expect((check.standing != nil) == stands, "\(jobs) jobs")
      #expect(check.verdict(recent: 10) == .regressed, "\(jobs) jobs")
    }
    let sizes = try [10.1, 10.2, 10.8, 12, 20].map { level in
      try Self.check(Self.levels([(10, 40), (level, 40)])).standing?.effect.size ?? 0
    }
    #expect(sizes == sizes.sorted() && sizes[0] == 0 && sizes[2] > 0)
  }

  /// A change that was reverted does not stand.
  @Test func whatWasRepairedDoesNotStand() throws {
    let check = try Self.check(Self.levels([(10, 40), (12, 40), (10, 40)]))
    #expect(check.changes.count == 2 && check.standing == nil)
  }

  /// +30 % over 180 jobs, with less from job to job than anybody would act on: it is found, and not
  /// mistaken for an accepted level.
  @Test func aCreepIsFound() throws {
    let values = (0..<180).map { 10 * (1 + 0.3 * Double($0) / 180) }
    let check = try Self.check(values)
    let creep = try #require(check.creep)
    #expect(creep.effect > 20 && check.verdict(recent: 1) == .regressed)
    // A step of that size, made long ago, is a separate level.
    let step = try Self.check(Self.levels([(10, 90), (13, 90)]))
    #expect(step.creep == nil && step.verdict(recent: 10) == .regressed)
    #expect(step.standing?.change.position == 90)
  }

  /// Another machine changes the level like a change of the program, unless jobs name theirs.
  @Test(arguments: [nil, "Pixel 8"] as [String?])
  func aChangeOnAnUnknownMachineIsSaidToBeOne(_ device: String?) throws {
    for factor in [1.2, 1] {
      let history = SyntheticHistory(jobs: 40, seed: 4, steps: [.init(job: 34, factor: factor)])
      let store = try TemporaryStore()
      try store.store.add(
        history.additions.map { addition in
          var addition = addition
          addition.job.device = device
          return addition
        })
      let checks = HistoryCheck.all(try store.store.values(.init(), last: .max))
      let report = HistoryReport(checks: checks, recent: 10, listsAll: true, of: "s")
      let isSaid = device == nil && factor > 1
      for format in [OutputFormat.text, .json] {
        #expect(Writers.write(report, as: format).contains("another machine") == isSaid)
      }
    }
  }

  @Test func aNewLevelWithFewJobsTellsNothingOfTheNewest() throws {
    let check = try Self.check(
      SyntheticHistory(jobs: 40, seed: 4, steps: [.init(job: 36, factor: 1.2)]))
    #expect(check.changes.map(\.position) == [36])
    #expect(check.newest == nil && check.verdict(recent: 10) == .regressed)
  }

  @Test func changesTooSmallToActOnAreLeftOut() throws {
    // 2 % is far outside the noise, but less than anybody would act on.
    let check = try Self.check(
      SyntheticHistory(jobs: 120, seed: 8, steps: [.init(job: 60, factor: 1.02)], noise: 0.002))
    #expect(check.changes.isEmpty)
    #expect(
      ChangePoints(check.series.scaled, seed: 1).positions.contains { abs($0 - 60) <= 1 })
  }

  @Test func ofRatesMoreIsBetter() throws {
    let history = SyntheticHistory(
      jobs: 60, seed: 11, steps: [.init(job: 30, factor: 0.8)],
      metrics: [("averageFrameRate", 60)])
    let check = try Self.check(history)
    #expect(check.changes.map(\.isWorse) == [true])
    #expect(HistoryMetric("p50(animationError)", unit: "ms").higherIsWorse == nil)
  }

  /// The check of a series with these values, one per job.
  private static func check(
    _ values: [Double], metric: String = "p95(frameTime)"
  ) throws -> HistoryCheck {
    let store = try TemporaryStore()
    try store.store.add(
      values.enumerated().map { position, value in
        var random = SplitMix64(seed: UInt64(position))
        let noise = 1 + 0.004 * Double.random(in: -1...1, using: &random)
        let job = HistoryJob(date: JobDate(seconds: Int64(position) * 86400), scene: "s")
        let run = [HistoryValue(metric: metric, unit: "ms", value: value * noise, n: 9)]
        return HistoryStore.Addition(job: job, runs: [run])
      })
    return try #require(HistoryCheck.all(store.store.values(.init(), last: .max)).first)
  }

  private static func levels(_ levels: [(Double, Int)]) -> [Double] {
    levels.flatMap { Array(repeating: $0.0, count: $0.1) }
  }

  @Test func aLevelThatIsBackIsNoRegression() throws {
    let check = try Self.check(Self.levels([(10, 40), (14, 8), (10, 8)]))
    #expect(check.changes.map(\.isWorse) == [true, false])
    let judgment = check.judgment(recent: 20)
    #expect(judgment.verdict == .noChange)
    guard case .recovered = judgment.reason else { return #expect(Bool(false)) }
    // Half of the way back is still a regression.
    let half = try Self.check(Self.levels([(10, 40), (14, 8), (12, 8)]))
    #expect(half.verdict(recent: 20) == .regressed)
  }

  @Test func anEffectLiesInItsInterval() throws {
    for levels in [[(10, 40), (14, 4), (12, 5)], [(10.0, 40), (12.0, 5), (10.0, 3)]] {
      for change in try Self.check(Self.levels(levels)).changes {
        #expect(change.effect.interval.contains(change.effect.size))
      }
    }
  }

  @Test func anImprovementHasTheProbabilityOfAnImprovement() throws {
    let newest = try #require(Self.check(Self.levels([(10, 40), (8, 2)])).newest)
    #expect(newest.verdict == .improved && newest.p < 0.001)
  }

  @Test func whereNeitherWayIsBetterNothingIsJudged() throws {
    let check = try Self.check(Self.levels([(10, 40), (14, 9)]), metric: "p50(cpuWait)")
    #expect(check.verdict(recent: 10) == .noChange && check.changes.map(\.isWorse) == [nil])
  }

  @Test func nothingButZerosIsNoChange() throws {
    #expect(try Self.check(Array(repeating: 0, count: 40)).verdict(recent: 10) == .noChange)
  }

  @Test func fewJobsHaveNoChanges() throws {
    let check = try Self.check(
      SyntheticHistory(jobs: 11, seed: 1, steps: [.init(job: 5, factor: 2)]))
    #expect(check.changes.isEmpty)
  }

  @Test func theSameHistoryGivesTheSameAnswer() throws {
    let history = SyntheticHistory(jobs: 80, seed: 21, steps: [.init(job: 40, factor: 1.05)])
    let reports = try (0..<2).map { _ in
      Writers.write(
        HistoryReport(checks: [try Self.check(history)], recent: 10, listsAll: true, of: "s"),
        as: OutputFormat.json)
    }
    #expect(reports[0] == reports[1])
  }
}
