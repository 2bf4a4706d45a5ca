import FrameStatistics

/// A change for the worse that still stands: the level before the change was better than the current one.
enum StandingChange {
  /// The p value at which a change counts as standing. It is strict because a false change would be reported until
  /// somebody accepts it.
  private static let level = 0.0005
  /// The number of jobs that determine a level.
  private static let jobs = 50
  /// A change with fewer jobs belongs to the newest jobs, or comes from a temporary machine.
  private static let fewest = 10

  /// The greatest change that nobody accepted; `nil` if no change stands, or if neither direction is worse.
  static func find(
    in series: HistorySeries, _ levels: LevelChanges, _ changes: [HistoryCheck.Change],
    _ noise: SeriesNoise
  ) -> HistoryCheck.Standing? {
    guard let sign = series.key.metric.higherIsWorse.map({ $0 ? 1.0 : -1.0 }) else { return nil }
    let medians = levels.medians
    let last = levels.bounds.count - 2
    let accepted = series.accepted?.position ?? -1
    var found: HistoryCheck.Standing?
    for (number, change) in changes.enumerated()
    where change.position > accepted && (medians[number + 1] - medians[number]) * sign > 0
      && series.scaled.count - change.position > NewestJobs.mostNew
    {
      let rise = (medians[last] - medians[number]) * sign
      guard rise >= series.scale.threshold(at: medians[number]) else { continue }
      let old = series.scaled[levels.bounds[number]..<levels.bounds[number + 1]].suffix(jobs)
      let new = series.scaled[levels.bounds[last]...].suffix(jobs)
      guard min(old.count, new.count) >= fewest else { continue }
      let test = noise.compared(old.map { $0 * sign }, new.map { $0 * sign })
      guard test.pSecondGreater <= level else { continue }
      let bounds = [test.interval(0.9).low * sign, test.interval(0.9).high * sign].sorted()
      let standing = HistoryCheck.Standing(
        change: change, before: series.scale.unscaled(medians[number]),
        after: series.scale.unscaled(medians[last]),
        effect: HistoryEffect(
          (medians[last] - medians[number]), low: bounds[0], high: bounds[1], series.scale),
        p: test.pSecondGreater, jobs: series.scaled.count - change.position)
      if abs(standing.effect.size) > abs(found?.effect.size ?? 0) { found = standing }
    }
    return found
  }
}
