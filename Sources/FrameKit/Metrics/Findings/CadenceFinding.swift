/// The lower rate that a surface keeps on purpose.
public struct CadenceFinding: Hashable, Sendable {
  public let source: CadenceSource
  /// The time from frame to frame: the mean where it alternates.
  public let interval: Nanoseconds
  /// How many frames keep it, those that came late left out.
  public let frames: Int
  /// Whether an app that aims at every refresh and is too slow for it could look the same.
  public let isInferred: Bool
  /// How many refreshes would be dropped if the app aimed at every one, and their share of those in
  /// active time; `nil` where that is not asked, as the app could do more or nobody can tell.
  public let droppedIfEager: Int?
  public let shareIfEager: Double?

  /// - Returns: `nil` where no frame keeps one.
  init?(
    _ timeline: SurfaceTimeline, rows: Range<Int>, within range: Range<Int64>,
    activeRefreshes: Int
  ) {
    let schedule = timeline.schedule
    guard let cadence = schedule.cadence else { return nil }
    let late = timeline.droppedRows
    frames = schedule.cadenceRows.count { rows.contains(Int($0)) && !late.contains(Int($0)) }
    guard frames > 0 else { return nil }
    source = cadence.source
    interval = Nanoseconds(cadence.interval)
    isInferred = cadence.isInferred
    droppedIfEager = timeline.droppedIfEager.map { ranges in
      ranges.reduce(0) { sum, refreshes in
        sum + refreshes.count { range.contains(schedule.grid.time($0)) }
      }
    }
    shareIfEager = droppedIfEager.flatMap { dropped in
      activeRefreshes > 0 ? Double(dropped) / Double(activeRefreshes) : nil
    }
  }
}
