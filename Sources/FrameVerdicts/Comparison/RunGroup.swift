import FrameStatistics

/// Runs of a side with about the same mean frame time, where the side has runs at two speeds.
public struct RunGroup: Hashable, Sendable {
  /// How many runs there are.
  public let count: Int
  /// The mean of their values.
  public let mean: Double

  /// The fewest runs at a speed; a single one is a stray run.
  private static let fewest = 2
  /// How much further the speeds are apart than the runs of either.
  private static let clearance = 3.0

  package init(count: Int, mean: Double) { (self.count, self.mean) = (count, mean) }

  /// The two groups of values, the smaller ones first: at least as far apart as a stray run is from the others, and three
  /// times as far as the values of either group. `nil` if the values are one group.
  static func two(_ values: [Double]) -> [RunGroup]? {
    let sorted = values.sorted()
    guard sorted.count >= 2 * fewest, let first = sorted.first, first > 0 else { return nil }
    let logs = sorted.map(Elementary.log)
    let gap = { (index: Int) in logs[index] - logs[index - 1] }
    let splits = fewest...sorted.count - fewest
    guard let split = splits.max(by: { gap($0) < gap($1) }),
      gap(split) >= Elementary.log(ComparisonConstants.strayRatio),
      gap(split) >= clearance * max(logs[split - 1] - logs[0], logs[logs.count - 1] - logs[split])
    else { return nil }
    return [sorted[..<split], sorted[split...]].map { group in
      RunGroup(count: group.count, mean: group.reduce(0, +) / Double(group.count))
    }
  }
}
