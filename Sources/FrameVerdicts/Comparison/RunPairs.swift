/// Runs that are paired, one from each side, and made one after the other, so that device changes from pair to pair
/// affect both runs equally.
enum RunPairs {
  /// The pairs that a user gives, in the order in which the runs of each side were made if known, otherwise in the
  /// given order.
  static func given(
    _ before: [RunSummary], _ after: [RunSummary]
  ) -> (before: [RunSummary], after: [RunSummary]) {
    let isKnown = RunOrder.positions(before, after) != nil
    let sides = isKnown ? [before, after].map(Comparison.inOrder) : [before, after]
    // Sums of floating-point numbers depend on their order, so pairs are sorted.
    let pairs = zip(sides[0], sides[1]).sorted { one, other in
      (one.0.start ?? .min, one.0.file, one.1.file)
        < (other.0.start ?? .min, other.0.file, other.1.file)
    }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  /// The pairs shown by file names: both sides have the same names except for the parts that all names of a side share,
  /// and these names differ by more than a number, such as `before-high.csv` and `after-high.csv`.
  static func named(
    _ before: [RunSummary], _ after: [RunSummary]
  ) -> (before: [RunSummary], after: [RunSummary])? {
    guard before.count == after.count, before.count > 1 else { return nil }
    let sides = [before, after].map { runs in zip(ownNames(runs.map(\.file)), runs) }
    let names = sides.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) }
    let common = Set(names[0].keys)
    let words = common.map { $0.filter(\.isLetter) }
    guard common == Set(names[1].keys), common.count == before.count,
      words.allSatisfy({ !$0.isEmpty }), Set(words).count == common.count
    else { return nil }
    let order = common.sorted()
    return (order.compactMap { names[0][$0] }, order.compactMap { names[1][$0] })
  }

  /// The file names without folders, and without their common beginnings and endings.
  private static func ownNames(_ files: [String]) -> [String] {
    var names = files.map { file in file.split(separator: "/").last.map(Array.init) ?? [] }
    for _ in 0..<2 {
      while let first = names.first?.first, names.allSatisfy({ $0.first == first }) {
        for position in names.indices { names[position].removeFirst() }
      }
      for position in names.indices { names[position].reverse() }
    }
    return names.map { String($0) }
  }

  /// Whether the order shows pairs in which each side goes first equally often, so that a steady
  /// drift does not become part of the difference.
  /// - Parameters:
  ///   - positions: The indices of the runs of the first side, in order, followed by those of the second.
  ///   - count: The number of runs of the first side.
  static func areShown(by positions: [Int], of count: Int) -> Bool {
    guard count >= ComparisonConstants.fewestPairs, positions.count == 2 * count else {
      return false
    }
    let pairs = zip(positions.prefix(count), positions.suffix(count))
    guard pairs.allSatisfy({ $0 / 2 == $1 / 2 }) else { return false }
    let firsts = pairs.count { $0 < $1 }
    return abs(2 * firsts - count) <= 1
  }
}
