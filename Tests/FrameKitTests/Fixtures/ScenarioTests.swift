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
        try compare(trace, analysis, with: outcome.trace, encoder)
        continue
      }
      for (surface, truth) in zip(analysis.surfaces, outcome.truths) {
        // A source that states lengths from frame to frame counts rests, but for those of which it cannot tell
        // whether they are freezes.
        let frames = trace.surfaces[surface.index].frames
        let statesLengths = frames.has(.presentInterval) || frames.has(.startInterval)
        let expected =
          statesLengths ? truth.countingRests(outcome.trace.surfaces[surface.index].frames) : truth
        try check(
          surface, expected, leavingOut: encoder.cannotCarry, within: encoder.precision)
        if encoder is NativeEncoder { try check(surface, truth.pipeline) }
      }
    }
  }

  /// What comes out of a format without display times: the scenario's own frame times and scans.
  private func compare(
    _ found: Trace, _ analysis: TraceAnalysis, with trace: Trace, _ encoder: any TraceEncoder
  ) throws {
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
    let steps = zip(commits.dropFirst(), commits).map { $0 - $1 }
    guard case .summary(let summary) = analysis.surfaces.first?["frameTime"]?.figures else {
      Issue.record("there is no frame time")
      return
    }
    check(summary, .init("frameTime", steps), within: encoder.precision)
  }

  @Test(arguments: Scenarios.all.map(\.name))
  func theTruthHoldsForAnyNumberOfFrames(_ name: String) throws {
    let scenario = try Self.scenario(name)
    for frames in [19, 39, 150, 461] {
      let outcome = scenario.play(.init(frames: frames))
      let analysis = TraceAnalysis(of: outcome.trace)
      #expect(analysis.surfaces.count == outcome.truths.count)
      for (surface, truth) in zip(analysis.surfaces, outcome.truths) {
        try check(surface, truth, leavingOut: [])
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

  /// Each format carries some scenarios, so that its row of the table says something.
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

  private func check(
    _ surface: SurfaceAnalysis, _ truth: ScenarioTruth, leavingOut: Set<String>,
    within precision: Double = 1e-6
  ) throws {
    #expect(surface.outcomes.count == truth.frames)
    #expect(surface.outcomes.displayed == truth.displayed)
    #expect(surface.outcomes.replaced == truth.replaced)
    #expect(surface.outcomes.discarded == truth.discarded)
    var checked = 0
    for metric in truth.metrics where metric.n > 0 && !leavingOut.contains(metric.name) {
      checked += 1
      switch surface[metric.name]?.figures {
      case .summary(let found): check(found, metric, within: precision)
      case .figure(let figure, let n):
        #expect(n == metric.n, "n of \(metric.name)")
        #expect(abs(figure - metric.mean) < precision, "\(metric.name)")
      default: Issue.record("\(metric.name) was not measured")
      }
    }
    #expect(checked > 0)
  }

  private func check(
    _ found: Summary, _ metric: ScenarioTruth.Metric, within precision: Double = 1e-6
  ) {
    // Where a format states the last start interval, there is one more than between frames.
    let more = metric.name == "startInterval" ? found.n - metric.n : 0
    #expect(found.n == metric.n + more && (0...1).contains(more), "n of \(metric.name)")
    guard more == 0 else { return }
    #expect(abs(found.minimum / 1e6 - metric.minimum) < precision, "min of \(metric.name)")
    #expect(abs(found.mean / 1e6 - metric.mean) < precision, "mean of \(metric.name)")
    #expect(abs(found.maximum / 1e6 - metric.maximum) < precision, "max of \(metric.name)")
  }

  private func check(_ surface: SurfaceAnalysis, _ truth: PipelineTruth?) throws {
    guard let truth else { return }
    let drops = try #require(surface.drops.value)
    let byStage = Dictionary(
      uniqueKeysWithValues: drops.byStage.map { ($0.key.rawValue, $0.value) })
    #expect(byStage == truth.dropped)
    if let depth = truth.depth {
      let shares = try #require(surface.buffers.value?.depthShares)
      // The first frames find nothing on the display.
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

extension ScenarioTruth {
  /// The same with what lies between displays counted whether the app rested or not.
  fileprivate func countingRests(_ frames: Table<FrameColumn>) -> ScenarioTruth {
    guard let place = metrics.firstIndex(where: { $0.name == "displayChange" }),
      metrics[place].n < displayed - 1
    else { return self }
    let shown = (0..<frames.count).compactMap { frames[$0, .displayed] }
    var truth = self
    truth.metrics[place] = .init(
      "displayChange",
      zip(shown.dropFirst(), shown).map { $0 - $1 }.filter { $0 <= 500_000_000 })
    return truth
  }
}
