import FrameKit

/// Seeded random lengths of time around a middle value, in steps of 100 ns, the finest resolution of PresentMon's
/// files.
struct Variation {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A length from about `middle − spread` to `middle + spread`, uniformly distributed.
  mutating func length(_ middle: Int64, _ spread: Int64) -> Int64 {
    let steps = spread / 100
    return (middle / 100 + Int64.random(in: -steps...steps, using: &random)) * 100
  }
}
