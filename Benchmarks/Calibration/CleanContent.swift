import Foundation
import FrameKit

/// Frame times of about a minute in which no frame stutters, of the kinds that programs have.
enum CleanContent: String, CaseIterable, Sendable {
  case vsync60 = "60 Hz"
  case vsync120 = "120 Hz"
  case lock30 = "locked to 30 fps"
  case free = "free, each depends on the one before"
  case noise20 = "independent noise of 20 %"
  case noise35 = "independent noise of 35 %"
  case skewed
  case bimodal = "16.7 or 33.3 ms"
  case mixed = "8.3, 16.7 or 25 ms"
  case alternating = "alternate-frame rendering"
  case generated = "frame generation"
  case locks = "locks that switch between 30 and 60 fps"
  case scenes
  case thermal = "thermal throttling"
  case variable = "variable refresh"
  case mixed30 = "33.3 or 50 ms"
  case film = "33.3 and 50 ms in turns"
  case slow = "slow (80 ms), noise of 25 %"
  case whole = "60 Hz in whole milliseconds"
  case capped = "capped at 100 fps, with late wake-ups"

  /// The kinds that stalls are added to.
  static let forStalls: [CleanContent] = [
    .vsync60, .vsync120, .lock30, .free, .noise20, .noise35, .mixed, .variable, .thermal, .bimodal,
    .generated, .locks, .scenes, .slow,
  ]

  /// Frame times in milliseconds.
  func times(_ random: inout SplitMix64) -> [Double] {
    switch self {
    case .vsync60: Self.steady(3600, 16.667, jitter: 0.3, &random)
    case .vsync120: Self.steady(7200, 8.333, jitter: 0.01, &random)
    case .lock30: Self.steady(1800, 33.333, jitter: 0.4, &random)
    case .free: random.dependent(8000, correlation: 0.95, deviation: 0.12).map { 7 * exp($0) }
    case .noise20: Self.noisy(6000, 10, 0.2, &random)
    case .noise35: Self.noisy(5200, 11, 0.35, &random)
    case .skewed: (0..<5000).map { _ in random.gamma(12) }
    case .bimodal: Self.either(2400, 33.333, 16.667, share: 0.1..<0.9, &random)
    case .mixed: Self.mixed(&random)
    case .alternating: Self.alternating(&random)
    case .generated: Self.generated(&random)
    case .locks: Self.locks(&random)
    case .scenes: Self.scenes(&random)
    case .thermal: Self.thermal(&random)
    case .variable: Self.variable(&random)
    case .mixed30: Self.either(1500, 50, 33.333, share: 0.05..<0.6, &random)
    case .film: (0..<1440).map { ($0 % 2 == 0 ? 50 : 33.333) + random.normal(0.2) }
    case .slow: Self.noisy(750, 80, 0.25, &random)
    case .whole: Self.steady(3600, 16.667, jitter: 0.6, &random).map { $0.rounded() }
    case .capped: Self.capped(&random)
    }
  }

  private static func steady(
    _ count: Int, _ length: Double, jitter: Double, _ random: inout SplitMix64
  ) -> [Double] {
    (0..<count).map { _ in length + random.normal(jitter) }
  }

  private static func noisy(
    _ count: Int, _ length: Double, _ deviation: Double, _ random: inout SplitMix64
  ) -> [Double] {
    (0..<count).map { _ in length * exp(random.normal(deviation)) }
  }

  /// One of two lengths, the first with a random share.
  private static func either(
    _ count: Int, _ first: Double, _ second: Double, share: Range<Double>,
    _ random: inout SplitMix64
  ) -> [Double] {
    let share = random.uniform(share)
    return (0..<count).map { _ in
      (random.nextUnit() < share ? first : second) + random.normal(0.3)
    }
  }

  private static func mixed(_ random: inout SplitMix64) -> [Double] {
    (0..<4500).map { _ in
      let number = random.nextUnit()
      return (number < 0.45 ? 8.333 : number < 0.9 ? 16.667 : 25) + random.normal(0.2)
    }
  }

  private static func alternating(_ random: inout SplitMix64) -> [Double] {
    let short = random.uniform(3..<6)
    return (0..<7000).map { ($0 % 2 == 0 ? 16 - short : short) + random.normal(0.5) }
  }

  private static func generated(_ random: inout SplitMix64) -> [Double] {
    (0..<7400).map { max(0.1, ($0 % 2 == 0 ? 15.4 : 0.8) * exp(random.normal(0.08))) }
  }

  private static func locks(_ random: inout SplitMix64) -> [Double] {
    parts(lasting: 1500..<9000, &random) { number, duration, random in
      let length = number % 2 == 0 ? 16.667 : 33.333
      return steady(Int(duration / length), length, jitter: 0.3, &random)
    }
  }

  /// Menus, loading screens and scenes, each with a typical length from 2 to 60 ms.
  private static func scenes(_ random: inout SplitMix64) -> [Double] {
    parts(lasting: 2000..<15_000, &random) { _, duration, random in
      let length = random.logUniform(2..<60)
      let count = max(30, Int(duration / length))
      let noise = random.dependent(count, correlation: 0.9, deviation: 0.08)
      return noise.map { length * exp($0) }
    }
  }

  private static func parts(
    lasting durations: Range<Double>, _ random: inout SplitMix64,
    _ part: (_ number: Int, _ duration: Double, inout SplitMix64) -> [Double]
  ) -> [Double] {
    var times: [Double] = []
    var (number, time) = (0, 0.0)
    while time < 60_000 {
      let duration = random.uniform(durations)
      times += part(number, duration, &random)
      time += duration
      number += 1
    }
    return times
  }

  private static func thermal(_ random: inout SplitMix64) -> [Double] {
    let noise = random.dependent(5000, correlation: 0.9, deviation: 0.06)
    return noise.enumerated().map { (8 + 12 * Double($0) / 4999) * exp($1) }
  }

  private static func variable(_ random: inout SplitMix64) -> [Double] {
    var length = 10.0
    return (0..<6000).map { _ in
      length += random.normal(0.15)
      return min(max(length, 6.94), 20.8) + random.normal(0.2)
    }
  }

  /// A limiter that oversleeps, by Student's t with four degrees of freedom.
  private static func capped(_ random: inout SplitMix64) -> [Double] {
    (0..<6000).map { _ in
      10 + abs(random.normal()) / (random.gamma(2) / 2).squareRoot() * 0.3
    }
  }
}
