import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameImporters
@testable import FrameReplay
@testable import FrameReport
@testable import FrameTrace

/// Replaying a scenario's recording under the conditions of another scenario gives exactly the
/// other's figures. Scenarios are played by a separate simulator.
@Suite struct ReplayTests {
  private static let interval = PipelineScenario.interval

  private func figures(_ trace: Trace) -> ReplayFigures { ReplayFigures(trace, AnalysisOptions()) }

  /// Replays a trace under conditions and compares all figures with those of another trace.
  private func expect(
    _ trace: Trace, under conditions: ReplayConditions, gives other: Trace, _ name: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let replayer = try Replayer(Study(of: trace))
    let replay = try replayer.replay(conditions)
    #expect(replay.reproducedShare == 1, name, sourceLocation: sourceLocation)
    let truth = figures(other)
    #expect(replay.figures.count >= 5, name, sourceLocation: sourceLocation)
    for figure in replay.figures {
      #expect(figure.modelError < 1e-9, "\(name): \(figure.name)", sourceLocation: sourceLocation)
      let expected = truth[figure.name] ?? .nan
      #expect(
        abs((figure.predicted ?? .nan) - expected) < 1e-9,
        "\(name): \(figure.name), expected \(expected), found \(figure.predicted ?? .nan)",
        sourceLocation: sourceLocation)
    }
    #expect(replay.dropsAfter == truth.drops, name, sourceLocation: sourceLocation)
  }

  private func scenario(
    app: Double, compositor: Double, gpu: Double, scans: Int = 1, count: Int = 120,
    _ change: (inout PipelineScenario) -> Void = { _ in }
  ) -> PipelineScenario {
    var scenario = PipelineScenario(
      "replay", PipelineScenario.steady(count, app: app, compositor: compositor, gpu: gpu))
    scenario.surfaces[0].scans = SimulatedScans(
      start: 0, interval: Self.interval / Int64(scans), count: count * scans)
    change(&scenario)
    return scenario
  }

  private func conditions(_ change: (inout ReplayConditions) -> Void) -> ReplayConditions {
    var conditions = ReplayConditions()
    change(&conditions)
    return conditions
  }

  /// The scenarios whose traces show no work, and why they are refused.
  private static let unplayable = [
    "video-24":
      "expected at least 10 frames with app and display times, found 0",
    "launches": "the trace has no frames to replay",
    "star-searcher-before": "the trace has no frames to replay",
    "star-searcher-after": "the trace has no frames to replay",
  ]

  @Test(arguments: Scenarios.all.map(\.name))
  func everyScenarioIsReplayedAsItWas(_ name: String) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == name })
    let trace = scenario.play(.init(frames: scenario.frames)).trace
    let study = Study(of: trace)
    guard Self.unplayable[name] == nil else {
      let refusal = #expect(throws: ReplayRefusal.self) { try Replayer(study) }
      #expect(refusal?.message == Self.unplayable[name])
      return
    }
    let replayer = try Replayer(study)
    let replay = try replayer.replay(ReplayConditions())
    #expect(replay.reproducedShare == 1)
    // While a queue fills, an app starts its first frames earlier or later, which affects a mean.
    for figure in replay.figures {
      let limit = figure.name.hasPrefix("mean(") ? 0.15 : 0.05
      #expect(figure.modelError < limit, "\(figure.name)")
    }
    #expect(replay.prediction == nil)
  }

  /// A scenario can be replayed even if a format leaves some of it out; if it leaves out too much,
  /// replaying is refused. An uncapped game in gfxinfo would have several starts at one refresh.
  @Test(arguments: Encoders.all.filter { $0.carries.contains(.frames) }.map(\.name))
  func everyFormatIsReplayedAsItWas(_ name: String) throws {
    let encoder = try #require(Encoders.all.first { $0.name == name })
    for scenario in Scenarios.all where scenario.name != "uncapped-game" || name != "gfxinfo" {
      let trace = scenario.play(.init(frames: scenario.frames)).trace
      guard encoder.whyNot(trace) == nil else { continue }
      let read = try Importers.read(InputFile(bytes: encoder.encode(trace)))
      do throws(ReplayRefusal) {
        let replay = try Replayer(Study(of: read)).replay(ReplayConditions())
        #expect(replay.reproducedShare > 0.98, "\(scenario.name): \(replay.recordedWords)")
      } catch {
        #expect(Self.refusals.contains(error.message), "\(scenario.name)")
      }
    }
  }

  /// Why a format's version of a scenario is refused.
  private static let refusals =
    Set(unplayable.values).union([
      "no fixed refresh was found, so it is unknown when frames could be shown",
      "no frame has a display time",
    ])

  /// The rows of the talk's table, each computed from the row that differs in one condition.
  @Test func theTalksTable() throws {
    let short = (app: 0.5, compositor: 0.25, gpu: 0.25)
    let classic = scenario(app: short.app, compositor: short.compositor, gpu: short.gpu).play()
      .trace
    let lowLatency = scenario(app: short.app, compositor: short.compositor, gpu: short.gpu) {
      $0.isLowLatency = true
    }.play().trace
    try expect(
      classic, under: conditions { $0.lowLatency = true }, gives: lowLatency, "low latency on")
    try expect(
      lowLatency, under: conditions { $0.lowLatency = false }, gives: classic, "low latency off")
    let triple = scenario(app: 1, compositor: 1, gpu: 1).play().trace
    let double = scenario(app: 1, compositor: 0.5, gpu: 0.5).play().trace
    try expect(
      triple, under: conditions { $0.scales = [.compositor: 0.5, .gpu: 0.5] }, gives: double,
      "triple to double")
    try expect(
      double, under: conditions { $0.scales = [.compositor: 2, .gpu: 2] }, gives: triple,
      "double to triple")
    let animated = { (isOn: Bool) in
      scenario(app: 1, compositor: 0.5, gpu: 0.5) { scenario in
        scenario.isLowLatency = isOn
        for unit in scenario.surfaces[0].units.indices {
          scenario.surfaces[0].units[unit].animates = true
        }
      }.play().trace
    }
    try expect(
      animated(false), under: conditions { $0.lowLatency = true }, gives: animated(true),
      "animation")
    let coalesced = scenario(
      app: short.app, compositor: short.compositor, gpu: short.gpu, scans: 2
    ) { $0.isLowLatency = true }.play().trace
    try expect(
      lowLatency, under: conditions { $0.scanInterval = Nanoseconds(Self.interval / 2) },
      gives: coalesced,
      "120 Hz of touches")
    let predicted = scenario(
      app: short.app, compositor: short.compositor, gpu: short.gpu, scans: 2
    ) { scenario in
      scenario.isLowLatency = true
      scenario.surfaces[0].scans?.predictions = [Self.interval]
    }.play().trace
    try expect(
      coalesced, under: conditions { $0.prediction = Nanoseconds(Self.interval) }, gives: predicted,
      "prediction")
    try expect(
      predicted, under: conditions { $0.prediction = .zero }, gives: coalesced, "no prediction")
    let metal = { (buffers: Int, app: Double) in
      scenario(app: app, compositor: 1, gpu: 0.4) { scenario in
        scenario.surfaces[0].isFilledByApp = true
        scenario.surfaces[0].buffers = buffers
      }.play().trace
    }
    try expect(
      metal(3, 1), under: conditions { $0.scales = [.app: 0.5] }, gives: metal(3, 0.5),
      "Metal, a faster app")
  }

  @Test(arguments: [2, 3, 4])
  func aGameWithOtherBuffersAndModes(_ buffers: Int) throws {
    let interval: Int64 = 16_666_600
    var variation = Variation(seed: 3)
    let work = (0..<200).map { _ in
      GameChain.Work(
        app: variation.length(5_000_000, 2_000_000), gpu: variation.length(12_000_000, 3_000_000))
    }
    let trace = { (presentation: GameChain.Presentation, interval: Int64) in
      let chain = GameChain(interval: interval, presentation: presentation)
      return chain.trace(of: chain.play(work), named: "game", process: "game.exe")
    }
    let recorded = trace(.firstInFirstOut(buffers: 3), interval)
    let replayer = try Replayer(Study(of: recorded))
    let replay = try replayer.replay(conditions { $0.buffers = buffers })
    #expect(replay.reproducedShare > 0.98)
    let truth = figures(trace(.firstInFirstOut(buffers: buffers), interval))
    for name in ["p50(displayLatency)", "mean(frameTime)", "droppedRefreshes"] {
      let figure = try #require(replay.figures.first { $0.name == name })
      let bounds = try #require(figure.bounds)
      let expected = try #require(truth[name])
      #expect(
        bounds.lowerBound - 0.02 <= expected && expected <= bounds.upperBound + 0.02,
        "\(name): \(bounds), \(expected)")
    }
  }

  /// If an app's GPU keeps up, the other mode shows the newest finished frame.
  @Test func aGameThatShowsItsNewestFrame() throws {
    let interval: Int64 = 16_666_600
    var variation = Variation(seed: 3)
    let work = (0..<200).map { _ in
      GameChain.Work(
        app: variation.length(9_000_000, 1_000_000), gpu: variation.length(4_000_000, 1_000_000))
    }
    let trace = { (presentation: GameChain.Presentation) in
      let chain = GameChain(interval: interval, presentation: presentation)
      return chain.trace(of: chain.play(work), named: "game", process: "game.exe")
    }
    let replayer = try Replayer(Study(of: trace(.firstInFirstOut(buffers: 3))))
    let mailbox = try replayer.replay(conditions { $0.presentMode = .mailbox })
    let latest = figures(trace(.latest))
    for name in ["p50(displayLatency)", "mean(frameTime)"] {
      let figure = try #require(mailbox.figures.first { $0.name == name })
      #expect(abs((figure.predicted ?? .nan) - (latest[name] ?? .nan)) < 0.4, "\(name)")
    }
  }

  /// However slow its GPU gets, an app is ahead of it by at most as many frames as there are
  /// buffers; while the GPU keeps up, this changes nothing.
  @Test(arguments: [1.0, 1.1, 2, 4])
  func aGameWhoseGPUFallsBehind(_ scale: Double) throws {
    let scenario = try #require(Scenarios.all.first { $0.name == "uncapped-game" })
    let replayer = try Replayer(Study(of: scenario.play(.init(frames: 900)).trace))
    let replay = try replayer.replay(conditions { $0.scales = [.gpu: scale] })
    let latency = try #require(replay.figure("p95(displayLatency)"))
    let frame = try #require(replay.figure("mean(frameTime)"))
    if scale == 1 {
      #expect(replay.figures.allSatisfy { $0.change == Replay.Figure.Change.none })
    } else {
      let longest = (frame.expected ?? .nan) * Double(replayer.recording.simulator.buffers + 1)
      #expect((latency.expected ?? .nan) < latency.recorded + longest, "\(latency)")
    }
    if scale >= 2 { #expect((frame.expected ?? .nan) > 1.1 * frame.recorded, "\(frame)") }
  }

  @Test(arguments: ["app", "compositor", "gpu"], [false, true])
  func faultsThatGoAway(_ stage: String, _ isFilledByApp: Bool) throws {
    let stage = try #require(ReplayConditions.Stage(rawValue: stage))
    let make = { (scale: Double) -> Trace in
      var units = PipelineScenario.steady(300, app: 0.5, compositor: 0.3, gpu: 0.3)
      for index in units.indices where index % 30 == 15 {
        units[index].add(20_833_600, to: PipelineStage(stage))
      }
      for index in units.indices {
        let scaled = { (length: Int64) in Int64((Double(length) * scale).rounded()) }
        switch stage {
        case .app: units[index].app = scaled(units[index].app)
        case .compositor: units[index].compositor = scaled(units[index].compositor)
        case .gpu: units[index].gpu = scaled(units[index].gpu)
        }
      }
      var scenario = PipelineScenario("fault", units, process: "Scroll")
      scenario.surfaces[0].isFilledByApp = isFilledByApp
      scenario.recorder.commits = true
      return scenario.play().trace
    }
    for scale in [0.25, 0.5, 0.75] {
      try expect(
        make(1), under: conditions { $0.scales = [stage: scale] }, gives: make(scale),
        "\(stage.rawValue) at \(scale)")
    }
  }

  /// GPU content that waits for the view around it, replayed from content that does not, and the
  /// reverse.
  @Test func layersInSync() throws {
    let traces = try ["metal-layer", "metal-layer-synchronized"].map { name in
      let scenario = try #require(Scenarios.all.first { $0.name == name })
      return scenario.play(.init(frames: 120)).trace
    }
    let layers = traces[0].layers
    let row = try #require(
      (0..<layers.count).first { layers[$0, .content] == LayerColumn.Content.gpu.rawValue })
    let surface = try #require(layers[row, .surface].map(Int.init))
    let choice = SurfaceChoice(surfaces: [traces[0].surfaces[surface].id])
    for (isOn, recorded, other) in [(true, traces[0], traces[1]), (false, traces[1], traces[0])] {
      let replayer = try Replayer(Study(of: recorded, AnalysisOptions(), choice))
      // The layer has four buffers. Without waiting it never uses the fourth, so the recording does
      // not show it.
      let replay = try replayer.replay(
        conditions {
          $0.syncsLayers = isOn
          $0.buffers = 4
        })
      let truth = ReplayFigures(Study(of: other), surface: surface)
      for figure in replay.figures where figure.name != "bufferDepth" {
        #expect(
          abs((figure.predicted ?? .nan) - (truth[figure.name] ?? .nan)) < 1e-6,
          "\(isOn): \(figure.name)")
      }
      #expect(replay.figures.contains { $0.change == .better || $0.change == .worse })
    }
  }

  /// For any trace and any condition: the program does not stop, the result is always the same, and
  /// the display shows frames in order, never two at a refresh, and none before the app worked on
  /// it.
  @Test(arguments: 0..<40)
  func anyTraceUnderAnyCondition(_ seed: Int) throws {
    let traces = [
      AnyTrace.make(seed: UInt64(seed)), RandomTrace(seed: UInt64(seed)).trace,
    ]
    var all: [ReplayConditions] = [ReplayConditions()]
    all.append(conditions { $0.scales = [.app: 100, .gpu: 0.01] })
    all.append(conditions { $0.buffers = 2 + seed % 5 })
    all.append(conditions { $0.presentMode = seed % 2 == 0 ? .mailbox : .fifo })
    all.append(
      conditions {
        $0.refresh =
          seed % 3 == 0 ? .variable(shortest: nil, longest: nil) : .fixed(Nanoseconds(8_333_333))
      })
    all.append(conditions { $0.lowLatency = seed % 2 == 0 })
    all.append(conditions { $0.scanInterval = Nanoseconds(4_166_667) })
    all.append(conditions { $0.cap = Nanoseconds(33_333_333) })
    all.append(conditions { $0.renderAhead = 1 })
    for trace in traces {
      guard let replayer = try? Replayer(Study(of: trace)) else { continue }
      for conditions in all {
        guard let (simulator, work) = try? replayer.recording.under(conditions).first else {
          continue
        }
        let frames = simulator.play(work)
        let shown = frames.compactMap(\.refresh)
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "\(conditions.words)")
        #expect(
          frames.allSatisfy { $0.commit >= $0.appStart && $0.gpu.lowerBound <= $0.gpu.upperBound })
        let (one, other) = (try replayer.replay(conditions), try replayer.replay(conditions))
        #expect(one.figures == other.figures)
      }
    }
  }

  /// A frame that a compositor makes of several app intervals received touches in each of them.
  @Test func touchesOfFramesThatWereTakenTogether() throws {
    let make = { (scans: Int) in
      self.scenario(app: 0.7, compositor: 0.3, gpu: 0.3, scans: scans) { scenario in
        for index in scenario.surfaces[0].units.indices where index % 3 == 1 {
          scenario.surfaces[0].units[index].compositor = PipelineScenario.share(1.3)
        }
        scenario.recorder.commits = true
      }.play().trace
    }
    let trace = make(2)
    #expect(trace.surfaces[0].frames.count < 120, "some frames are of several intervals")
    let deliveries = { (trace: Trace) in
      let touches = trace.touches
      return (0..<touches.count).filter { touches[$0, .kind] == TouchColumn.Kind.main.rawValue }
        .map { row in [.scanStart, .delivered, .frame].map { touches[row, $0] } }
    }
    let replay = try Replayer(Study(of: trace)).replay(ReplayConditions())
    #expect(deliveries(replay.asRecorded) == deliveries(trace))
    try expect(
      make(1), under: conditions { $0.scanInterval = Nanoseconds(Self.interval / 2) }, gives: trace,
      "twice the touches")
  }

  /// If it is unknown what started the app, commits keep their times at any rate of the display.
  @Test(arguments: [1, 2, 3])
  func commitsThatCameByThemselves(_ share: Int64) throws {
    let interval: Int64 = 12_000_000
    var builder = TraceBuilder(
      Provenance(file: "test", importer: "test", format: "test", reason: "made by a test"))
    builder.trace.displays = [Display(id: "display", interval: Nanoseconds(interval))]
    let surface = builder.surface("window") {
      Surface(id: "window", display: 0, bufferOwner: .app)
    }
    for index in 0..<Int64(60) {
      let refresh = (index + 1) * interval
      var row = Table<FrameColumn>.Row()
      row[.commit] = refresh - 5_000_000 + index % 7 * 100_000
      row[.compositorStart] = refresh + 200_000
      row[.compositorEnd] = refresh + 1_200_000
      row[.displayed] = refresh + interval
      builder.trace.surfaces[surface].frames.append(row)
    }
    let trace = builder.finish()
    let replayer = try Replayer(Study(of: trace))
    let replay = try replayer.replay(
      conditions { $0.refresh = .fixed(Nanoseconds(interval / share)) })
    #expect(replay.reproducedShare == 1)
    let commits = { (trace: Trace) in
      let frames = trace.surfaces[0].frames
      return (0..<frames.count).map { frames[$0, .commit] }
    }
    #expect(commits(try #require(replay.prediction)) == commits(trace))
    #expect(!replay.notes.contains { $0.contains("stays consecutive") })
  }

  /// Driver-generated frames are not played; the refreshes that they filled do not count as
  /// dropped.
  @Test func framesOfADriver() throws {
    let interval = Self.interval
    var builder = TraceBuilder(
      Provenance(file: "test", importer: "test", format: "test", reason: "made by a test"))
    builder.trace.displays = [Display(id: "display", interval: Nanoseconds(interval))]
    let surface = builder.surface("game") { Surface(id: "game", display: 0, bufferOwner: .app) }
    for index in 0..<Int64(120) {
      let isGenerated = index % 2 == 1
      let start = (index / 2) * 2 * interval + 1_000_000
      var row = Table<FrameColumn>.Row()
      row[.kind] = isGenerated ? FrameColumn.Kind.generated.rawValue : nil
      row[.appStart] = isGenerated ? nil : start
      row[.commit] = isGenerated ? nil : start + 3_000_000
      row[.appEnd] = isGenerated ? nil : start + 2 * interval
      row[.gpuStart] = isGenerated ? nil : start + 3_000_000
      row[.gpuEnd] = isGenerated ? nil : start + 10_000_000
      row[.displayed] = (index + 2) * interval
      builder.trace.surfaces[surface].frames.append(row)
    }
    let replay = try Replayer(Study(of: builder.finish())).replay(
      conditions { $0.scales = [.gpu: 0.5] })
    #expect(replay.generated == 60 && replay.reproducedShare == 1)
    #expect(replay.figure("droppedRefreshes") == nil && replay.dropsAfter.isEmpty)
    #expect(replay.figure("p50(displayLatency)") != nil)
    #expect(replay.notes.contains { $0.hasPrefix("60 frames generated by a driver: left out") })
  }

  /// If the trace does not explain the times of most frames, as when several are stated to be
  /// displayed at one refresh, no change is recommended.
  @Test func whatTheModelDoesNotExplain() throws {
    var builder = TraceBuilder(
      Provenance(file: "test", importer: "test", format: "test", reason: "made by a test"))
    builder.trace.displays = [Display(id: "display", interval: Nanoseconds(Self.interval))]
    let surface = builder.surface("window") { Surface(id: "window", display: 0) }
    for index in 0..<Int64(100) {
      // The second frame comes so late that the third one is ready at the same refresh.
      let late = index == 1 ? Self.interval * 3 / 4 : 0
      let finished = index * Self.interval + 5_000_000 + late
      var row = Table<FrameColumn>.Row()
      row[.mode] = FrameColumn.Mode.lowLatency.rawValue
      row[.appStart] = index * Self.interval
      row[.commit] = index * Self.interval + 1_000_000
      row[.compositorStart] = index * Self.interval + 2_000_000 + late
      row[.compositorEnd] = finished
      row[.displayed] = finished + 100_000
      builder.trace.surfaces[surface].frames.append(row)
    }
    let replayer = try Replayer(Study(of: builder.finish()))
    let advice = try ReplayAdvice(replayer)
    #expect(!advice.replay.isExplained && advice.items.isEmpty, "\(advice.replay.reproduced)")
    let text = Writers.write([ReplayReport(advice.replay, advice: advice)], as: .text)
    #expect(
      text.contains("changes are not ranked because the model does not explain the recording"))
    #expect(text.contains("most frames miss their recorded refresh"))
  }

  /// If neither more nor less of a figure is better, only the change is reported. A figure that
  /// cannot be below 0 is never predicted to be, and a difference from rounding is not a change.
  @Test func whatIsSaidOfAChange() {
    let figure = { (direction: MetricDirection, recorded: Double, played: Double, then: Double) in
      Replay.Figure(
        name: "figure", unit: "refreshes", direction: direction, recorded: recorded,
        reproduced: played, predicted: then, chance: 1, n: 10, least: 0)
    }
    #expect(figure(.neither, 2, 2, 3).change == .changed)
    #expect(figure(.lowerIsBetter, 2, 2, 3).change == .worse)
    #expect(figure(.higherIsBetter, 2, 2, 3).change == .better)
    #expect(figure(.lowerIsBetter, 2, 4, 3).change == .undecided)
    #expect(figure(.lowerIsBetter, 2000, 2000, 2001).change == Replay.Figure.Change.none)
    #expect(figure(.lowerIsBetter, 0, 0, 1).change == .worse)
    let less = figure(.lowerIsBetter, 8, 9, 0)
    #expect(less.expected == 0)
    #expect(less.bounds == 0...1)
    // A figure that the replay of the recording misses is not judged.
    let missed = figure(.lowerIsBetter, 54, 3500, 300)
    #expect(missed.expected == nil && missed.bounds == nil && missed.change == .unexplained)
    #expect(figure(.lowerIsBetter, 8, 10, 0).isReproduced)
    #expect(!figure(.lowerIsBetter, 8, 11, 0).isReproduced)
    // If explanations disagree, nothing is decided, and both are reported.
    var two = figure(.lowerIsBetter, 30, 30, 10)
    two.otherGains = [4, -19]
    #expect(two.change == .undecided && two.alternatives == [34])
    #expect(two.bounds == 9...35)
  }

  @Test func anotherRefreshRate() throws {
    let make = { (interval: Int64) -> Trace in
      var scenario = PipelineScenario(
        "rate", PipelineScenario.steady(200, app: 0.3, compositor: 0.1, gpu: 0.1))
      scenario.display = SimulatedDisplay(interval: interval)
      return scenario.play().trace
    }
    try expect(
      make(Self.interval),
      under: conditions { $0.refresh = .fixed(Nanoseconds(Self.interval / 2)) },
      gives: make(Self.interval / 2), "60 to 120 Hz")
  }
}

extension PipelineStage {
  fileprivate init(_ stage: ReplayConditions.Stage) {
    switch stage {
    case .app: self = .app
    case .compositor: self = .compositor
    case .gpu: self = .gpu
    }
  }
}
