import Fixtures
import Testing

@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameStatistics
@testable import FrameTrace

/// Scenario → encode → import → analyze equals what the scenario declares.
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
      if encoder.whyNot(outcome.trace) != nil { continue }
      let trace = try Importers.read(InputFile(bytes: encoder.encode(outcome.trace)))
      #expect(trace.provenance.importer == encoder.importer)
      let analysis = TraceAnalysis(of: trace)
      guard encoder.carries.contains(.displays) else {
        try compare(trace, analysis, with: outcome, encoder)
        continue
      }
      for (surface, truth) in zip(analysis.surfaces, outcome.truths) {
        let expected = truth.expected(of: trace.surfaces[surface.index], in: outcome.trace, surface)
        try check(surface, expected, CarriedMetrics.all[encoding], within: encoder.precision)
        if encoder is NativeEncoder { try check(surface, truth.pipeline) }
      }
    }
  }

  /// Recordings whose events fill several pieces of the lists in which importers keep them.
  @Test(
    arguments: [
      ("steady-60", "wayland-debug"), ("layer-app-overrun", "perfetto"), ("app-overrun", "chrome"),
    ], [2047, 2049, 4500])
  func longTracesComeOutOfEventsInPieces(_ pair: (String, String), _ frames: Int) throws {
    let encoder = try #require(Encoders.all.first { $0.name == pair.1 })
    let outcome = try Self.scenario(pair.0).play(.init(frames: frames))
    try #require(encoder.whyNot(outcome.trace) == nil)
    let trace = try Importers.read(InputFile(bytes: encoder.encode(outcome.trace)))
    let truth = try #require(outcome.truths.first)
    let surface = try #require(TraceAnalysis(of: trace).surfaces.first)
    let expected = truth.expected(of: trace.surfaces[surface.index], in: outcome.trace, surface)
    try check(surface, expected, CarriedMetrics.all[pair.1], within: encoder.precision)
  }

  /// The results from a format without display times: the scenario's own frame times and scans.
  private func compare(
    _ found: Trace, _ analysis: TraceAnalysis, with outcome: Scenario.Outcome,
    _ encoder: any TraceEncoder
  ) throws {
    let trace = outcome.trace
    if encoder.carries.contains(.touches) {
      let scans = { (trace: Trace) in
        // A copy of a main sample is the same scan.
        Set(
          (0..<trace.touches.count).filter { row in
            trace.touches[row, .kind] ?? 0 != TouchColumn.Kind.predicted.rawValue
              && trace.touches[row, .device] ?? 0 == TouchColumn.Device.touch.rawValue
          }.compactMap { row in
            trace.touches[row, .scanStart].map { [$0, trace.touches[row, .finger] ?? 0] }
          }
        ).map { $0[0] }.sorted()
      }
      let (own, other) = (scans(trace), scans(found))
      #expect(own.count == other.count)
      let distance = (other.first ?? 0) - (own.first ?? 0)
      #expect(
        zip(own, other).allSatisfy { abs($1 - $0 - distance) <= Int64(encoder.precision * 1e6) })
    }
    guard encoder.carries.contains(.frames) else { return }
    let frames = try #require(trace.surfaces.first?.frames)
    let commits = (0..<frames.count).compactMap { frames[$0, .commit] }
    var steps = zip(commits.dropFirst(), commits).map { $0 - $1 }
    // A source of times, unlike one of lengths, shows when an app rested; those steps are the longest.
    if found.surfaces[0].frames.has(.appStart), let truth = outcome.truths.first,
      let changes = truth.metrics.first(where: { $0.name == "displayChange" })
    {
      steps = Array(steps.sorted().dropLast(max(0, truth.displayed - 1 - changes.n)))
    }
    let found = try #require(analysis.surfaces.first?["frameTime"])
    #expect(
      ScenarioTruth.Metric("frameTime", steps).agrees(found, within: encoder.precision),
      "\(found.figures)")
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func theTruthHoldsForAnyNumberOfFrames(_ name: String) throws {
    let scenario = try Self.scenario(name)
    for frames in [19, 39, 150, 461] {
      let outcome = scenario.play(.init(frames: frames))
      let analysis = TraceAnalysis(of: outcome.trace)
      #expect(analysis.surfaces.count == outcome.truths.count)
      for (surface, truth) in zip(analysis.surfaces, outcome.truths) {
        try check(surface, truth)
        try check(surface, truth.pipeline)
      }
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

  /// Each format carries some scenarios, so that its row of the table is meaningful.
  @Test(arguments: Encoders.all.map(\.name))
  func everyEncoderCarriesSomething(_ name: String) throws {
    let encoder = try #require(Encoders.all.first { $0.name == name })
    let carried = Scenarios.all.filter { scenario in
      encoder.whyNot(scenario.play(.init(frames: scenario.frames)).trace) == nil
    }
    print("\(name): \(carried.count) of \(Scenarios.all.count) scenarios")
    #expect(carried.count >= 2)
  }

  @Test func namesAreUniqueAndDescribed() {
    #expect(Set(Scenarios.all.map(\.name)).count == Scenarios.all.count)
    #expect(Scenarios.all.allSatisfy { $0.summary.hasSuffix(".") })
    #expect(Set(Encoders.all.map(\.name)).count == Encoders.all.count)
    let importers = Set(Importers.formats.map(\.name))
    #expect(Encoders.all.allSatisfy { importers.contains($0.importer) })
  }

  /// - Parameter carried: The metrics that the format carries; `nil` for all.
  private func check(
    _ surface: SurfaceAnalysis, _ truth: ScenarioTruth, _ carried: Set<String>? = nil,
    within precision: Double = 1e-6
  ) throws {
    #expect(surface.outcomes.count == truth.frames)
    #expect(surface.outcomes.displayed == truth.displayed)
    #expect(surface.outcomes.replaced == truth.replaced)
    #expect(surface.outcomes.discarded == truth.discarded)
    let metrics = truth.metrics.filter { $0.n > 0 && carried?.contains($0.name) ?? true }
    for metric in metrics {
      let found = try #require(surface[metric.name])
      #expect(metric.agrees(found, within: precision), "\(metric) \(found.figures)")
    }
    #expect(!metrics.isEmpty)
  }

  private func check(_ surface: SurfaceAnalysis, _ truth: PipelineTruth?) throws {
    guard let truth else { return }
    let drops = try #require(surface.drops.value)
    let byStage = Dictionary(
      uniqueKeysWithValues: drops.byStage.map { ($0.key.rawValue, $0.value) })
    #expect(byStage == truth.dropped)
    if let depth = truth.depth {
      let shares = try #require(surface.buffers.value?.depthShares)
      // The first frames find the display empty.
      #expect(shares[depth - 1] > 0.8 && shares[depth...].allSatisfy { $0 == 0 })
    }
    if let changes = truth.changes {
      let found = surface.buffers.value?.changes.map {
        "\($0.from) \($0.to) \($0.stage?.rawValue ?? "")"
      }
      #expect(found == changes.map { "\($0.from) \($0.to) \($0.stage)" })
    }
    if let touches = truth.touches {
      let found = try #require(surface.touches.value)
      #expect(
        PipelineTruth.Touches(
          main: found.main, coalesced: found.coalesced, predicted: found.predicted,
          undelivered: found.undelivered, cancelled: found.cancelled, unresolved: found.unresolved)
          == touches)
    }
    if let rest = truth.rest { #expect(drops.restTime.count == rest) }
    if truth.isCadence { #expect(drops.cadenceFrames > 0) }
  }
}
