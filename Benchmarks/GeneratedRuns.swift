import Foundation
import FrameKit

/// Runs of frame times as games and scrolling apps make them, at random: work that remembers the
/// frame before, scenes of different weight, bursts of slow frames, runs that differ as a whole,
/// and a display that binds frames to its refreshes.
struct GeneratedRuns {
  /// What kind of runs.
  struct Kind: Sendable {
    let name: String
    var frames = 1800
    /// The refresh interval in milliseconds, and whether frames are bound to it.
    var interval = 1000.0 / 60
    var isBound = false
    /// The usual work of a frame in milliseconds.
    var work = 11.0
    /// How much of the deviation of a frame's work the next one keeps, and how large it is.
    var memory = 0.9
    var spread = 0.08
    /// The weights of the scenes that follow one another.
    var scenes = [1.0]
    /// How often a burst starts and goes on, how heavy its tail is, and its least size in work.
    var burst = (start: 0.004, goesOn: 0.4, tail: 2.2, size: 0.6)
    /// How much runs differ in their work, and in how often bursts start.
    var betweenRuns = (work: 0.01, bursts: 0.2)
    /// How much a run drifts, and by how much it is throttled at some time.
    var drift = 0.0
    var throttle = 0.0
    /// By how much time stamps are off, in milliseconds.
    var jitter = 0.05
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
  ]

  private let kind: Kind
  private var random: SplitMix64

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SplitMix64(seed: seed)
  }

  /// One run.
  /// - Parameter slower: By what share its work is heavier.
  mutating func run(named name: String, slower: Double = 0) -> RunTimes {
    let level = exp(kind.betweenRuns.work * normal()) * (1 + slower)
    let bursts = kind.burst.start * exp(kind.betweenRuns.bursts * normal())
    let drift = kind.drift * normal()
    let throttledFrom =
      kind.throttle > 0 ? Int(random.nextUnit() * Double(kind.frames) * 1.3) : .max
    var deviation = kind.spread * normal()
    var isBurst = false
    var queue = DisplayQueue(interval: kind.interval)
    var stamp = 0.0
    let times = (0..<kind.frames).map { frame -> Int64 in
      deviation =
        kind.memory * deviation + kind.spread * (1 - kind.memory * kind.memory).squareRoot()
        * normal()
      let scene = kind.scenes[frame / 150 % kind.scenes.count]
      let share = Double(frame) / Double(kind.frames) - 0.5
      var work = kind.work * scene * level * exp(deviation + drift * share)
      if frame >= throttledFrom { work *= 1 + kind.throttle }
      isBurst = random.nextUnit() < (isBurst ? kind.burst.goesOn : bursts)
      if isBurst { work += burst() * (1 + slower) }
      guard kind.isBound else { return Int64(work * 1e6) }
      let next = kind.jitter * normal()
      defer { stamp = next }
      return Int64(max(0.2, queue.show(work) + next - stamp) * 1e6)
    }
    return RunTimes(
      named: name, times: times, interval: Nanoseconds(Int64(kind.interval * 1e6)))
  }

  /// How much longer a frame of a burst takes: a Pareto length.
  private mutating func burst() -> Double {
    let size = kind.burst.size * kind.work
    let share = 1 - random.nextUnit()
    return min(size * exp(-log(share) / kind.burst.tail), 40 * kind.work)
  }

  /// A standard normal number, by the sum of twelve even ones: near enough, and the same on every
  /// machine.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
  }

}

/// A display that shows a frame at a refresh of its own, of an app that works one ahead.
private struct DisplayQueue {
  let interval: Double
  private var finished = 0.0
  private var shown = 0.0
  private var shownBefore = 0.0

  init(interval: Double) { self.interval = interval }

  /// Shows a frame that takes so much work.
  /// - Returns: The time since the frame before was shown.
  mutating func show(_ work: Double) -> Double {
    finished = max(finished, shownBefore) + work
    let ready = max(finished, shown + interval / 2)
    let refresh = max((ready / interval).rounded(.up) * interval, shown + interval)
    defer { (shownBefore, shown) = (shown, refresh) }
    return refresh - shown
  }
}
