import FrameKit

/// The random work of a chain that runs freely, and its result.
struct RandomChain {
  private let family: RandomFamily
  private let display: SimulatedDisplay
  private var game: GameChain
  private var work: [GameChain.Work] = []
  /// The interval from one start to the next, in refresh intervals; 0 for as soon as buffers become free.
  private var rate = 0.0
  private let app, gpu: Double
  private let buffers: Int

  /// The number of frames.
  private static let count = 160

  init(_ family: RandomFamily, on display: SimulatedDisplay, _ random: inout SplitMix64) {
    self.family = family
    self.display = display
    let isBusy = family == .busy || (family == .changing && Bool.random(using: &random))
    buffers = isBusy ? Int.random(in: 2...4, using: &random) : 3
    game = GameChain(on: display, presentation: .firstInFirstOut(buffers: buffers))
    game.shownLater = isBusy || family == .resting ? Int64.random(in: 0...1, using: &random) : 0
    if isBusy {
      app = Double.random(in: 0.1...0.4, using: &random)
      // With two buffers, one frame is drawn while the other is shown, and nothing overlaps. Three buffers and a
      // compositor after the chain leave the same slack.
      let isTight = buffers == 2 || (buffers == 3 && game.shownLater > 0)
      gpu = Double.random(in: 0.1...(isTight ? 0.45 : 0.8), using: &random)
    } else {
      app = Double.random(in: 0.1...0.45, using: &random)
      gpu = Double.random(in: 0.05...0.4, using: &random)
      rate =
        family == .limited || family == .generated
        ? Double(Int.random(in: 2...3, using: &random)) : Double.random(in: 1.2...4, using: &random)
    }
    if game.shownLater > 0, buffers == 2 { game.shownLater = 0 }
    makeWork(&random)
  }

  private mutating func makeWork(_ random: inout SplitMix64) {
    // The durations of work fit the fastest rate, and the starts are slow enough for the slowest rate.
    let interval = Double(display.intervals.lowerBound)
    let slowest = Double(display.intervals.upperBound)
    let startJitter = rate > 0 ? Double.random(in: 0...0.2, using: &random) : 0
    let phase = Double.random(in: 0...1, using: &random)
    for index in 0..<Self.count {
      let jitter = Double.random(in: -0.02...0.02, using: &random)
      var item = GameChain.Work(
        app: Int64((app + jitter) * interval), gpu: Int64((gpu + jitter) * interval))
      switch family {
      case .limited:
        // The previous present call ends where this frame starts, and the sleep is in between.
        item.app = Int64(rate * interval) - game.callTime
        item.gpu = Int64(min(gpu, 0.3) * interval)
      case .resting, .generated, .changing:
        guard rate > 0 else { break }
        let late = Double.random(in: 0...max(startJitter, 1e-9), using: &random)
        item.start = Int64((2 + phase + Double(index) * rate) * slowest + late * interval)
      case .busy, .driven: break
      }
      work.append(item)
    }
    if family == .limited { work[0].start = Int64((2 + phase) * interval) }
  }

  /// The time at which each frame is shown.
  var shown: [Int64?] { game.play(work).map(\.displayed) }

  /// Slows down a stage of some frames that are far apart.
  /// - Returns: The frames, in order.
  mutating func slowDown(
    _ stage: PipelineStage, times: Int, _ random: inout SplitMix64
  ) -> [Int] {
    var frames: [Int] = []
    for index in 0..<times {
      let frame = 30 + index * 40 + Int.random(in: 0...12, using: &random)
      let share = Double.random(in: 0.5...3, using: &random)
      let more = Int64(share * Double(display.intervals.upperBound))
      if stage == .app { work[frame].app += more } else { work[frame].gpu += more }
      frames.append(frame)
    }
    return frames
  }

  /// The number of refreshes by which a frame is shown later than in a trace without a fault, minus the slack of the
  /// frames before it.
  func repeated(than clean: [Int64?], from frame: Int?) -> Int? {
    guard let frame, rate > 0, let now = shown[frame], let before = clean[frame] else { return nil }
    return Int(display.first(atOrAfter: now) - display.first(atOrAfter: before))
  }

  /// The trace that a recorder would have written.
  func trace(named name: String, _ random: inout SplitMix64) -> Trace {
    let frames = game.play(work)
    guard family == .generated else { return game.trace(of: frames, named: name, process: "game") }
    return game.trace(
      of: frames, named: name, process: "game", generatedFirst: Bool.random(using: &random))
  }

  var description: String {
    let shares = "app \(Int(app * 100)) %, GPU \(Int(gpu * 100)) % of an interval"
    return rate > 0
      ? "every \(rate) intervals, \(shares)" : "\(buffers) buffers, \(shares)"
  }
}
