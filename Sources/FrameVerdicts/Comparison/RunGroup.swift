import FrameStatistics

/// Runs of a side with about the same mean frame time, where the side has runs at two speeds.
public struct RunGroup: Hashable, Sendable {
  /// The number of runs.
  public let count: Int
  /// The mean of the runs' values.
  public let mean: Double

  /// The minimum number of runs at a speed; a single run is a stray run.
  private static let fewest = 2
  /// The minimum ratio of the distance between the speeds to the distances within either group.
  private static let clearance = 3.0

  package init(count: Int, mean: Double) { (self.count, self.mean) = (count, mean) }

  /// The two groups of values, smaller values first: at least as far apart as a stray run is from the others, and three
  /// times as far apart as the values within either group. `nil` if the values form one group.
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
