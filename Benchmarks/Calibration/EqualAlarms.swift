/// The level of a rule's probability at which it gives as many false alarms as ours does on the same
/// runs: only there do their findings say which is better.
struct EqualAlarms: Sendable {
  /// Every probability below counts.
  private let level: Double
  /// Of those that are the same as the level, as ranks of few runs make them, this share.
  private let share: Double

  /// - Parameters:
  ///   - probabilities: Those of comparisons without a change.
  ///   - alarms: How many of them ours takes for one.
  init(_ probabilities: [Double], alarms: Int) {
    let sorted = probabilities.sorted()
    let level = alarms < sorted.count ? sorted[alarms] : 2
    let below = sorted.count { $0 < level }
    let ties = sorted.count { $0 == level }
    self.level = level
    // A probability of 1 is that of no change for the worse, which no level makes one.
    share = level >= 1 ? 0 : Double(alarms - below) / Double(max(1, ties))
  }

  /// The share of probabilities that it takes for a change.
  func rate(_ probabilities: [Double]) -> Double {
    let below = Double(probabilities.count { $0 < level })
    let ties = Double(probabilities.count { $0 == level })
    return (below + share * ties) / Double(max(1, probabilities.count))
  }
}
