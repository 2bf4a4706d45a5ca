import FrameStatistics

/// An order of runs in which a drift of the device does not look like a change.
package enum MeasuringPlan {
  /// One line for each run: its position, its side and its number, such as `1 before 1`. The sides
  /// alternate, and so does the side that goes first, so that a steady drift affects both equally.
  package static func order(runs: Int) -> [String] {
    (0..<runs).flatMap { pair -> [String] in
      let sides = pair % 2 == 0 ? ["before", "after"] : ["after", "before"]
      return sides.enumerated().map { "\(2 * pair + $0 + 1) \($1) \(pair + 1)" }
    }
  }

  /// Whether the run before a change comes first in a pair. The order is random and depends only on a seed.
  package static func isBeforeFirst(inPair number: Int, seed: UInt64) -> Bool {
    // Consecutive seeds give unrelated numbers only after the first number.
    var chance = SplitMix64(seed: seed)
    var own = SplitMix64(seed: chance.next() ^ UInt64(number))
    return own.next() & 1 == 0
  }
}

extension ComparisonOptions {
  /// The looks listed in a string, such as `3,5,10`; `nil` if the level of each look is unknown.
  public static func looks(named text: String) -> [Int]? {
    let numbers = text.split(separator: ",").map { Int($0) }
    let looks = numbers.compactMap { $0 }
    return looks.count == numbers.count && levelsOfLooks[looks] != nil ? looks : nil
  }

  /// The looks with known levels, in the form that users write.
  public static var knownLooks: [String] {
    levelsOfLooks.keys.map { $0.map { "\($0)" }.joined(separator: ",") }.sorted()
  }
}
