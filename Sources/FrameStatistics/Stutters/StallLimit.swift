/// The length from which a frame is a stall next to a window of frames, and the usual length there.
///
/// A stall must take 2.5 times the usual length or 23 ms more, and always at least 8 ms more. In noisy content, it must
/// also be six standard deviations of the logarithm away. More than a quarter of a window must be long before that
/// length counts as usual, so that stalls do not hide each other.
struct StallLimit {
  /// The upper quartile of the window, in nanoseconds.
  let usual: Int64
  /// The minimum length of a stall, in nanoseconds.
  let length: Int64

  /// The excess over the usual length that always suffices, and the excess that is always needed.
  private static let excess = (sufficient: Int64(23_000_000), needed: Int64(8_000_000))
  /// The reach of noise in standard deviations, and the largest ratio that noise explains.
  private static let noise = (deviations: 6.0, ratio: 4.0)

  private init(usual: Int64, length: Int64) { (self.usual, self.length) = (usual, length) }

  /// Computes the limit from a window in ascending order, in constant time.
  /// - Precondition: The window is not empty.
  init(ascending window: [Int64]) {
    let tenth = Double(window[Self.rank(10, of: window.count)])
    let median = Double(window[Self.rank(50, of: window.count)])
    usual = window[Self.rank(75, of: window.count)]
    // The smaller spread of both sides: stalls and two usual lengths widen only one side.
    let spread = min(
      Elementary.log(Double(usual) / median) / 0.6744897501960817,
      Elementary.log(median / tenth) / 1.2815515655446004)
    let ratio = min(Self.noise.ratio, Elementary.exp(Self.noise.deviations * spread))
    length = max(Self.least(usual: usual), Int64((Double(usual) * ratio).rounded(.up)))
  }

  /// The minimum length of a stall in content without noise; it never falls as the usual length grows.
  static func least(usual: Int64) -> Int64 {
    // Half of the product is rounded up, so that a length reaches it only if the length reaches the exact value.
    let excess = min((3 * min(usual, excess.sufficient) + 1) / 2, excess.sufficient)
    return usual + max(excess, Self.excess.needed)
  }

  /// The larger usual length and the larger limit of two windows.
  static func larger(_ one: StallLimit, _ other: StallLimit) -> StallLimit {
    StallLimit(usual: max(one.usual, other.usual), length: max(one.length, other.length))
  }

  /// The index of the smallest of `count` ascending values such that at least `percent` of all values are at or below
  /// it.
  static func rank(_ percent: Int, of count: Int) -> Int {
    max(0, (count * percent + 99) / 100 - 1)
  }
}
