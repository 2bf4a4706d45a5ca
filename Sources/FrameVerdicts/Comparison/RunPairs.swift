/// Runs paired one from each side and made one after the other, so that changes of the device from
/// pair to pair affect both runs equally.
enum RunPairs {
  /// The pairs a user gives: by when the runs of each side were made if known, else in the order
  /// given.
  static func given(
    _ before: [RunSummary], _ after: [RunSummary]
  ) -> (before: [RunSummary], after: [RunSummary]) {
    let isKnown = RunOrder.places(before, after) != nil
    let sides = isKnown ? [before, after].map(Comparison.inOrder) : [before, after]
    // Sums of floating-point numbers depend on their order, so pairs are sorted.
    let pairs = zip(sides[0], sides[1]).sorted { one, other in
      (one.0.start ?? .min, one.0.file, one.1.file)
        < (other.0.start ?? .min, other.0.file, other.1.file)
    }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  /// Whether the order shows pairs in which each side goes first equally often, so that a steady
  /// drift does not become part of the difference.
  /// - Parameters:
  ///   - places: The indices of the runs of the first side, in order, then of the second.
  ///   - count: The number of runs of the first side.
  static func areShown(by places: [Int], of count: Int) -> Bool {
    guard count >= ComparisonConstants.fewestPairs, places.count == 2 * count else { return false }
    let pairs = zip(places.prefix(count), places.suffix(count))
    guard pairs.allSatisfy({ $0 / 2 == $1 / 2 }) else { return false }
    let firsts = pairs.count { $0 < $1 }
    return abs(2 * firsts - count) <= 1
  }
}
