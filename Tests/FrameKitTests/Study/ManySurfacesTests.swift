import Fixtures
import FrameReport
import Testing

@testable import FrameAnalysis
@testable import FrameTrace

/// More surfaces than are studied.
@Suite struct ManySurfacesTests {
  @Test(arguments: 0..<20)
  func theLargestAreStudiedAndTheOthersCounted(_ seed: UInt64) {
    let trace = AnyTrace.make(seed: seed)
    let all = trace.surfaces.count
    for most in 1...all {
      let study = Study(of: trace, most: most)
      let analysis = TraceAnalysis(of: study)
      #expect(study.leftOut == all - most && analysis.surfaces.count == most)
      #expect(analysis.violations.isEmpty, "seed \(seed): \(analysis.violations)")
      let largest = trace.surfaces.map(\.frames.count).sorted(by: >).prefix(most)
      #expect(study.trace.surfaces.map(\.frames.count).sorted(by: >) == Array(largest))
      let text = Writers.write([analysis], as: OutputFormat.text)
      #expect(text.contains("more surface") == (most < all))
      #expect(
        Writers.write([analysis], as: OutputFormat.json).contains(
          "\"surfaces_left_out\": \(all - most)")
          == (most < all))
    }
  }

  /// Records of a surface that is left out go with its frames.
  @Test(arguments: ["two-surfaces", "metal-layer", "layer-app-overrun", "mask-passes"])
  func whatRefersToTheOthersIsLeftOut(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let trace = scenario.play(Scenario.Options(frames: 40)).trace
    for kept in trace.surfaces.indices {
      let part = trace.keeping([kept])
      #expect(part.surfaces[kept].frames.count == trace.surfaces[kept].frames.count)
      for row in 0..<part.touches.count {
        #expect(part.touches[row, .surface].map { $0 == Int64(kept) } ?? true)
      }
      #expect(TraceAnalysis(of: part).violations.isEmpty)
    }
  }
}
