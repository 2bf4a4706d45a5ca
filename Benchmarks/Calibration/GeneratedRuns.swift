import Foundation
import FrameKit

/// Random runs of frame times like those of games and scrolling apps: work that depends on the
/// frame before, scenes of different weight, bursts of slow frames, runs that differ as a whole,
/// and a display that ties frames to its refreshes.
struct GeneratedRuns {
  /// The kind of runs.
  struct Kind: Sendable {
    let name: String
    var frames = 1800
    /// The refresh interval in milliseconds, and whether frames are tied to refreshes.
    var interval = 1000.0 / 60
    var isBound = false
    /// The usual work of a frame in milliseconds.
    var work = 11.0
    /// The share of a frame's deviation in work that the next frame keeps, and the size of the
    /// deviation.
    var memory = 0.9
    var spread = 0.08
    /// The weights of the scenes, which follow one another, and the number of frames in each.
    var scenes = [1.0]
    var sceneFrames = 150
    /// How often a burst starts and continues, how heavy its tail is, and its smallest size in
    /// units of work.
    var burst = (start: 0.004, goesOn: 0.4, tail: 2.2, size: 0.6)
    /// How much runs differ in their work, and in how often bursts start.
    var betweenRuns = (work: 0.01, bursts: 0.2)
    /// How much a run drifts, and by how much it is throttled from a random time on.
    var drift = 0.0
    var throttle = 0.0
    /// The error of time stamps, in milliseconds.
    var jitter = 0.05
    /// How many refreshes the app intends each frame to take, one value for each stretch of
    /// `sceneFrames`.
    var kept = [1]
    /// Whether the source of the times states the refresh interval.
    var statesRefresh = true
    /// How likely a run is to be slower as a whole, by what factor, and by what factor bursts then
    /// start more often.
    var strays = 0.0
    var strayWork = 1.4...2.0
    var strayBursts = 1.0
    /// The factor on the work of a side's first run, as on a cold device.
    var coldStart = 1.0
    /// Whether a frame takes as many refreshes as its work needs, regardless of the frames before
    /// it.
    var roundsUp = false
    /// How often garbage is collected, in frames, and how long that takes, in milliseconds; `nil`
    /// for never.
    var collections: (every: ClosedRange<Int>, length: Double)?
    /// Whether runs differ by a t distribution with three degrees of freedom instead of a normal
    /// one.
    var hasHeavyTails = false
    /// How much slower the slower of two clock states is; a run switches between them about every
    /// 300 frames.
    var governor = 0.0
    /// The factor on the frames in the first second of a side's first run.
    var warmUp = 1.0
    /// The order in which the runs of both sides are made, if each is slower than the one before.
    var order: Order?
    /// By how much each run is then slower than the one before.
    var slowerThanBefore = 0.01
    /// Whether the traces show that order.
    var showsOrder = true
    /// How much the device's state changes the work, and how much of it the next run keeps.
    var machine = (size: 0.0, memory: 0.8)
    /// How much the sides differ for another reason than the program, as on another day.
    var betweenSides = 0.0
    /// How much pairs of consecutive runs differ because of the device's state.
    var betweenPairs = 0.0
    /// The number of earlier runs of the first side, and the factor on the work of the first of
    /// them.
    var earlier = 0
    var firstEarlier = 1.0

    /// How likely a frame begins a burst of stalls, how likely another one follows ten frames later, and how long a
    /// stall is, in milliseconds.
    var stalls = (start: 0.0, goesOn: 0.0, length: 0.0)
    /// The share of runs that have stalls.
    var runsWithStalls = 1.0

    /// Whether other rules can be compared on these runs: they know neither the order nor earlier
    /// runs.
    var isForOthers: Bool { !hasDesign && earlier == 0 }

    /// Whether more than the sides differs from run to run: the order, or the day.
    var hasDesign: Bool { order != nil || betweenSides > 0 }
  }

  /// The order in which the runs of two sides are made.
  enum Order: Sendable {
    case alternating, blocked
    /// Alternating, with the starting side swapped in every other pair.
    case turned

    /// The index of a side's run in that order, with `runs` runs on each side.
    func position(_ run: Int, ofSide side: Int, runs: Int) -> Int {
      switch self {
      case .alternating: 2 * run + side
      case .blocked: side * runs + run
      case .turned: 2 * run + (run % 2 == 0 ? side : 1 - side)
      }
    }
  }

  static let kinds: [Kind] = [
    Kind(
      name: "benchmark pass", scenes: [0.8, 1, 1.35], betweenRuns: (work: 0.008, bursts: 0.15)),
    Kind(
      name: "60 Hz scroll", frames: 1200, isBound: true, work: 13, spread: 0.12,
      burst: (start: 0.006, goesOn: 0.4, tail: 2.2, size: 0.7),
      betweenRuns: (work: 0.02, bursts: 0.25), jitter: 0.3),
    Kind(
      name: "120 Hz scroll", frames: 2400, interval: 1000.0 / 120, isBound: true, work: 7,
      memory: 0.92, spread: 0.12, burst: (start: 0.008, goesOn: 0.4, tail: 2.2, size: 0.8),
      betweenRuns: (work: 0.02, bursts: 0.25), jitter: 0.01),
    Kind(
      name: "garbage collection", frames: 900,
      burst: (start: 0.012, goesOn: 0.6, tail: 1.6, size: 0.8),
      betweenRuns: (work: 0.015, bursts: 0.35)),
    Kind(name: "thermal throttling", drift: 0.03, throttle: 0.08),
    Kind(
      name: "locked to 30 on 60 Hz", frames: 900, isBound: true, work: 22, spread: 0.12,
      burst: (start: 0.006, goesOn: 0.4, tail: 2.2, size: 0.7),
      betweenRuns: (work: 0.02, bursts: 0.25), jitter: 0.1, kept: [2]),
    Kind(
      name: "60 and 120 on 120 Hz", frames: 1800, interval: 1000.0 / 120, isBound: true, work: 5.5,
      spread: 0.12, burst: (start: 0.006, goesOn: 0.4, tail: 2.2, size: 0.8),
      betweenRuns: (work: 0.02, bursts: 0.25), kept: [2, 2, 1, 2]),
    Kind(
      name: "variable refresh", scenes: [0.9, 1, 1.2], betweenRuns: (work: 0.012, bursts: 0.2),
      statesRefresh: false),
    Kind(
      name: "120 Hz table, inferred", frames: 2400, interval: 1000.0 / 120, isBound: true, work: 7,
      memory: 0.92, spread: 0.12, burst: (start: 0.008, goesOn: 0.4, tail: 2.2, size: 0.8),
      betweenRuns: (work: 0.02, bursts: 0.25), statesRefresh: false),
    Kind(name: "stray runs", strays: 0.1),
    Kind(
      name: "a bad run in 20", frames: 1500, work: 12, betweenRuns: (work: 0.01, bursts: 0.25),
      strays: 0.05, strayWork: 1.3...1.3, strayBursts: 5),
    Kind(
      name: "first run cold", frames: 1500, work: 12, betweenRuns: (work: 0.008, bursts: 0.2),
      coldStart: 1.05),
    Kind(
      name: "144 Hz, one and two refreshes", frames: 2000, interval: 1000.0 / 144, isBound: true,
      work: 10.5, memory: 0.95, spread: 0.2,
      burst: (start: 0.005, goesOn: 0.4, tail: 2.2, size: 0.86),
      betweenRuns: (work: 0.02, bursts: 0.25), jitter: 0.01, roundsUp: true),
    Kind(
      name: "collection every 120 frames", frames: 1500, work: 8,
      burst: (start: 0, goesOn: 0, tail: 2.2, size: 0.6), betweenRuns: (work: 0.012, bursts: 0.35),
      collections: (every: 90...150, length: 14)),
    Kind(
      name: "heavy tails", frames: 1200, work: 12,
      burst: (start: 0.008, goesOn: 0.4, tail: 1.5, size: 0.67),
      betweenRuns: (work: 0.009, bursts: 0.3), hasHeavyTails: true),
    Kind(
      name: "clock states", frames: 1500, spread: 0.06,
      burst: (start: 0.004, goesOn: 0.4, tail: 2.2, size: 0.64),
      betweenRuns: (work: 0.006, bursts: 0.2), governor: 0.12),
    Kind(
      name: "60 Hz, a third at 30", frames: 1200, isBound: true, work: 9, spread: 0.1,
      scenes: [1, 1, 1, 1, 1, 1, 1, 2.11, 2.11, 2.11], sceneFrames: 60,
      burst: (start: 0.006, goesOn: 0.4, tail: 2.2, size: 0.89),
      betweenRuns: (work: 0.02, bursts: 0.3), jitter: 0.2,
      kept: [1, 1, 1, 1, 1, 1, 1, 2, 2, 2]),
    Kind(name: "warm-up", warmUp: 2),
    Kind(name: "drift, alternated", order: .alternating),
    Kind(name: "drift, one side first", order: .blocked),
    Kind(name: "drift, one side first, order unknown", order: .blocked, showsOrder: false),
    Kind(
      name: "cold first runs, one side first", coldStart: 1.06, order: .blocked,
      slowerThanBefore: 0),
    Kind(
      name: "changing machine, one side first", order: .blocked, slowerThanBefore: 0,
      machine: (size: 0.02, memory: 0.8)),
    Kind(
      name: "changing machine, in turns", order: .turned, slowerThanBefore: 0,
      machine: (size: 0.02, memory: 0.8)),
    Kind(name: "another day", betweenSides: 0.02),
    Kind(
      name: "pairs 3 % apart", order: .turned, slowerThanBefore: 0, betweenPairs: 0.03),
    Kind(name: "20 earlier runs", earlier: 20),
    Kind(name: "20 earlier runs, one bad", earlier: 20, firstEarlier: 1.3),
    Kind(name: "stalls in bursts", stalls: (start: 0.002, goesOn: 0.7, length: 90)),
    Kind(
      name: "a stall in one run of five", stalls: (start: 0.001, goesOn: 0, length: 300),
      runsWithStalls: 0.2),
    Kind(name: "stops of 2 s", stalls: (start: 0.001, goesOn: 0, length: 2000)),
  ]

  private let kind: Kind
  private var random: SplitMix64

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SplitMix64(seed: seed)
  }

  /// The runs of both sides.
  /// - Parameter change: What is worse in the runs of the second side.
  mutating func sides(
    of runs: Int, _ change: RunChange, named names: [String] = ["a", "b"]
  ) -> [[RunTimes]] {
    let pairs = (0..<runs).map { _ in kind.betweenPairs > 0 ? kind.betweenPairs * normal() : 0 }
    let states = states(2 * runs)
    return names.enumerated().map { side, name in
      let day = kind.betweenSides > 0 ? kind.betweenSides * normal() : 0
      return (0..<runs).map { number in
        let position = kind.order?.position(number, ofSide: side, runs: runs)
        var run = run(
          named: name + String(number), side == 0 ? .none : change, isFirst: number == 0,
          slower: exp(
            kind.slowerThanBefore * Double(position ?? 0) + pairs[number] + day
              + (position.map { states[$0] } ?? 0)))
        if let position, kind.showsOrder {
          run.start = 1_000_000_000_000 + Int64(position) * 60_000_000_000
          run.clock = "monotonic"
        }
        return run
      }
    }
  }

  /// The device's state at each of some runs in a row.
  private mutating func states(_ count: Int) -> [Double] {
    guard kind.machine.size > 0 else { return Array(repeating: 0, count: count) }
    let kept = kind.machine.memory
    var state = normal()
    return (0..<count).map { _ in
      defer { state = kept * state + (1 - kept * kept).squareRoot() * normal() }
      return kind.machine.size * state
    }
  }

  /// A run of each side, made one after the other in an order by chance.
  /// - Parameters:
  ///   - number: How many pairs were made before.
  ///   - change: What is worse in the run of the second side.
  mutating func pair(
    _ number: Int, _ change: RunChange, isFirstBefore: Bool
  ) -> (before: RunTimes, after: RunTimes) {
    let state = kind.betweenPairs > 0 ? kind.betweenPairs * normal() : 0
    let runs = [0, 1].map { side in
      let position = 2 * number + (side == (isFirstBefore ? 0 : 1) ? 0 : 1)
      let drift = kind.order == nil ? 0 : kind.slowerThanBefore * Double(position)
      return run(
        named: "\(side) \(number)", side == 0 ? .none : change, isFirst: number == 0,
        slower: exp(drift + state))
    }
    return (runs[0], runs[1])
  }

  /// The earlier runs of the first side, one per job.
  mutating func earlier() -> [[RunTimes]] {
    (0..<kind.earlier).map { number in
      [
        run(
          named: "e\(number)", .none, isFirst: false,
          slower: number == 0 ? kind.firstEarlier : 1)
      ]
    }
  }

  /// One run.
  /// - Parameters:
  ///   - isFirst: Whether it is the first run of its side.
  ///   - slower: The factor on its work.
  private mutating func run(
    named name: String, _ change: RunChange, isFirst: Bool, slower: Double
  ) -> RunTimes {
    let deviationOfRun = kind.hasHeavyTails ? heavy() : normal()
    var level = exp(kind.betweenRuns.work * deviationOfRun) * (1 + change.work) * slower
    if isFirst { level *= kind.coldStart }
    let isStray = kind.strays > 0 && random.nextUnit() < kind.strays
    if isStray {
      let (low, high) = (kind.strayWork.lowerBound, kind.strayWork.upperBound)
      level *= low + (high - low) * random.nextUnit()
    }
    let often = exp(kind.betweenRuns.bursts * normal())
    let bursts = kind.burst.start * often * change.bursts * (isStray ? kind.strayBursts : 1)
    var collection = kind.collections.map { Int(random.nextUnit() * Double($0.every.upperBound)) }
    var isSlowClock = random.nextUnit() < 0.5
    let hasStalls =
      kind.stalls.start > 0 && (kind.runsWithStalls >= 1 || random.nextUnit() < kind.runsWithStalls)
    var nextStall: Int?
    let drift = kind.drift * normal()
    let throttledFrom =
      kind.throttle > 0 ? Int(random.nextUnit() * Double(kind.frames) * 1.3) : .max
    var deviation = kind.spread * normal()
    var isBurst = false
    var queue = DisplayQueue(interval: kind.interval)
    var stamp = 0.0
    var time = 0.0
    let times = (0..<kind.frames).map { frame -> Int64 in
      deviation =
        kind.memory * deviation + kind.spread * (1 - kind.memory * kind.memory).squareRoot()
        * normal()
      let stretch = frame / kind.sceneFrames
      let share = Double(frame) / Double(kind.frames) - 0.5
      var work =
        kind.work * kind.scenes[stretch % kind.scenes.count] * level
        * exp(deviation + drift * share)
      if frame >= throttledFrom { work *= 1 + kind.throttle }
      if kind.governor > 0 {
        if random.nextUnit() < 1.0 / 300 { isSlowClock.toggle() }
        if isSlowClock { work *= 1 + kind.governor }
      }
      if let kinds = kind.collections, collection == frame {
        work += (1 + change.work) * often * kinds.length * exp(0.5 * normal())
        let (least, most) = (Double(kinds.every.lowerBound), Double(kinds.every.upperBound))
        let apart = (least + random.nextUnit() * (most - least)) / change.bursts
        collection = frame + max(1, Int(apart))
      }
      if hasStalls {
        let chance = frame == nextStall ? kind.stalls.goesOn : kind.stalls.start * often
        if random.nextUnit() < chance {
          work += kind.stalls.length * exp(0.3 * normal())
          nextStall = frame + 10
        }
      }
      isBurst = random.nextUnit() < (isBurst ? kind.burst.goesOn : bursts)
      if isBurst { work += burst() * (1 + change.work) }
      if isFirst, time < 1000 { work *= kind.warmUp }
      let late = change.drops > 0 && random.nextUnit() < change.drops ? kind.interval : 0
      guard kind.isBound else {
        time += work + late
        return Int64((work + late) * 1e6)
      }
      let shown =
        kind.roundsUp
        ? max(1, (work / kind.interval).rounded(.up)) * kind.interval + late
        : queue.show(work, kept: kind.kept[stretch % kind.kept.count], late: late)
      let next = kind.jitter * normal()
      defer { stamp = next }
      time += shown
      return Int64(max(0.2, shown + next - stamp) * 1e6)
    }
    let interval = Nanoseconds(Int64(kind.interval * 1e6))
    return RunTimes(named: name, times: times, interval: kind.statesRefresh ? interval : nil)
  }

  /// A random number from a t distribution with three degrees of freedom, limited to ±20.
  private mutating func heavy() -> Double {
    let own = normal()
    let squares = (0..<3).reduce(0.0) { sum, _ in
      let value = normal()
      return sum + value * value
    }
    return min(20, max(-20, own / (squares / 3).squareRoot()))
  }

  /// How much longer a frame of a burst takes: a Pareto-distributed length.
  private mutating func burst() -> Double {
    let size = kind.burst.size * kind.work
    let share = 1 - random.nextUnit()
    return min(size * exp(-log(share) / kind.burst.tail), 40 * kind.work)
  }

  /// A standard normal number, as the sum of twelve uniform ones: accurate enough, and the same on
  /// every machine.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
  }

}

/// A display that shows each frame at a separate refresh, for an app that works one frame ahead.
private struct DisplayQueue {
  let interval: Double
  private var finished = 0.0
  private var shown = 0.0
  private var shownBefore = 0.0

  init(interval: Double) { self.interval = interval }

  /// Shows a frame that takes the given work.
  /// - Parameters:
  ///   - kept: How many refreshes after the previous frame it should be shown.
  ///   - late: How much later than ready it is shown.
  /// - Returns: The time since the previous frame was shown.
  mutating func show(_ work: Double, kept: Int, late: Double) -> Double {
    finished = max(finished, shownBefore) + work
    let ready = max(finished, shown + interval / 2)
    let due = shown + Double(kept) * interval
    let refresh = max((ready / interval).rounded(.up) * interval, due) + late
    defer { (shownBefore, shown) = (shown, refresh) }
    return refresh - shown
  }
}
