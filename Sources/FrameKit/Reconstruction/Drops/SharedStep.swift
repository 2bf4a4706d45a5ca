/// Gives the refreshes that several stages lost together to each of them, one at a time to
/// the one with the greatest excess, which is an interval smaller then.
struct SharedStep {
  /// Something that took time: a stage's work, or a wait.
  struct Item {
    let stage: PipelineStage
    /// The frame whose stage it was.
    let cause: FrameReference
    /// The time beyond the usual; the whole time of a wait.
    var excess: Int64
    /// The time in all.
    let used: Int64
  }

  private let rules: ChargeRules

  init(_ rules: ChargeRules) { self.rules = rules }

  /// Shares out refreshes.
  /// - Returns: For each item how many it gets.
  func give(_ count: Int64, to items: [Item], interval: Int64) -> [Int64] {
    let interval = max(1, interval)
    var given = [Int64](repeating: 0, count: items.count)
    guard !items.isEmpty else { return given }
    var excess = items.map(\.excess)
    var left = count
    while left > 0 {
      let first = greatest(excess, items, interval)
      // As long as it is far ahead, it gets refreshes without another look.
      let second = excess.indices.filter { $0 != first }.map { excess[$0] }.max()
      let lead = second.map { (excess[first] - $0) / interval - 1 } ?? left
      let amount = min(left, max(1, lead))
      given[first] += amount
      excess[first] -= amount &* interval
      left -= amount
      // All are level now, so that whole rounds are alike.
      let round = Int64(items.count)
      let spread = (excess.max() ?? 0) &- (excess.min() ?? 0)
      if amount == 1, spread < interval, left > 64 * round {
        let rounds = left / round - 32
        for index in given.indices { given[index] += rounds }
        left -= rounds * round
      }
    }
    return given
  }

  /// The item with the greatest excess; of those within a sixteenth of an interval, the one
  /// that used more.
  private func greatest(_ excess: [Int64], _ items: [Item], _ interval: Int64) -> Int {
    let most = excess.max() ?? 0
    let tied = excess.indices.filter { most - excess[$0] < max(1, interval / 16) }
    if !rules.contains(.tieByUse) { return tied.first ?? 0 }
    return tied.max { (items[$0].used, $1) < (items[$1].used, $0) } ?? 0
  }
}
