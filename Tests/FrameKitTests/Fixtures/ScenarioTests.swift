import Fixtures
import Testing

@testable import FrameKit

/// Scenario → encode → import → analyse equals what the scenario declares.
@Suite struct ScenarioTests {
  static let pairs = Scenarios.all.flatMap { scenario in
    Encoders.all.map { (scenario.name, $0.name) }
  }

  static func scenario(_ name: String) throws -> Scenario {
    try #require(Scenarios.all.first { $0.name == name })
  }

  @Test(arguments: pairs)
  func theTruthComesOutOfEveryFormat(_ name: String, _ encoding: String) throws {
    let scenario = try Self.scenario(name)
    let encoder = try #require(Encoders.all.first { $0.name == encoding })
    for seed in [1, 2, 99] as [UInt64] {
      let outcome = scenario.play(.init(seed: seed, frames: scenario.frames))
      let trace = try Importers.read(InputFile(bytes: encoder.encode(outcome.trace)))
      #expect(trace.provenance.importer == encoder.importer)
      try check(TraceAnalysis(of: trace), outcome.truth, leavingOut: encoder.cannotCarry)
    }
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func theTruthHoldsForAnyNumberOfFrames(_ name: String) throws {
    let scenario = try Self.scenario(name)
    for frames in [19, 39, 150, 461] {
      let outcome = scenario.play(.init(frames: frames))
      try check(TraceAnalysis(of: outcome.trace), outcome.truth, leavingOut: [])
    }
  }

  @Test(arguments: pairs)
  func theSameSeedGivesTheSameBytes(_ name: String, _ encoding: String) throws {
    let scenario = try Self.scenario(name)
    let encoder = try #require(Encoders.all.first { $0.name == encoding })
    let options = Scenario.Options(seed: 5, frames: 100)
    #expect(
      encoder.encode(scenario.play(options).trace) == encoder.encode(scenario.play(options).trace))
  }

  @Test func namesAreUniqueAndDescribed() {
    #expect(Set(Scenarios.all.map(\.name)).count == Scenarios.all.count)
    #expect(Scenarios.all.allSatisfy { $0.summary.hasSuffix(".") })
    #expect(Set(Encoders.all.map(\.name)).count == Encoders.all.count)
    let importers = Set(Importers.formats.map(\.name))
    #expect(Encoders.all.allSatisfy { importers.contains($0.importer) })
  }

  private func check(
    _ analysis: TraceAnalysis, _ truth: ScenarioTruth, leavingOut: Set<String>
  ) throws {
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.outcomes.count == truth.frames)
    #expect(surface.outcomes.displayed == truth.displayed)
    #expect(surface.outcomes.replaced == truth.replaced)
    #expect(surface.outcomes.discarded == truth.discarded)
    var checked = 0
    for metric in truth.metrics where metric.n > 0 && !leavingOut.contains(metric.name) {
      guard case .summary(let found) = surface[metric.name]?.figures else {
        Issue.record("\(metric.name) was not measured")
        continue
      }
      checked += 1
      // Where a format states the last start interval, there is one more than between frames.
      let more = metric.name == "startInterval" ? found.n - metric.n : 0
      #expect(found.n == metric.n + more && (0...1).contains(more), "n of \(metric.name)")
      guard more == 0 else { continue }
      #expect(abs(found.minimum / 1e6 - metric.minimum) < 1e-6, "min of \(metric.name)")
      #expect(abs(found.mean / 1e6 - metric.mean) < 1e-6, "mean of \(metric.name)")
      #expect(abs(found.maximum / 1e6 - metric.maximum) < 1e-6, "max of \(metric.name)")
    }
    #expect(checked > 0)
  }
}
