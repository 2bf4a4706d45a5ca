import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReport
@testable import FrameStatistics
@testable import FrameTrace
@testable import FrameVerdicts

/// Launches with their phases, waits, inversions and functions.
@Suite struct LaunchTests {
  private static func scenario(_ name: String, seed: UInt64 = 1) throws -> Scenario.Outcome {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    return scenario.play(.init(seed: seed, frames: scenario.frames))
  }

  @Test(
    arguments: ["launches", "star-searcher-before", "star-searcher-after"], [1, 2, 99] as [UInt64])
  func theTruthComesThroughTheNativeFormat(_ name: String, _ seed: UInt64) throws {
    let outcome = try Self.scenario(name, seed: seed)
    let trace = try Importers.read(InputFile(bytes: NativeEncoder().encode(outcome.trace)))
    let launches = RebuiltLaunch.all(trace)
    #expect(launches.count == outcome.launches.count)
    for (launch, truth) in zip(launches, outcome.launches) {
      #expect(launch.kind.map { "\($0)" } == truth.kind)
      #expect(launch.total?.milliseconds == truth.milliseconds)
      #expect(launch.isMeasurement == truth.isMeasurement)
      #expect(launch.isProfiled == truth.isProfiled)
      #expect(launch.phases.map { "\($0.name)" } == truth.phases.map(\.name))
      for (phase, truth) in zip(launch.phases, truth.phases) {
        #expect(phase.wall.milliseconds == truth.wall)
        #expect(phase.cpu?.milliseconds == truth.cpu)
        #expect((phase.times == nil) == truth.states.isEmpty)
        guard let times = phase.times else { continue }
        let states = [
          ("running", times.running), ("runnable", times.runnable),
          ("preempted", times.preempted), ("blocked", times.blocked),
        ]
        for (state, time) in states { #expect(time.milliseconds == truth.states[state] ?? 0) }
        #expect(times.unknown == 0 && times.total == phase.wall)
      }
    }
  }

  /// The figures from Apple's "Optimizing App Launch", WWDC 2019.
  @Test func theTalksFiguresComeOut() throws {
    let analysis = LaunchAnalysis([try Self.scenario("star-searcher-before").trace])
    let launch = try #require(analysis.reported.first)
    #expect(launch.isProfiled && !launch.isMeasurement)
    let phases = launch.phases.map { ($0.name, $0.wall.milliseconds, $0.cpu?.milliseconds) }
    #expect(phases.map(\.0) == Array(PhaseColumn.Name.allCases.dropLast()))
    #expect(phases.map(\.1) == [149, 375, 28, 791, 951])
    #expect(phases[0].2 == 6)
    let calls = launch.phases.map { $0.calls.first }
    #expect(calls[1]?.function == "+[SLSuperfastLogger load]" && calls[1]?.cpu == 370_000_000)
    #expect(calls[4]?.function == "StarDetailViewController.init")
    #expect(calls[4]?.cpu == 882_000_000)
    let wait = try #require(launch.phases[3].waits.first)
    #expect(wait.length == 754_000_000 && wait.unblockedBy?.words == "StarDataProvider 0x12253")
    let inversion = try #require(launch.inversions.first)
    #expect(launch.inversions.count == 1 && inversion.length == 754_000_000)
    #expect((inversion.waiterPriority, inversion.holderPriority) == (47, 4))
    let questions = launch.findings.prefix(3)
    #expect(questions.map(\.question) == [.minimize, .prioritize, .minimize])
    #expect(questions.map(\.cost) == [882_000_000, 754_000_000, 370_000_000])
  }

  @Test func theTalksChangeIsAnImprovement() throws {
    let sides = try ["before", "after"].map {
      try RunTimes.of(Study(of: Self.scenario("star-searcher-\($0)").trace)).summary
    }
    var options = ComparisonOptions()
    options.kind = .launch
    let comparison = try Comparison([sides[0]], [sides[1]], options: options)
    let metric = try #require(comparison.metrics.first)
    #expect(comparison.overall == .improved && metric.name == "p50(warmLaunchTime)")
    #expect(abs(metric.before - 2500) < 50 && abs(metric.after - 307) < 6)
    let after = LaunchAnalysis([try Self.scenario("star-searcher-after").trace])
    #expect(after.reported.first?.inversions == [])
    #expect(after.groups[0].overGoal == 0)
    // The extended phase comes after the first frame, and does not count before it.
    #expect(after.reported.first?.phases.last?.name == .extended)
    #expect(after.reported.first?.total == Nanoseconds(309_000_000))
    #expect(after.reported.first?.finished != nil)
  }

  @Test func coldAndWarmAreToldApartAndResumesKeptOut() throws {
    let analysis = LaunchAnalysis([try Self.scenario("launches").trace])
    #expect(analysis.groups.map { $0.key.kind } == [.warm, .cold])
    #expect(analysis.groups.map(\.total.n) == [4, 2])
    #expect(analysis.excluded.map(\.why) == [.resume, .throwaway])
    for group in analysis.groups {
      let shares = group.launches.compactMap { LaunchShares($0) }
      #expect(shares.allSatisfy { $0.rest.count == 0 })
      for (launch, share) in zip(group.launches, shares) {
        #expect(launch.total == share.system + share.app)
      }
    }
  }

  @Test func whatALaunchIsMeasuredToIsStated() throws {
    let trace = try Self.read(
      """
      {"type": "launch", "id": 1, "started": 0, "exited": 30, "until": "exited"}
      {"type": "launch", "id": 2, "started": 100, "exited": 130, "marked": 120, "until": "marked"}
      {"type": "launch", "id": 3, "started": 200, "exited": 230}
      """)
    let launches = RebuiltLaunch.all(trace)
    #expect(launches.map { $0.total?.milliseconds } == [30, 20, nil])
    #expect(launches.map(\.whyNoMeasurement) == [nil, nil, .unfinished])
    #expect(LaunchAnalysis([trace]).groups.map { $0.key.until } == [.exited, .marked])
  }

  @Test func timesOfDifferentMeasuresAndProcessesStayApart() throws {
    let trace = try Self.read(
      """
      {"type": "launch", "id": 1, "process": "A", "kind": "warm", "started": 0, "firstFrame": 100}
      {"type": "launch", "id": 2, "process": "B", "kind": "warm", "started": 200, "firstFrame": 900}
      {"type": "launch", "id": 3, "process": "A", "kind": "warm", "tapped": 990, "started": 1000, "firstFrame": 1100}
      {"type": "launch", "id": 4, "process": "A", "kind": "warm", "started": 2000, "marked": 2100, "until": "marked"}
      """)
    let names = LaunchAnalysis([trace]).groups.map { $0.key.measure.name }
    #expect(
      names == [
        "warmLaunchTimeFromProcess", "warmLaunchTimeFromProcess", "warmLaunchTime",
        "warmLaunchTimeToMarker",
      ])
    let launches = RebuiltLaunch.all(trace)
    #expect(LaunchTimes(launches).times.count == 3 && LaunchTimes(launches).process == "A")
    #expect(LaunchTimes(launches, of: "B").times.map(\.time) == [700_000_000])
    for measure in LaunchMeasure.all { #expect(LaunchMeasure(named: measure.name) == measure) }
    #expect(Set(LaunchMeasure.all.map(\.name)).count == LaunchMeasure.all.count)
  }

  // MARK: inversions

  private static func read(_ records: String) throws -> Trace {
    try TestData.read(
      text: "{\"schema\": \"frametool.trace/1\", \"unit\": \"ms\"}\n\(records)", path: "test")
  }

  /// A launch of 100 ms whose main thread waits from 10 to 90 ms for thread 2.
  private static func inversions(_ states: String) throws -> [PriorityInversion] {
    let trace = try read(
      """
      {"type": "launch", "id": 1, "started": 0, "firstFrame": 100}
      {"type": "thread", "id": 1, "main": true, "name": "main"}
      {"type": "threadState", "thread": 1, "start": 0, "end": 10, "state": "running", "priority": 47}
      {"type": "threadState", "thread": 1, "start": 10, "end": 90, "state": "blocked", "unblockedBy": 2}
      {"type": "threadState", "thread": 1, "start": 90, "end": 100, "state": "running", "priority": 47}
      \(states)
      """)
    #expect(trace.issues == [])
    return RebuiltLaunch.all(trace)[0].inversions
  }

  private static func state(
    _ thread: Int, _ start: Int, _ end: Int, _ state: String, priority: Int, by other: Int? = nil
  ) -> String {
    let unblocked = other.map { ", \"unblockedBy\": \($0)" } ?? ""
    return
      "{\"type\": \"threadState\", \"thread\": \(thread), \"start\": \(start), \"end\": \(end), \"state\": \"\(state)\", \"priority\": \(priority)\(unblocked)}"
  }

  @Test func onlyTimeAtLowerPriorityIsAnInversion() throws {
    // The holder is raised to the waiter's priority after 30 ms.
    let found = try Self.inversions(
      [
        Self.state(2, 0, 20, "running", priority: 4),
        Self.state(2, 20, 40, "preempted", priority: 4),
        Self.state(2, 40, 95, "running", priority: 47),
      ].joined(separator: "\n"))
    #expect(found.map(\.length) == [30_000_000])
    #expect(found.map(\.starved) == [20_000_000])
    #expect(found.map(\.count) == [1])
    #expect(found.first?.start == Timestamp(nanoseconds: 10_000_000))
  }

  @Test func aHolderThatWaitsItselfIsFollowed() throws {
    let found = try Self.inversions(
      [
        Self.state(2, 0, 60, "blocked", priority: 31, by: 3),
        Self.state(2, 60, 95, "running", priority: 31),
        Self.state(3, 0, 60, "runnable", priority: 4),
      ].joined(separator: "\n"))
    #expect(found.map { $0.holder.identifier } == [3, 2])
    #expect(found.map(\.length) == [50_000_000, 30_000_000])
    #expect(found.map(\.holderPriority) == [4, 31])
  }

  @Test func threadsThatWaitForEachOtherEndTheSearch() throws {
    let found = try Self.inversions(
      [
        Self.state(2, 0, 95, "blocked", priority: 4, by: 3),
        Self.state(3, 0, 95, "blocked", priority: 4, by: 2),
      ].joined(separator: "\n"))
    #expect(found == [])
  }

  @Test func aHolderOfWhichNothingIsKnownIsNotAccused() throws {
    #expect(try Self.inversions("") == [])
    #expect(try Self.inversions(Self.state(2, 0, 95, "running", priority: 47)) == [])
  }

  @Test func aHolderThatIsHeldUpTwiceIsOneWait() throws {
    let found = try Self.inversions(
      [
        Self.state(2, 0, 30, "blocked", priority: 47, by: 3),
        Self.state(2, 30, 50, "running", priority: 47),
        Self.state(2, 50, 90, "blocked", priority: 47, by: 3),
        Self.state(3, 0, 90, "running", priority: 4),
      ].joined(separator: "\n"))
    #expect(found.map(\.length) == [60_000_000] && found.map(\.count) == [1])
  }

  /// A wait of 5 ms in one phase that continues for 90 ms in the next.
  @Test func aWaitAcrossPhasesIsDividedAmongThem() throws {
    let trace = try Self.read(
      """
      {"type": "launch", "id": 1, "started": 0, "firstFrame": 110}
      {"type": "phase", "launch": 1, "name": "applicationInitialization", "start": 0, "end": 10}
      {"type": "phase", "launch": 1, "name": "firstFrame", "start": 10, "end": 110}
      {"type": "thread", "id": 1, "main": true}
      \(Self.state(1, 0, 5, "running", priority: 47))
      \(Self.state(1, 5, 100, "blocked", priority: 47, by: 2))
      \(Self.state(1, 100, 110, "running", priority: 47))
      \(Self.state(2, 0, 110, "running", priority: 4))
      """)
    let findings = RebuiltLaunch.all(trace)[0].findings.filter { $0.question != .optimize }
    #expect(findings.map(\.question) == [.prioritize, .prioritize])
    #expect(findings.map(\.cost) == [90_000_000, 5_000_000])
    #expect(findings.map(\.phase) == [.firstFrame, .applicationInitialization])
  }

  @Test func nothingBeforeTheLaunchIsAnInversionOfIt() throws {
    let trace = try Self.read(
      """
      {"type": "launch", "id": 1, "started": 1000, "firstFrame": 1100}
      {"type": "phase", "launch": 1, "name": "systemInterface", "start": 0, "end": 1000}
      {"type": "thread", "id": 1, "main": true}
      \(Self.state(1, 0, 900, "blocked", priority: 47, by: 2))
      \(Self.state(2, 0, 900, "running", priority: 4))
      """)
    #expect(RebuiltLaunch.all(trace)[0].inversions == [])
  }

  @Test func phasesOfLaunchesWithOneNameBelongToTheOneTheyAreIn() throws {
    let trace = try Self.read(
      """
      {"type": "launch", "id": 1, "started": 0, "firstFrame": 100}
      {"type": "launch", "id": 1, "started": 1000, "firstFrame": 1200}
      {"type": "phase", "launch": 1, "name": "firstFrame", "start": 1000, "end": 1200}
      """)
    #expect(RebuiltLaunch.all(trace).map(\.phases.count) == [0, 1])
  }

  /// Times as large as the format allows: figures may be missing, but nothing traps.
  @Test(arguments: [
    "{\"type\": \"phase\", \"launch\": 1, \"name\": \"firstFrame\", \"start\": 0, \"end\": 1000000000000000000}",
    "{\"type\": \"call\", \"thread\": 1, \"start\": 0, \"end\": 1000, \"function\": \"f\", \"cpu\": 2305843009213693951}",
    "{\"type\": \"phase\", \"launch\": 1, \"name\": \"firstFrame\", \"start\": 5, \"end\": 9, \"cpu\": 2305843009213693951}",
    "{\"type\": \"phase\", \"launch\": 1, \"name\": \"firstFrame\", \"start\": -2305843009213693951, \"end\": 2305843009213693951}",
  ])
  func absurdTimesAreSurvived(_ record: String) throws {
    let records = Array(repeating: record, count: 5).joined(separator: "\n")
    let trace = try TestData.read(
      text: """
        {"schema": "frametool.trace/1", "unit": "ns"}
        {"type": "launch", "id": 1, "started": 0, "firstFrame": 1000000000, "cpu": -5, "bytesRead": -1}
        {"type": "phase", "launch": 1, "name": "firstFrame", "start": 0, "end": 1000000000}
        {"type": "thread", "id": 1, "main": true}
        {"type": "threadState", "thread": 1, "start": 5, "end": 6, "state": "running"}
        \(records)
        """, path: "test")
    let analysis = LaunchAnalysis([trace])
    for format in OutputFormat.allCases {
      #expect(!Writers.write(analysis, as: format).isEmpty)
    }
    #expect(analysis.all[0].cpu == nil && analysis.all[0].bytesRead == nil)
  }

  // MARK: functions

  private static func calls(_ records: String) throws -> [CallTime] {
    let trace = try read(
      """
      {"type": "launch", "id": 1, "started": 0, "firstFrame": 100}
      {"type": "phase", "launch": 1, "name": "firstFrame", "start": 0, "end": 100}
      {"type": "thread", "id": 1, "main": true}
      \(records)
      """)
    return try #require(RebuiltLaunch.all(trace)[0].phases.first).calls
  }

  @Test func aFunctionThatOnlyCallsAnotherIsLeftOut() throws {
    let found = try Self.calls(
      """
      {"type": "call", "thread": 1, "start": 0, "end": 100, "function": "main"}
      {"type": "call", "thread": 1, "start": 1, "end": 95, "function": "draw"}
      {"type": "call", "thread": 1, "start": 10, "end": 40, "function": "rows"}
      {"type": "call", "thread": 1, "start": 50, "end": 80, "function": "rows"}
      """)
    #expect(found.map(\.function) == ["draw", "rows"])
    #expect(found.map(\.wall) == [94_000_000, 60_000_000])
    #expect(found.map(\.count) == [1, 2])
  }

  @Test func recursionCountsOnceAndPartsBeyondThePhaseDoNot() throws {
    let found = try Self.calls(
      """
      {"type": "call", "thread": 1, "start": 60, "end": 160, "cpu": 50, "function": "f"}
      {"type": "call", "thread": 1, "start": 70, "end": 120, "cpu": 20, "function": "f"}
      """)
    #expect(found.map(\.wall) == [40_000_000])
    #expect(found.map(\.cpu) == [20_000_000])
    #expect(found.map(\.count) == [1])
  }

  @Test func callsThatOverlapWithoutNestingCountOnce() throws {
    let found = try Self.calls(
      """
      {"type": "call", "thread": 1, "start": 0, "end": 10, "function": "f"}
      {"type": "call", "thread": 1, "start": 5, "end": 90, "function": "g"}
      {"type": "call", "thread": 1, "start": 20, "end": 80, "function": "f"}
      """)
    #expect(found.map(\.function) == ["g", "f"])
    #expect(found.map(\.wall) == [85_000_000, 70_000_000] && found.map(\.count) == [1, 2])
  }

  @Test func whatIsLeftOfAPhaseCountsNestedFunctionsOnce() throws {
    let trace = try Self.read(
      """
      {"type": "launch", "id": 1, "started": 0, "firstFrame": 200}
      {"type": "phase", "launch": 1, "name": "firstFrame", "start": 0, "end": 200, "cpu": 200}
      {"type": "thread", "id": 1, "main": true}
      {"type": "call", "thread": 1, "start": 0, "end": 100, "cpu": 100, "function": "outer"}
      {"type": "call", "thread": 1, "start": 20, "end": 80, "cpu": 60, "function": "inner"}
      """)
    let findings = RebuiltLaunch.all(trace)[0].findings
    #expect(findings.first { $0.question == .optimize }?.cost == 100_000_000)
  }

  @Test func whereOwnFunctionsAreKnownOnlyTheyCount() throws {
    let found = try Self.calls(
      """
      {"type": "call", "thread": 1, "start": 0, "end": 100, "function": "system", "own": false}
      {"type": "call", "thread": 1, "start": 10, "end": 60, "function": "ours", "own": true}
      {"type": "call", "thread": 1, "start": 20, "end": 59, "function": "inner", "own": false}
      """)
    #expect(found.map(\.function) == ["ours"])
  }

  @Test func ofSeveralMainThreadsTheOneThatLivesInTheLaunchIsMeant() throws {
    let records = """
      {"type": "launch", "id": 1, "process": "a", "started": 0, "firstFrame": 100}
      {"type": "launch", "id": 2, "process": "a", "started": 200, "firstFrame": 300}
      {"type": "thread", "id": 1, "main": true, "process": "a"}
      {"type": "thread", "id": 2, "main": true, "process": "a"}
      {"type": "thread", "id": 3, "main": true, "process": "b"}
      \(Self.state(1, 0, 100, "running", priority: 1))
      \(Self.state(2, 200, 300, "running", priority: 1))
      \(Self.state(3, 0, 300, "running", priority: 1))
      """
    let launches = RebuiltLaunch.all(try Self.read(records))
    #expect(launches.map { $0.mainThread?.identifier } == [1, 2])
    let both = records + "\n" + Self.state(2, 0, 50, "running", priority: 1)
    #expect(RebuiltLaunch.all(try Self.read(both))[0].mainThread == nil)
  }
}
