import FrameKit

/// Work of a game whose app fills the buffers: app, then GPU, then display.
struct ChainPlan: JankPlan {
  var game: GameChain
  var work: [GameChain.Work]
  var faults: [PlannedFault] = []
  /// Whether a limiter holds the present call until the next frame starts.
  var waitsInPresent = false
  /// Whether a driver shows a generated frame halfway before each of the app's frames, listed before or after it;
  /// `nil` if it shows none.
  var generatedFirst: Bool?
  /// The longest interval of a display that waits for frames.
  var longest: Int64 = .max

  func play(_ faults: [PlannedFault]) -> PlayedWork {
    var work = work
    for fault in faults {
      if fault.stage == .app {
        work[fault.unit].app += fault.extra
      } else {
        work[fault.unit].gpu += fault.extra
      }
    }
    var frames = game.play(work)
    for index in frames.indices.dropLast() where waitsInPresent {
      frames[index].appEnd = max(frames[index].appEnd, frames[index + 1].appStart)
    }
    if case .variableRefresh = game.presentation { return playWaiting(frames) }
    let trace = game.trace(
      of: frames, named: "jank", process: "game.exe", queues: true,
      generatedFirst: generatedFirst)
    let display = game.display
    let refresh = { (time: Int64) in display.first(atOrAfter: time) }
    return PlayedWork(
      trace: trace,
      surfaces: [played(trace, frames.map { $0.displayed.map(refresh) }, refresh)],
      display: .fixed(display))
  }

  private func playWaiting(_ frames: [GameChain.Stages]) -> PlayedWork {
    let shown = frames.compactMap(\.displayed)
    var refreshes: [(time: Int64, isRepeated: Bool)] = []
    var numbers: [Int64?] = []
    for (time, next) in zip(shown, shown.dropFirst() + [.min]) {
      numbers.append(Int64(refreshes.count))
      refreshes.append((time, false))
      // The display has to be ready again for the next frame.
      var repeated = time + longest
      while repeated + game.display.interval <= next {
        refreshes.append((repeated, true))
        repeated += longest
      }
    }
    let trace = game.trace(
      of: frames, named: "jank", process: "game.exe", refreshes: refreshes, queues: true)
    return PlayedWork(
      trace: trace, surfaces: [played(trace, numbers) { _ in 0 }],
      display: .waiting(refreshes))
  }

  /// The units with their rows in the trace, which also has rows of generated frames.
  private func played(
    _ trace: Trace, _ refreshes: [Int64?], _ refresh: (Int64) -> Int64
  ) -> PlayedSurface {
    let frames = trace.surfaces[0].frames
    let isGenerated = { (row: Int) in
      frames[row, .kind] == FrameColumn.Kind.generated.rawValue
    }
    var played = PlayedSurface(
      refreshes: refreshes, rows: (0..<frames.count).filter { !isGenerated($0) })
    played.otherSwaps = (0..<frames.count).filter(isGenerated).compactMap { row in
      frames[row, .displayed].map(refresh)
    }
    return played
  }
}

// The families.
extension ChainPlan {
  /// Work that takes about the same time for every frame.
  /// - Parameter starts: The earliest time at which the app starts each frame; `nil` for as soon as possible.
  private init(
    _ game: GameChain, app: Double, gpu: Double, interval: Int64, starts: [Int64?],
    _ random: inout SplitMix64
  ) {
    self.game = game
    work = starts.map { start in
      let lengths = [app, gpu].map { share in
        Int64(Double(interval) * (share + Double.random(in: -0.02...0.02, using: &random)))
      }
      return GameChain.Work(app: lengths[0], gpu: lengths[1], start: start)
    }
  }

  /// Makes a stage of some frames longer, far enough apart for the queue to recover between faults.
  private mutating func addFaults(
    _ sizes: ClosedRange<Double>, of interval: Int64, _ random: inout SplitMix64
  ) {
    let positions = Int.random(in: 1...3, using: &random)
    let part = (work.count - 24) / positions
    for position in 0..<positions {
      let stage: PipelineStage = Bool.random(using: &random) ? .app : .gpu
      let unit = 12 + position * part + Int.random(in: 0..<max(1, part - 16), using: &random)
      let extra = Int64(Double.random(in: sizes, using: &random) * Double(interval))
      faults.append(PlannedFault(unit: unit, stage: stage, extra: extra))
    }
  }

  /// Starts at a rate below the display's, such that frames finish far from any refresh and nothing depends on chance.
  private static func starts(
    every rate: Double, _ count: Int, work: Double, interval: Int64, _ random: inout SplitMix64
  ) -> [Int64?] {
    let isHalf = rate != rate.rounded()
    let finish = Double.random(in: isHalf ? 0.14...0.34 : 0.14...0.84, using: &random)
    return (0..<count).map { index in
      let jitter = Double.random(in: 0...0.03, using: &random)
      let position = 4 + finish - work + Double(index) * rate + jitter
      return Int64(position * Double(interval))
    }
  }

  /// A game that draws at a rate below the display's.
  private static func paced(
    every rate: Double, interval: Int64, _ random: inout SplitMix64
  ) -> ChainPlan {
    let app = Double.random(in: 0.15...0.4, using: &random)
    let gpu = Double.random(in: 0.15...0.4, using: &random)
    let count = Int.random(in: 70...120, using: &random)
    let starts = starts(every: rate, count, work: app + gpu, interval: interval, &random)
    return ChainPlan(
      GameChain(interval: interval, presentation: .firstInFirstOut(buffers: 3)), app: app,
      gpu: gpu, interval: interval, starts: starts, &random)
  }

  static func limiter(isClean: Bool, _ random: inout SplitMix64) -> ChainPlan {
    let interval = RandomDisplay.interval(&random)
    let rates: [Double] = [1.5, 2, 2.5, 3]
    let rate = rates.randomElement(using: &random) ?? 2
    var plan = paced(every: rate, interval: interval, &random)
    plan.waitsInPresent = true
    if !isClean { plan.addFaults(1.0...2.2, of: interval, &random) }
    return plan
  }

  static func generatedFrames(isClean: Bool, _ random: inout SplitMix64) -> ChainPlan {
    let interval = RandomDisplay.interval(&random)
    var plan = paced(every: 2, interval: interval, &random)
    plan.generatedFirst = Bool.random(using: &random)
    plan.game.extrapolates = true
    if !isClean { plan.addFaults(1.0...2.2, of: interval, &random) }
    return plan
  }

  static func rateChanges(isClean: Bool, _ random: inout SplitMix64) -> ChainPlan {
    let display = RandomDisplay.changing(&random)
    let shortest = display.intervals.lowerBound
    let count = Int.random(in: 180...320, using: &random)
    var plan = ChainPlan(
      GameChain(on: display, presentation: .firstInFirstOut(buffers: 3)),
      app: Double.random(in: 0.1...0.4, using: &random),
      gpu: Double.random(in: 0.1...0.45, using: &random), interval: shortest,
      starts: [Int64?](repeating: nil, count: count), &random)
    if !isClean { plan.addFaults(1.0...3.0, of: display.intervals.upperBound, &random) }
    return plan
  }

  static func variableRefresh(isClean: Bool, _ random: inout SplitMix64) -> ChainPlan {
    let intervals: [Int64] = [4_166_667, 6_060_606, 6_944_444]
    let shortest = intervals.randomElement(using: &random) ?? 6_944_444
    let longest = Int64(Double(shortest) * Double.random(in: 2.6...3.5, using: &random))
    // Some games are slower than the display's slowest rate, so that the display repeats each frame.
    let isBelow = Int.random(in: 0..<3, using: &random) == 0
    let step =
      Double(longest) / Double(shortest)
      * (isBelow
        ? Double.random(in: 1.5...1.8, using: &random)
        : Double.random(in: 0.5...0.8, using: &random))
    let gpu = Double.random(in: 0.2...0.6, using: &random)
    let count = Int.random(in: 70...120, using: &random)
    var plan = ChainPlan(
      GameChain(interval: shortest, presentation: .variableRefresh), app: step, gpu: gpu,
      interval: shortest, starts: [Int64?](repeating: nil, count: count), &random)
    plan.longest = longest
    if !isClean { plan.addFaults(1.1...2.5, of: longest, &random) }
    return plan
  }
}
