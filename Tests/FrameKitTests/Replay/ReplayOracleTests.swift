import Testing

@testable import Fixtures
@testable import FrameAnalysis
@testable import FrameReplay
@testable import FrameTrace

/// Results that others computed or measured for queues, which the replay has to match.
@Suite struct ReplayOracleTests {
  /// The C library's `rand` after `srand(seed)`: the sum of the numbers 3 and 31 positions earlier.
  private struct GlibcRandom {
    private var state: [Int32]

    init(seed: Int32) {
      state = [seed]
      for index in 1..<31 {
        let next = (16_807 * Int64(state[index - 1])) % 2_147_483_647
        state.append(Int32(next < 0 ? next + 2_147_483_647 : next))
      }
      for index in 31..<34 { state.append(state[index - 31]) }
      for _ in 0..<310 { _ = next() }
    }

    mutating func next() -> Int {
      let count = state.count
      state.append(state[count - 31] &+ state[count - 3])
      if state.count > 4096 { state.removeFirst(state.count - 64) }
      return Int(UInt32(bitPattern: state[state.count - 1]) >> 1)
    }
  }

  /// A swap chain simulator by Matías N. Goldberg (github.com/darksylinc/vsync_simulator). An app
  /// works 7 ± 2 ms on a frame and a GPU 12 ± 2 ms, on a display of 16 ms, in steps of a
  /// millisecond. Several frames may be in flight, and the GPU takes an image when it starts. Its
  /// results: the mean time from the app's start to the display, and with one frame in flight, how
  /// many of 1,249 refreshes had nothing new.
  @Test(arguments: [
    (2, 2, 36.07, nil), (3, 2, 52.07, nil), (4, 2, 68.03, nil), (2, 1, 27.09, 296),
    (3, 1, 26.58, 195),
    (4, 1, 26.58, 195),
  ])
  func aSimulatorOfSwapChains(_ images: Int, _ ahead: Int, _ lag: Double, _ missed: Int?) {
    let ticks: Int64 = 20_000
    let millisecond: Int64 = 1_000_000
    let count = 1700
    var simulator = ReplaySimulator(
      chain: .free, refreshes: ReplayRefreshes(from: 0, every: 16 * millisecond))
    (simulator.buffers, simulator.renderAhead, simulator.hasShownBefore) = (images, ahead, true)
    var app = [Int](repeating: 7, count: count)
    var gpu = [Int](repeating: 12, count: count)
    // Its random numbers are drawn when work begins, by the app before the GPU; the start times in
    // turn depend on them.
    var frames: [ReplayedFrame] = []
    for _ in 0..<4000 {
      let work = (0..<count).map { index in
        var item = ReplayedWork(row: index)
        item.app = Int64(app[index]) * millisecond
        // The app continues after 7 ms, however long the frame took.
        item.call = Int64(7 - app[index]) * millisecond
        item.gpu = Int64(gpu[index]) * millisecond
        return item
      }
      frames = simulator.play(work)
      var draws: [(time: Int64, isGPU: Int, index: Int)] = []
      for (index, frame) in frames.enumerated() {
        draws.append((frame.appStart, 0, index))
        draws.append((frame.gpu.lowerBound, 1, index))
      }
      draws.sort { ($0.time, $0.isGPU) < ($1.time, $1.isGPU) }
      var random = GlibcRandom(seed: 101)
      var hasChanged = false
      for draw in draws {
        let value = random.next() % 5 - 2
        if draw.isGPU == 0 {
          hasChanged = hasChanged || app[draw.index] != 7 + value
          app[draw.index] = 7 + value
        } else {
          hasChanged = hasChanged || gpu[draw.index] != 12 + value
          gpu[draw.index] = 12 + value
        }
      }
      if !hasChanged { break }
    }
    let shown = frames.filter { $0.displayed.map { $0 > 0 && $0 < ticks * millisecond } ?? false }
    let lags = shown.dropFirst(3).map { Double(($0.displayed ?? 0) - $0.appStart) / 1e6 }
    let mean = lags.reduce(0, +) / Double(lags.count)
    #expect(abs(mean - lag) < 0.005, "\(mean)")
    if let missed { #expect(Int(ticks - 1) / 16 - shown.count == missed, "\(shown.count)") }
  }

  private func game(
    app: Int64, gpu: Int64, buffers: Int, count: Int = 300
  ) -> Trace {
    let chain = GameChain(
      interval: 16_666_600, presentation: .firstInFirstOut(buffers: buffers))
    var variation = Variation(seed: 5)
    let work = (0..<count).map { _ in
      GameChain.Work(
        app: variation.length(app, 200_000), gpu: variation.length(gpu, 200_000))
    }
    return chain.trace(of: chain.play(work), named: "game", process: "game.exe")
  }

  private func latency(_ replayer: Replayer, _ change: (inout ReplayConditions) -> Void) throws
    -> Double
  {
    var conditions = ReplayConditions()
    change(&conditions)
    let replay = try replayer.replay(conditions)
    return try #require(replay.figures.first { $0.name == "p50(displayLatency)" }?.predicted)
  }

  /// A measurement at 60 Hz with frames of a game queued three, two and one deep
  /// (github.com/RobertBeckebans/RBDOOM-3-BFG, pull request 784): 53, 36 and 24 ms. One constant,
  /// for the time outside the queue, has to fit all three within half an interval.
  @Test func aMeasuredQueue() throws {
    let replayer = try Replayer(Study(of: game(app: 3_000_000, gpu: 4_000_000, buffers: 3)))
    let measured = [(4, 53.0), (3, 36.0), (2, 24.0)]
    let predicted = try measured.map { buffers, _ in
      try latency(replayer) { $0.buffers = buffers }
    }
    let rest = zip(measured, predicted).map { $0.1 - $1 }
    let constant = rest.reduce(0, +) / Double(rest.count)
    for value in rest { #expect(abs(value - constant) < 16.6666 / 2, "\(predicted)") }
  }

  /// If a queue was not full, another buffer does not cost another interval: 50, 65 and 68 ms with
  /// two, three and four images (github.com/libretro/RetroArch, issue 14409). The replay reports
  /// why.
  @Test func aQueueThatIsNotFull() throws {
    // An app that is started by refreshes and finishes a frame well before the next one.
    var scenario = PipelineScenario(
      "paced", PipelineScenario.steady(200, app: 0.3, compositor: 0.2, gpu: 0.2))
    scenario.surfaces[0].isFilledByApp = true
    let trace = scenario.play().trace
    let replayer = try Replayer(Study(of: trace))
    var conditions = ReplayConditions()
    conditions.buffers = 4
    let replay = try replayer.replay(conditions)
    let figure = try #require(replay.figures.first { $0.name == "p50(displayLatency)" })
    #expect(abs(figure.gain ?? .nan) < 1)
    #expect(replay.notes.contains { $0.hasPrefix("the queue was never full") })
    // A full queue has no such note, and costs an interval.
    let full = try Replayer(Study(of: game(app: 3_000_000, gpu: 4_000_000, buffers: 3))).replay(
      conditions)
    let longer = try #require(full.figures.first { $0.name == "p50(displayLatency)" })
    #expect(abs((longer.gain ?? .nan) - 16.6666) < 0.5)
    #expect(!full.notes.contains { $0.hasPrefix("the queue was never full") })
  }

  /// Frame callbacks of Wayland, as Weston 10 repaints: calls continue 9 ms after each refresh of
  /// 25 ms, and a frame handed over then is taken at the next callback and shown 16 ms later.
  /// Measured with a program that needs less than a millisecond: 41 ms from hand-over to display,
  /// 66 ms from its start.
  @Test func callsThatAreLetGoOn() {
    let millisecond: Int64 = 1_000_000
    var simulator = ReplaySimulator(
      chain: .free, refreshes: ReplayRefreshes(from: 0, every: 25 * millisecond))
    (simulator.callback, simulator.latch, simulator.buffers) = (
      9 * millisecond, 16 * millisecond, 4
    )
    let work = (0..<100).map { row in
      var item = ReplayedWork(row: row)
      (item.app, item.gpu) = (50_000, 400_000)
      return item
    }
    let frames = simulator.play(work)
    for (before, frame) in zip(frames, frames.dropFirst()).dropFirst(3) {
      #expect((frame.queued - 9 * millisecond) % (25 * millisecond) == 0)
      #expect(frame.appStart == before.queued)
      #expect((frame.displayed ?? 0) - frame.queued == (25 + 16) * millisecond)
    }
    // Without callbacks it runs as fast as its GPU.
    (simulator.callback, simulator.display, simulator.renderAhead) = (nil, .mailbox, 3)
    let free = simulator.play(work)
    #expect(free[50].appStart - free[49].appStart == 400_000)
  }
}
