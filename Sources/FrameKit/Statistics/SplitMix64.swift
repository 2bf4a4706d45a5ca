/// A small random number generator whose sequence is fixed by its seed, on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014. Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, 1.
  public mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
