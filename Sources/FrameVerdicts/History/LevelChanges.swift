import FrameStatistics
import FrameTrace

/// The points at which the level of a series changed by enough to act on.
struct LevelChanges {
  /// The index of the first job of each new level.
  private(set) var positions: [Int] = []
  /// The correlation of jobs with their predecessors.
  let correlation: Double
  private let series: HistorySeries

  /// The start of the series, the change points, and the end of the series.
  var bounds: [Int] { [0] + positions + [series.scaled.count] }

  /// The median of each level, scaled.
  var medians: [Double] {
    zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map { start, end in
      RealQuantile.type7(Array(series.scaled[start..<end]), 0.5)
    }
  }

  /// The first job of the newest level that began with a step: the jobs next to the change differ
  /// by most of the difference between the levels. `nil` if there is none.
  var lastStep: Int? {
    let medians = medians
    return positions.indices.last { index in
      let position = positions[index]
      let near = { (range: Range<Int>) in
        RealQuantile.type7(Array(self.series.scaled[range]), 0.5)
      }
      let before = near(max(bounds[index], position - Self.nearJobs)..<position)
      let after = near(position..<min(bounds[index + 2], position + Self.nearJobs))
      let step = medians[index + 1] - medians[index]
      return (after - before) * step >= Self.stepShare * step * step
    }.map { positions[$0] }
  }

  /// The number of jobs on either side used to distinguish a step from a slow drift, and the share
  /// of the level difference that these jobs must show.
  private static let nearJobs = 6
  private static let stepShare = 0.75

  init(_ series: HistorySeries) {
    self.series = series
    guard series.scaled.count >= HistoryCheck.fewestJobs else {
      correlation = 0
      return
    }
    let changes = ChangePoints(
      series.scaled, seed: Self.seed(series.key), level: HistoryCheck.level)
    positions = changes.positions
    correlation = changes.correlation
    while let smallest = smallestBelowThreshold { positions.remove(at: smallest) }
  }

  /// The smallest of the changes below the threshold. Removing it joins two levels, so the
  /// remaining changes must be checked again.
  private var smallestBelowThreshold: Int? {
    let medians = medians
    let steps = positions.indices.map { position in
      let threshold = max(series.scale.threshold(at: medians[position]), 1e-12)
      return (position: position, share: abs(medians[position + 1] - medians[position]) / threshold)
    }
    return steps.filter { $0.share < 1 }.min { ($0.share, $0.position) < ($1.share, $1.position) }?
      .position
  }

  /// A seed derived only from the series' name, so that results do not depend on time or machine.
  private static func seed(_ key: HistorySeries.Key) -> UInt64 {
    let name = [key.scene, key.device ?? "", key.source.rawValue, key.metric.name]
    return StableHash(name.joined(separator: "\n")).value
  }
}
