import Testing

@testable import FrameStatistics
@testable import FrameVerdicts

/// Each figure over several runs of one side.
@Suite struct RunsOfOneSideTests {
  private static func figure(_ values: [Double]) -> RunsOfOneSide.Figure {
    RunsOfOneSide.Figure(name: "averageFrameRate", unit: "fps", values: values)
  }

  @Test("the bounds of a mean are those of Student's t, from its table: 2.920 for two degrees")
  func bounds() throws {
    let figure = Self.figure([59, 60, 61])
    let interval = try #require(figure.interval)
    #expect(figure.mean == 60)
    #expect(figure.deviation == 1)
    #expect(abs(interval.upperBound - (60 + 2.920 / 3.0.squareRoot())) < 1e-3)
    #expect(abs(interval.lowerBound - (60 - 2.920 / 3.0.squareRoot())) < 1e-3)
  }

  @Test func oneRunAndEqualRunsShowNoNoise() {
    #expect(Self.figure([60]).interval == nil)
    #expect(Self.figure([60]).deviation == nil)
    #expect(Self.figure([60, 60, 60]).interval == nil)
    #expect(Self.figure([60, 60, 60.01]).interval != nil)
  }

  @Test func aShareIsNeverBelowNothing() {
    #expect(Self.figure([0, 0, 3]).interval?.lowerBound == 0)
  }

  /// The mean frame time is that of the comparison of the runs, which each have it once.
  @Test func figuresAreThoseOfTheRuns() throws {
    let runs = ComparisonTests.side("a", [10, 10.4, 10.9], seed: 3)
    let side = try RunsOfOneSide(runs)
    let mean = try #require(side.figures.first { $0.name == "mean(frameTime)" })
    #expect(mean.values.count == 3)
    for (run, value) in zip(runs, mean.values) { #expect(abs(run.value(.mean) - value) < 1e-9) }
    let fewer = try RunsOfOneSide(Array(runs.prefix(2)))
    #expect(fewer.figures.map(\.name) == side.figures.map(\.name))
  }

  @Test func aRunGivenTwiceIsRefused() {
    let runs = ComparisonTests.side("a", [10, 10.4], seed: 3)
    #expect(throws: ComparisonRefusal.self) { try RunsOfOneSide(runs + [runs[0]]) }
    #expect(throws: ComparisonRefusal.self) { try RunsOfOneSide([]) }
  }
}
