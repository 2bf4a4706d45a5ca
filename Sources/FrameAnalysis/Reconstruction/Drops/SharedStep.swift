import FrameTrace

/// Distributes refreshes among the stages that lost them together. Each refresh goes to the stage with the greatest
/// excess, which then shrinks by an interval.
struct SharedStep {
  /// Something that took time: a stage's work, or a wait.
  struct Item {
    let stage: PipelineStage
    /// The frame that the stage worked on.
    let cause: FrameReference
    /// The time beyond the usual time; for a wait, the complete time.
    var excess: Nanoseconds
    /// The total time.
    let used: Nanoseconds
    /// Whether the trace lacks stages that may have been responsible instead.
    var isInferred = false
  }

  private let rules: ChargeRules

  init(_ rules: ChargeRules) { self.rules = rules }

  /// Distributes refreshes.
  /// - Returns: The number of refreshes for each item.
  func give(_ count: Int64, to items: [Item], interval: Nanoseconds) -> [Int64] {
    let interval = max(Nanoseconds(1), interval)
    var given = [Int64](repeating: 0, count: items.count)
    guard !items.isEmpty else { return given }
    var excess = items.map(\.excess)
    var left = count
    var last: Int?
    while left > 0 {
      // Once no excess is left, the last charged item gets the remaining refreshes.
      let isSpent = (excess.max() ?? .zero) <= .zero
      let first =
        isSpent ? last ?? greatest(excess, items, interval) : greatest(excess, items, interval)
      last = first
      if isSpent {
        given[first] += left
        return given
      }
      // As long as the item is far ahead, it gets refreshes without another comparison.
      let second = excess.indices.filter { $0 != first }.map { excess[$0] }.max()
      let lead = second.map { (excess[first] - $0) / interval - 1 } ?? left
      let amount = min(left, max(1, lead))
      given[first] += amount
      excess[first] -= interval * amount
      left -= amount
      if amount == 1 { giveRounds(&given, &excess, &left, interval) }
    }
    return given
  }

  /// Gives whole rounds at once to the items that are tied, while no other item is close.
  private func giveRounds(
    _ given: inout [Int64], _ excess: inout [Nanoseconds], _ left: inout Int64,
    _ interval: Nanoseconds
  ) {
    let most = excess.max() ?? .zero
    let level = excess.indices.filter { most - excess[$0] < interval }
    guard left > 64 * Int64(level.count) else { return }
    let least = level.map { excess[$0] }.min() ?? .zero
    let next = excess.indices.filter { most - excess[$0] >= interval }.map { excess[$0] }.max()
    let room = next.map { (least - $0) / interval - 2 } ?? .max
    let rounds = min(room, left / Int64(level.count) - 32)
    guard rounds > 0 else { return }
    for index in level {
      given[index] += rounds
      if next != nil { excess[index] -= interval * rounds }
    }
    left -= rounds * Int64(level.count)
  }

  /// The item with the greatest excess; among those within a sixteenth of an interval, the item that used more time.
  private func greatest(_ excess: [Nanoseconds], _ items: [Item], _ interval: Nanoseconds) -> Int {
    let most = excess.max() ?? .zero
    let tied = excess.indices.filter { most - excess[$0] < max(Nanoseconds(1), interval / 16) }
    if !rules.contains(.tieByUse) { return tied.first ?? 0 }
    return tied.max { (items[$0].used, $1) < (items[$1].used, $0) } ?? 0
  }
}
