import Foundation
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameTrace

/// Asking for fewer metrics never changes the answers.
@Suite struct MetricSelectionTests {
  private static func expectSameAlone(_ path: String) throws {
    let whole = TraceAnalysis(of: try TestData.read(path))
    for name in Metrics.all.map(\.name) {
      let selection = try #require(MetricSelection([name]))
      let trace = try Importers.read(InputFile(path: path), demand: selection.demand)
      let part = TraceAnalysis(of: trace, metrics: selection)
      #expect(part.surfaces.map(\.outcomes) == whole.surfaces.map(\.outcomes))
      let results = whole.surfaces.map { $0[name] }
      #expect(part.surfaces.map { $0[name] } == results, "\(name) of \(path)")
    }
  }

  @Test func aMetricAloneOfTheSampleIsWhatItIsAmongAll() throws {
    try Self.expectSameAlone(TestData.root.appending(path: "Samples/game.csv").path)
  }

  @Test(
    .enabled(if: TestData.isPresent, Comment(rawValue: TestData.absence)),
    arguments: TestData.files(in: "presentmon"))
  func aMetricAloneIsWhatItIsAmongAll(_ path: String) throws {
    if path.hasSuffix(".csv") { try Self.expectSameAlone(path) }
  }

  @Test func anUnknownNameMakesNoSelection() {
    #expect(MetricSelection(["frameTime", "frametime"]) == nil)
    #expect(MetricSelection(["frameTime"])?.isAll == false)
  }
}
