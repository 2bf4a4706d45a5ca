/// The difference of two sides whose runs are of several kinds, at one mix of the kinds.
///
/// Each kind that both sides have counts as much as it has runs on both together, so that a side with more runs of
/// a slow device is not taken to be slower. The variance of a side is that within its kinds; with one kind it is
/// Welch's test.
struct StratifiedDifference {
  /// The difference at one mix.
  let test: TwoSampleT
  /// The means at one mix.
  let before, after: Double
  /// The difference of the plain means.
  let plain: Double
  /// How many values there are a side of kinds that both sides have.
  let counts: (before: Int, after: Int)
  /// Half of what the shares of kinds differ by: 0 is the same mix, 1 has nothing in common.
  let mixChange: Double

  /// - Parameter kinds: For each kind what the values of the sides are like.
  /// - Returns: `nil` where no variance can be taken from the values.
  init?(_ kinds: [(before: Moments, after: Moments)]) {
    let common = kinds.filter { $0.before.count > 0 && $0.after.count > 0 }
    let numbers = common.map { Double($0.before.count) + Double($0.after.count) }
    let all = numbers.reduce(0, +)
    guard all > 0 else { return nil }
    let weights = numbers.map { $0 / all }
    before = zip(weights, common).reduce(0) { $0 + $1.0 * $1.1.before.mean }
    after = zip(weights, common).reduce(0) { $0 + $1.0 * $1.1.after.mean }
    let sides = [
      Self.error(zip(weights, common.map(\.before))),
      Self.error(zip(weights, common.map(\.after))),
    ].compactMap { $0 }
    guard sides.count == 2 else { return nil }
    test = TwoSampleT(difference: after - before, means: sides)
    plain = Self.mean(kinds.map(\.after)) - Self.mean(kinds.map(\.before))
    counts = (Self.count(common.map(\.before)), Self.count(common.map(\.after)))
    let totals = (Double(Self.count(kinds.map(\.before))), Double(Self.count(kinds.map(\.after))))
    mixChange =
      kinds.reduce(0) { sum, kind in
        sum + abs(Double(kind.before.count) / totals.0 - Double(kind.after.count) / totals.1)
      } / 2
  }

  private static func count(_ kinds: [Moments]) -> Int { kinds.reduce(0) { $0 &+ $1.count } }

  private static func mean(_ kinds: [Moments]) -> Double {
    kinds.reduce(0) { $0 + $1.mean * Double($1.count) } / Double(max(1, count(kinds)))
  }

  /// The variance of a side's mean at one mix, from the variance within its kinds.
  private static func error(_ kinds: some Sequence<(Double, Moments)>) -> (
    variance: Double, degrees: Double
  )? {
    let kinds = Array(kinds)
    let degrees = kinds.reduce(0) { $0 + Double($1.1.count - 1) }
    guard degrees >= 1 else { return nil }
    let within = kinds.reduce(0) { $0 + $1.1.squares } / degrees
    return (kinds.reduce(0) { $0 + $1.0 * $1.0 * within / Double($1.1.count) }, degrees)
  }
}
