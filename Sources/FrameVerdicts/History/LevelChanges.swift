import FrameStatistics
import FrameTrace

/// Where the level of a series changed by enough to act on.
struct LevelChanges {
  /// The first job of each new level.
  private(set) var places: [Int] = []
  /// How much jobs depend on the ones before.
  let correlation: Double
  private let series: HistorySeries

  /// The start of the series, the places, and its end.
  var bounds: [Int] { [0] + places + [series.scaled.count] }

  /// The median of each level, scaled.
  var medians: [Double] {
    zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map { start, end in
      RealQuantile.type7(Array(series.scaled[start..<end]), 0.5)
    }
  }

  /// The first job of the newest level that a step led to: the jobs next to the place differ by most of
  /// what the levels do. `nil` where there was none.
  var lastStep: Int? {
    let medians = medians
    return places.indices.last { index in
      let place = places[index]
      let near = { (range: Range<Int>) in
        RealQuantile.type7(Array(self.series.scaled[range]), 0.5)
      }
      let before = near(max(bounds[index], place - Self.nearJobs)..<place)
      let after = near(place..<min(bounds[index + 2], place + Self.nearJobs))
      let step = medians[index + 1] - medians[index]
      return (after - before) * step >= Self.stepShare * step * step
    }.map { places[$0] }
  }

  /// How many jobs on either side tell a step from a slow drift, and which share of the difference of levels
  /// they have to differ by.
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
    places = changes.places
    correlation = changes.correlation
    while let smallest = smallestBelowThreshold { places.remove(at: smallest) }
  }

  /// The change that is least worth acting on, of those that are not; what is left of it joins both
  /// levels, so the others are looked at again.
  private var smallestBelowThreshold: Int? {
    let medians = medians
    let steps = places.indices.map { place in
      let threshold = max(series.scale.threshold(at: medians[place]), 1e-12)
      return (place: place, share: abs(medians[place + 1] - medians[place]) / threshold)
    }
    return steps.filter { $0.share < 1 }.min { ($0.share, $0.place) < ($1.share, $1.place) }?.place
  }

  /// A number that the series' name alone gives: what is found does not depend
  /// on when or where.
  private static func seed(_ key: HistorySeries.Key) -> UInt64 {
    let name = [key.scene, key.device ?? "", key.source.rawValue, key.metric.name]
    return StableHash(name.joined(separator: "\n")).value
  }
}
