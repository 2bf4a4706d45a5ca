import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReplay
@testable import FrameStatistics
@testable import FrameTrace

/// A program on a Wayland compositor that takes frames a fixed time before each refresh and then
/// lets the program continue, as measured for Weston and Sway. It is played event by event, without
/// any code of the replay.
private struct WaylandSession {
  /// The time between refreshes, and the largest deviation of a compositor's wake-up from it.
  var interval: Int64 = 16_666_667
  var jitter: Int64 = 300_000
  /// How long before a refresh the compositor takes the frame for it.
  var lead: Int64 = 16_000_000
  var app: Int64 = 40_000
  var gpu: Int64 = 900_000
  /// Whether the compositor copies a frame when it takes it; if not, it releases the buffer at the
  /// next commit.
  var copies = false
  /// The number of frames at the start that are never shown.
  var hidden = 0
  /// The frames before which the compositor misses a refresh.
  var stalls: Set<Int> = []

  private struct Frame {
    var start, commit, gpuEnd, handOver: Int64
    var taken: Int64?
  }

  /// Frames in order; each may continue when the one before it is taken.
  func recorded(_ count: Int = 300, seed: UInt64 = 1) -> Trace {
    var random = SplitMix64(seed: seed)
    let wakes = (0..<count + 50).map { wake in
      Int64(wake) * interval + (jitter > 0 ? Int64.random(in: -jitter...jitter, using: &random) : 0)
    }
    var frames: [Frame] = []
    var wake = 1
    for index in 0..<count {
      let start = (frames.last?.handOver ?? wakes[1]) + 30_000
      let commit = start + app
      let gpuEnd = commit + gpu + Int64.random(in: 0...100_000, using: &random)
      let isShown = index >= hidden
      let letGo = frames.last?.taken.map { $0 + 50_000 } ?? 0
      var frame = Frame(
        start: start, commit: commit, gpuEnd: gpuEnd, handOver: max(gpuEnd + 20_000, letGo))
      if isShown {
        while wakes[wake] <= frame.handOver { wake += 1 }
        if stalls.contains(index) { wake += 1 }
        frame.taken = wakes[wake]
      }
      frames.append(frame)
    }
    return trace(frames)
  }

  private func trace(_ frames: [Frame]) -> Trace {
    var builder = TraceBuilder(
      Provenance(file: "session", importer: "test", format: "test", reason: "made by a test"))
    builder.trace.displays = [Display(id: "display", interval: Nanoseconds(interval))]
    let surface = builder.surface("window") {
      Surface(id: "window", display: 0, bufferOwner: .app, isComposited: true)
    }
    for (index, frame) in frames.enumerated() {
      var row = Table<FrameColumn>.Row()
      row[.appStart] = frame.start
      row[.bufferWaitStart] = frame.start + 1000
      row[.bufferWaitEnd] = frame.start + 2000
      row[.commit] = frame.commit
      row[.appEnd] = frame.handOver
      row[.gpuStart] = frame.commit
      row[.gpuEnd] = frame.gpuEnd
      row[.queued] = frame.handOver + 20_000
      row[.displayed] = frame.taken.map { $0 + lead }
      row[.fate] =
        (frame.taken == nil ? FrameColumn.Fate.discarded : FrameColumn.Fate.displayed).rawValue
      let next = index + 1 < frames.count ? frames[index + 1].handOver : nil
      row[.released] = copies ? frame.taken.map { $0 + 20_000 } : next.map { $0 + 100_000 }
      builder.trace.surfaces[surface].frames.append(row)
    }
    return builder.finish()
  }
}

/// Replays what a Wayland compositor showed, whenever it takes frames and however it releases
/// buffers.
@Suite struct ReplayWaylandTests {
  private static let sessions: [WaylandSession] = [
    WaylandSession(), WaylandSession(jitter: 0), WaylandSession(lead: 10_000_000),
    WaylandSession(lead: 5_000_000), WaylandSession(lead: 30_000_000),
    WaylandSession(interval: 25_000_000), WaylandSession(copies: true), WaylandSession(hidden: 2),
    WaylandSession(gpu: 8_000_000), WaylandSession(jitter: 600_000, copies: true, hidden: 1),
    WaylandSession(stalls: [40, 41, 100]), WaylandSession(lead: 10_000_000, stalls: [60, 90, 91]),
  ]

  private func figures(_ trace: Trace) -> ReplayFigures { ReplayFigures(trace, AnalysisOptions()) }

  private func replay(
    _ trace: Trace, _ change: (inout ReplayConditions) -> Void = { _ in }
  ) throws -> Replay {
    var conditions = ReplayConditions()
    change(&conditions)
    return try Replayer(Study(of: trace)).replay(conditions)
  }

  /// Frames that are handed over just as the compositor takes others are too late for that refresh,
  /// whatever the jitter. Frames that were never shown do not take another's refresh, one that was
  /// taken late does not make a queue, and buffers are free when they were in the recording.
  @Test(arguments: sessions.indices)
  func itIsPlayedAgainAsItWas(_ index: Int) throws {
    let replay = try replay(Self.sessions[index].recorded())
    #expect(replay.reproducedShare > 0.99, "\(replay.reproduced) of \(replay.shown)")
    #expect(replay.recordedWords.contains("present mode fifo (inferred)"))
    #expect(replay.recordedWords.contains("calls return once per refresh (inferred)"))
    for figure in replay.figures where figure.name != "p99(frameTime)" {
      #expect(
        figure.modelError <= max(0.02 * figure.recorded, 0.1),
        "\(figure.name): \(figure.recorded), \(figure.reproduced)")
    }
  }

  /// The time before a refresh at which the compositor takes frames stays the same, and so does
  /// what frees a buffer. Anything beyond an interval is taken as whole refreshes.
  @Test(arguments: sessions.indices.filter { sessions[$0].lead < sessions[$0].interval })
  func atAnotherRate(_ index: Int) throws {
    var session = Self.sessions[index]
    let recorded = session.recorded()
    session.interval = session.interval * 3 / 2
    let truth = figures(session.recorded())
    let replay = try replay(recorded) { $0.refresh = .fixed(Nanoseconds(session.interval)) }
    for name in ["p50(displayLatency)", "p50(frameTime)", "p50(queueWait)", "bufferDepth"] {
      let figure = try #require(replay.figure(name))
      let expected = try #require(truth[name])
      #expect(
        abs((figure.expected ?? .nan) - expected) < 0.02 * expected + 0.1,
        "\(figure), \(expected)")
    }
  }

  /// In mailbox mode, the program draws as many frames as fit, and each refresh shows the newest
  /// one that was ready in time.
  @Test(arguments: sessions.indices)
  func theNewestFrame(_ index: Int) throws {
    let session = Self.sessions[index]
    let recorded = session.recorded()
    let replay = try replay(recorded) { $0.presentMode = .mailbox }
    let latency = try #require(replay.figure("p50(displayLatency)")?.expected)
    let lead = Double(session.lead) / 1e6
    let work = Double(session.app + session.gpu) / 1e6
    #expect(latency > lead && latency < lead + 4 * work + 1, "\(latency)")
    #expect(replay.figure("droppedRefreshes")?.expected == 0)
    let prediction = try #require(replay.prediction)
    let shown = (0..<prediction.frameCount).count {
      prediction.surfaces[0].frames[$0, .displayed] != nil
    }
    #expect(abs(shown - replay.shown) * 10 < replay.shown, "\(shown) of \(replay.shown)")
    let isFilled = replay.notes.contains { $0.contains("frames is repeated") }
    #expect(isFilled == (prediction.frameCount > recorded.frameCount))
  }
}
