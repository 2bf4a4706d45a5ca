import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameTrace
@testable import FrameVerdicts

/// Published rules on small traces with known answers.
struct JankRuleTests {
  private static let interval: Int64 = 16_666_667

  /// Frames that an app draws at every refresh, with one that takes longer.
  private static func trace(late: Int?, by extra: Int64 = 20_000_000) -> Trace {
    let units = (0..<40).map { index in
      AppWork(
        at: Int64(index) + 1, app: 5_000_000 + (index == late ? extra : 0), compositor: 3_000_000,
        gpu: 3_000_000)
    }
    var work = SurfaceWork(units)
    work.isFilledByApp = true
    let display = SimulatedDisplay(interval: interval)
    let frames = PipelineSimulation.play([work], on: display)
    return SimulationTrace.make([work], frames, on: display, named: "rule")
  }

  private static func rows(_ rule: JankRule, _ trace: Trace) -> [Int] {
    rule.output(Study(of: trace), trace: "a").findings.compactMap(\.frame)
  }

  @Test func noRuleFindsAnythingInASteadyTrace() {
    let trace = Self.trace(late: nil)
    for rule in JankRules.all {
      #expect(rule.output(Study(of: trace), trace: "a").findings.isEmpty, "\(rule.name)")
    }
  }

  /// A frame of 25 ms at 60 Hz misses one refresh: who compares with a refresh sees it, and who waits for twice as
  /// much does not.
  @Test func aFrameThatMissesARefresh() {
    let trace = Self.trace(late: 20)
    #expect(Self.rows(.surfaceFlinger, trace) == [20])
    #expect(Self.rows(.hwui, trace) == [20])
    #expect(Self.rows(.jankStats, trace) == [])
    #expect(Self.rows(.jankStats, Self.trace(late: 20, by: 29_000_000)) == [20])
    #expect(Self.rows(.chromiumJank, trace) == [20])
    #expect(Self.rows(.sentrySlow, trace) == [20])
    #expect(Self.rows(.median, trace) == [20])
    #expect(Self.rows(.perfDogJank, trace) == [])
    let hitch = JankRule.appleHitch.output(Study(of: trace), trace: "a").findings
    #expect(hitch.count == 1 && hitch[0].count == 1 && hitch[0].stage == .app)
    let dropped = JankRule.chromiumDropped.output(Study(of: trace), trace: "a").findings
    #expect(dropped.map(\.refresh) == hitch.map(\.refresh))
    let repeated = JankRule.repeated.output(Study(of: trace), trace: "a").findings
    #expect(repeated.map(\.refresh) == hitch.map(\.refresh))
  }

  /// PerfDog asks for more than two and three frames of a movie, 83.3 and 125 ms.
  @Test func longFreezesAreJanks() {
    let (short, long) = (
      Self.trace(late: 20, by: 75_000_000), Self.trace(late: 20, by: 120_000_000)
    )
    #expect(Self.rows(.perfDogJank, short) == [20])
    #expect(Self.rows(.perfDogBigJank, short) == [])
    #expect(Self.rows(.perfDogBigJank, long) == [20])
    #expect(Self.rows(.capFrameXStutter, long).contains(20))
  }

  /// SurfaceFlinger's verdicts: the late frame missed the app's deadline, and those behind it are in time again.
  @Test func verdictsOfTheFrameTimeline() {
    let trace = Self.trace(late: 20)
    let verdicts = FrameTimelineRule(Study(of: trace), surface: 0).verdicts
    #expect(verdicts.count == 40 - (trace.surfaces[0].frames.count < 40 ? 1 : 0))
    let late = verdicts.filter { $0.surfaceJank != .onTime }
    #expect(late.map(\.row) == [20])
    #expect(late.map(\.surfaceJank) == [.appDeadlineMissed])
    #expect(verdicts.allSatisfy { $0.present >= $0.end && $0.end >= $0.start })
  }

  @Test func everyRuleIsDescribed() {
    let names = JankRules.all.map(\.name)
    #expect(Set(names).count == names.count)
    let families = Set(JankFamily.allCases.map(\.rawValue))
    for rule in JankRules.all {
      #expect(!rule.source.isEmpty && !rule.formula.isEmpty)
      #expect(families.isSuperset(of: rule.notMeant.keys), "\(rule.name)")
    }
  }
}
