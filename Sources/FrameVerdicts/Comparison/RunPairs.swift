/// Runs that belong together in pairs, one of each side, made one after the other: what a device does from pair to pair
/// is the same for both.
enum RunPairs {
  /// Pairs as a user gives them: by when the runs of each side were made, or else in the order given.
  static func given(
    _ before: [RunSummary], _ after: [RunSummary]
  ) -> (before: [RunSummary], after: [RunSummary]) {
    let isKnown = RunOrder.places(before, after) != nil
    let sides = isKnown ? [before, after].map(Comparison.inOrder) : [before, after]
    // Sums of real numbers depend on their order, and must not on that of the pairs.
    let pairs = zip(sides[0], sides[1]).sorted { one, other in
      (one.0.start ?? .min, one.0.file, one.1.file)
        < (other.0.start ?? .min, other.0.file, other.1.file)
    }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  /// Whether the order shows pairs, as many with one side first as with the other: a steady drift is then no part of the
  /// difference.
  /// - Parameters:
  ///   - places: Those of the runs of the first side, in order, then of the second.
  ///   - count: How many runs the first side has.
  static func areShown(by places: [Int], of count: Int) -> Bool {
    guard count >= ComparisonConstants.fewestPairs, places.count == 2 * count else { return false }
    let pairs = zip(places.prefix(count), places.suffix(count))
    guard pairs.allSatisfy({ $0 / 2 == $1 / 2 }) else { return false }
    let firsts = pairs.count { $0 < $1 }
    return abs(2 * firsts - count) <= 1
  }
}
