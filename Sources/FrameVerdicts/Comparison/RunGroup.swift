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
  /// times as far as the values of either group. `nil` if there are no such groups.
  static func two(_ values: [Double]) -> [RunGroup]? {
    let sorted = values.sorted()
    guard sorted.count >= 2 * fewest, let first = sorted.first, first > 0 else { return nil }
    let logs = sorted.map(Elementary.log)
    let gap = { (place: Int) in logs[place] - logs[place - 1] }
    let places = fewest...sorted.count - fewest
    guard let place = places.max(by: { gap($0) < gap($1) }),
      gap(place) >= Elementary.log(ComparisonConstants.strayRatio),
      gap(place) >= clearance * max(logs[place - 1] - logs[0], logs[logs.count - 1] - logs[place])
    else { return nil }
    return [sorted[..<place], sorted[place...]].map { group in
      RunGroup(count: group.count, mean: group.reduce(0, +) / Double(group.count))
    }
  }
}
