@testable import FrameStatistics

/// Frame lengths of the kinds that programs have, with and without stalls.
enum StutterContent: CaseIterable {
  case vsync60, vsync120, locked, free, noise20, noise35, mixed, variable, thermal, bimodal
  case generated, locks, scenes, slow

  /// The lengths of frames without stalls, in nanoseconds.
  func lengths(_ count: Int, _ random: inout SplitMix64) -> [Int64] {
    var level = 1.0
    var wandering = 0.0
    return (0..<count).map { index in
      let noise = (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
      if index % 250 == 0 { level = 2 / (1 + 29 * random.nextUnit()) }
      wandering = 0.95 * wandering + noise * 0.04
      let milliseconds = self.milliseconds(
        index, Double(index) / Double(count), noise, wandering, level, random.nextUnit())
      return Int64(Millionths.of(milliseconds))
    }
  }

  /// A length by its index, the share of the run before it, a normal number, one that depends on
  /// those before, the level of the scene, and a uniform number.
  private func milliseconds(
    _ index: Int, _ share: Double, _ noise: Double, _ wandering: Double, _ level: Double,
    _ uniform: Double
  ) -> Double {
    switch self {
    case .vsync60: 16.667 + 0.3 * noise
    case .vsync120: 8.333 + 0.01 * noise
    case .locked: 33.333 + 0.4 * noise
    case .free: 7 * Elementary.exp(wandering)
    case .noise20: 10 * Elementary.exp(0.2 * noise)
    case .noise35: 11 * Elementary.exp(0.35 * noise)
    case .mixed: (uniform < 0.45 ? 8.333 : uniform < 0.9 ? 16.667 : 25) + 0.2 * noise
    case .variable: min(max(6.94, 10 + 40 * wandering), 20.8) + 0.2 * noise
    case .thermal: (8 + 12 * share) * Elementary.exp(wandering / 2)
    case .bimodal: (uniform < 0.4 ? 33.333 : 16.667) + 0.3 * noise
    case .generated: (index % 2 == 0 ? 15.4 : 0.8) * Elementary.exp(0.08 * noise)
    case .locks: (share * 5 - (share * 5).rounded(.down) < 0.5 ? 16.667 : 33.333) + 0.3 * noise
    case .scenes: 30 * level * Elementary.exp(wandering)
    case .slow: 80 * Elementary.exp(0.25 * noise)
    }
  }

  /// The lengths of frames to some of which 8 ms to 2 s were added, up to one in 20.
  func stalling(_ count: Int, _ random: inout SplitMix64) -> [Int64] {
    var lengths = lengths(count, &random)
    for _ in 0..<Int(random.nextUnit() * Double(count) / 20) {
      let excess = Millionths.of(8 * Elementary.exp(5.5 * random.nextUnit()))
      lengths[Int(random.nextUnit() * Double(count))] += Int64(excess)
    }
    return lengths
  }

  /// When each frame ends, in nanoseconds, if one follows the other.
  static func ends(_ lengths: [Int64]) -> [Int64] {
    var time: Int64 = 0
    return lengths.map { length in
      time += length
      return time
    }
  }
}

extension StutterScan {
  /// The stutters of frames that follow each other.
  init?(lengths: [Int64]) { self.init(lengths: lengths, ends: StutterContent.ends(lengths)) }
}
