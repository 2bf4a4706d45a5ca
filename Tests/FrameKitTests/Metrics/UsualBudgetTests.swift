import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReport
@testable import FrameTrace

/// A chain whose usual work exceeds its budget is reported as soon as frames were late.
@Suite("Over budget at usual times")
struct UsualBudgetTests {
  private static func analysis(
    _ stages: [Double], buffers: Int = 3, isLowLatency: Bool = true, late: Bool = true
  ) -> TraceAnalysis {
    var units = PipelineScenario.steady(
      120, app: stages[0], compositor: stages[1], gpu: stages[2])
    if late { units[50].app = PipelineScenario.share(2.2) }
    var scenario = PipelineScenario("budget", units)
    scenario.isLowLatency = isLowLatency
    scenario.surfaces[0].buffers = buffers
    scenario.recorder.commits = true
    return TraceAnalysis(of: scenario.play().trace)
  }

  private static func line(_ analysis: TraceAnalysis) -> String? {
    FindingLines(analysis.surfaces[0], of: analysis)[.usualBudget]
  }

  @Test("in low-latency mode all stages share an interval")
  func lowLatency() throws {
    let analysis = Self.analysis([0.5, 0.35, 0.4])
    let budget = try #require(analysis.surfaces[0].usualBudget)
    #expect(budget.stages == [.app, .compositor, .gpu])
    #expect(abs(budget.used.ratio(to: budget.budget) - 1.25) < 0.001)
    let line = try #require(Self.line(analysis))
    #expect(line.hasPrefix("over budget even at usual stage times (20.8 of 16.7 ms"))
    #expect(line.hasSuffix("so each late frame costs more"))
    #expect(Self.line(Self.analysis([0.5, 0.25, 0.24])) == nil)
    #expect(Self.line(Self.analysis([0.5, 0.25, 0.24], late: false)) == nil)
  }

  @Test("with two buffers compositor and GPU share an interval")
  func twoBuffers() throws {
    let analysis = Self.analysis([0.5, 0.6, 0.6], buffers: 2, isLowLatency: false)
    let budget = try #require(analysis.surfaces[0].usualBudget)
    #expect(budget.stages == [.compositor, .gpu])
    #expect(Self.line(Self.analysis([0.5, 0.45, 0.5], buffers: 2, isLowLatency: false)) == nil)
    #expect(Self.line(Self.analysis([0.5, 0.6, 0.6], isLowLatency: false)) == nil)
  }
}
