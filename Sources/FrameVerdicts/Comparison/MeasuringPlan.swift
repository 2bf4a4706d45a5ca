/// In which order to make runs so that a drift of the device does not look like a change.
package enum MeasuringPlan {
  /// One line a run: its place, its side and its number, as `1 before 1`. The sides take turns,
  /// and which one goes first does too, so that a steady drift weighs on both alike.
  package static func order(runs: Int) -> [String] {
    (0..<runs).flatMap { pair -> [String] in
      let sides = pair % 2 == 0 ? ["before", "after"] : ["after", "before"]
      return sides.enumerated().map { "\(2 * pair + $0 + 1) \($1) \(pair + 1)" }
    }
  }
}

extension ComparisonOptions {
  /// The looks that a text names, as `3,5,10`; `nil` when the level of each look is not known.
  public static func looks(named text: String) -> [Int]? {
    let numbers = text.split(separator: ",").map { Int($0) }
    let looks = numbers.compactMap { $0 }
    return looks.count == numbers.count && levelsOfLooks[looks] != nil ? looks : nil
  }

  /// The looks whose levels are known, as users write them.
  public static var knownLooks: [String] {
    levelsOfLooks.keys.map { $0.map { "\($0)" }.joined(separator: ",") }.sorted()
  }
}
