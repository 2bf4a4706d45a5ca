/// The probability level at which another rule gives as many false alarms as frametool on the same
/// runs. Only at that level do their detection rates show which is better.
struct EqualAlarms: Sendable {
  /// Every probability below it counts as a change.
  private let level: Double
  /// The share of probabilities equal to the level that count as a change. Ranks of few runs
  /// produce such ties.
  private let share: Double

  /// - Parameters:
  ///   - probabilities: The probabilities of comparisons without a change.
  ///   - alarms: How many of them frametool reports as a change.
  init(_ probabilities: [Double], alarms: Int) {
    let sorted = probabilities.sorted()
    let level = alarms < sorted.count ? sorted[alarms] : 2
    let below = sorted.count { $0 < level }
    let ties = sorted.count { $0 == level }
    self.level = level
    // A probability of 1 means no change for the worse; at no level does it count as a change.
    share = level >= 1 ? 0 : Double(alarms - below) / Double(max(1, ties))
  }

  /// The share of probabilities that count as a change.
  func rate(_ probabilities: [Double]) -> Double {
    let below = Double(probabilities.count { $0 < level })
    let ties = Double(probabilities.count { $0 == level })
    return (below + share * ties) / Double(max(1, probabilities.count))
  }
}
