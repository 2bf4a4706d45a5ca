import Foundation
import FrameKit

/// Random times of stutters, without and with a rhythm.
enum RandomStutters: String, CaseIterable, Sendable {
  case even = "at an even rate"
  case exciting = "each makes others more likely"
  case scenes = "another rate in each scene"
  case drifting = "a rate that rises or falls"
  case dead = "none for half the mean distance after each"
  case bursts = "bursts of two to eight"

  /// Ascending times in seconds of a run that lasts `span` seconds, with about `rate` a second.
  func times(_ span: Double, rate: Double, _ random: inout SplitMix64) -> [Double] {
    let times: [Double]
    switch self {
    case .even: times = Self.even(span, rate, &random)
    case .exciting: times = Self.exciting(span, rate, &random)
    case .scenes: times = Self.scenes(span, rate, &random)
    case .drifting:
      let exponent = random.uniform(1.2..<3)
      let shares = (0..<random.poisson(rate * span)).map { _ in pow(random.nextUnit(), exponent) }
      let rises = random.nextUnit() < 0.5
      times = shares.map { span * (rises ? 1 - $0 : $0) }
    case .dead:
      var time = 0.0
      times = (0..<Int(rate * span * 2) + 10).map { _ in
        time += (0.5 + 0.5 * random.exponential()) / rate
        return time
      }
    case .bursts:
      times = Self.even(span, rate / 4, &random).flatMap { start in
        var time = start
        return (0..<2 + Int(random.nextUnit() * 7)).map { _ in
          time += 0.25 * random.exponential()
          return time
        }
      }
    }
    return Self.apart(times.filter { $0 < span })
  }

  /// Ascending times of a rhythm and others.
  /// - Parameters:
  ///   - jitter: The standard deviation of each time from its beat, as a share of the period.
  ///   - others: The number of others as a share of beats.
  static func rhythm(
    _ period: Double, beats: Int, jitter: Double, others: Double, _ random: inout SplitMix64
  ) -> [Double] {
    let start = random.nextUnit()
    let regular = (0..<beats).map { period * (Double($0) + start + random.normal(jitter)) }
    let count = Int((others * Double(beats)).rounded())
    let span = period * Double(beats)
    let random = (0..<count).map { _ in span * random.nextUnit() }
    return apart((regular + random).filter { $0 >= 0 })
  }

  private static func even(
    _ span: Double, _ rate: Double, _ random: inout SplitMix64
  ) -> [Double] {
    (0..<random.poisson(rate * span)).map { _ in span * random.nextUnit() }
  }

  /// 0.6 others for each, within 0.2 to 8 s.
  private static func exciting(
    _ span: Double, _ rate: Double, _ random: inout SplitMix64
  ) -> [Double] {
    let delay = random.logUniform(0.2..<8)
    var times = even(span, 0.4 * rate, &random)
    var index = 0
    while index < times.count {
      for _ in 0..<random.poisson(0.6) {
        let time = times[index] + delay * random.exponential()
        if time < span { times.append(time) }
      }
      index += 1
    }
    return times
  }

  /// Scenes of 3 to 60 s.
  private static func scenes(
    _ span: Double, _ rate: Double, _ random: inout SplitMix64
  ) -> [Double] {
    var times: [Double] = []
    var start = 0.0
    while start < span {
      let duration = random.logUniform(3..<60)
      let count = random.poisson(rate * duration * random.gamma(0.6) / 0.6)
      times += (0..<count).map { _ in start + duration * random.nextUnit() }
      start += duration
    }
    return times
  }

  /// Ascending times more than 0.15 s apart, as closer ones are one stutter.
  private static func apart(_ times: [Double]) -> [Double] {
    times.sorted().reduce(into: []) { kept, time in
      if kept.last.map({ time - $0 > 0.15 }) ?? true { kept.append(time) }
    }
  }
}
