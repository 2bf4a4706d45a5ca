import FrameTrace

/// The refreshes that apps and the compositor keep, and how far the display times of a surface are behind them: a
/// constant panel offset.
struct SchedulePhase {
  /// Where the display kept no interval every nanosecond is a refresh.
  let grid: RefreshGrid
  let offset: Nanoseconds
  /// How many of the display times were made for these refreshes; `nil` where the refreshes were found from them.
  private(set) var fit: GridFit?

  init(
    _ shown: ShownTimes, _ stages: FrameStages, _ refreshes: DisplayRefreshes, isFree: Bool
  ) {
    guard let grid = refreshes.grid, !refreshes.isVariable else {
      (self.grid, offset) = (refreshes.grid ?? .nanoseconds, .zero)
      return
    }
    let times = (0..<stages.count).lazy.compactMap { shown[$0] }
    if refreshes.basis.isIndependent {
      let found = PanelOffset.find(times, grid)
      (self.grid, offset) = (grid, found?.offset ?? .zero)
      fit = found.map { .phase($0.nearShare) }
      return
    }
    if refreshes.basis == .stated {
      let distances = DisplayDistances(DisplayChanges.inOrder(Array(times)))
      fit = .steps(distances.share(looselyKeeping: refreshes.interval ?? grid.interval))
    }
    // Refreshes found from display times are behind the real ones by the panel's offset,
    // which the times show at which refreshes start the app.
    guard !isFree else {
      (self.grid, offset) = (grid, .zero)
      return
    }
    let starts = (0..<stages.count).lazy.compactMap { stages[$0].appStart }
    // An app that starts behind them only takes a while to wake: a panel is never early.
    guard let found = PanelOffset.find(starts, grid), found.share > 0.6, found.offset < .zero else {
      (self.grid, offset) = (grid, .zero)
      return
    }
    (self.grid, offset) = (grid.shifted(by: found.offset), -found.offset)
  }
}

/// How well the display times of a surface fit refreshes that were not found from them. Where they do not, its frames were
/// made for others, and nobody can say which were dropped.
package enum GridFit: Hashable {
  /// The refreshes are known: so many display times are within a quarter of an interval of one, a constant delay taken
  /// off. Of times that have nothing to do with them, half are.
  case phase(Double)
  /// Only their interval is known: so many steps from one display time to the next are whole numbers of it, give or take
  /// a quarter.
  ///
  /// Note: this is no test of known refreshes. At 60 fps on 68 Hz all steps are near to one refresh, and drops are found
  /// where both meet; while times that jitter by a sixth of an interval about their refreshes have steps that do not.
  case steps(Double)

  var isGood: Bool {
    switch self {
    case .phase(let share): share >= 0.75
    case .steps(let share): share >= 0.9
    }
  }
}
