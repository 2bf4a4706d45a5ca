import FrameTrace

/// The refreshes that apps and the compositor follow, and how much later the display times of a
/// surface are: a constant panel offset.
struct SchedulePhase {
  /// The refreshes; if the display kept no interval, every nanosecond is a refresh.
  let grid: RefreshGrid
  let offset: Nanoseconds
  /// How many of the display times fit these refreshes; `nil` if the refreshes were found from the display times.
  private(set) var fit: GridFit?

  init(
    _ shown: ColumnTimes, _ stages: FrameStages, _ refreshes: DisplayRefreshes, isFree: Bool
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
      let interval = refreshes.interval ?? grid.interval
      fit = .steps(
        distances.share(looselyKeeping: interval),
        isNear: refreshes.isOfUser
          || (!refreshes.showsOtherRate && distances.jitter(around: interval)))
    }
    // Refreshes found from display times are later than the real ones by the panel's offset. The
    // times of the refreshes that start the app show this offset.
    guard !isFree else {
      (self.grid, offset) = (grid, .zero)
      return
    }
    let starts = (0..<stages.count).lazy.compactMap { stages[$0].appStart }
    // An app that starts after the refreshes is merely slow to wake: a panel is never early.
    guard let found = PanelOffset.find(starts, grid), found.share > 0.6, found.offset < .zero else {
      (self.grid, offset) = (grid, .zero)
      return
    }
    (self.grid, offset) = (grid.shifted(by: found.offset), -found.offset)
  }
}

/// How well the display times of a surface fit refreshes that were not found from them. If the fit
/// is bad, the frames were made for other refreshes, and drops cannot be determined.
package enum GridFit: Hashable {
  /// The refreshes are known: the share of display times within a quarter of an interval of a refresh, after a constant
  /// delay is subtracted. For unrelated times, this share is one half.
  case phase(Double)
  /// Only the interval is known: the share of steps between display times that are multiples of the interval, within a
  /// quarter. Also whether the user states the interval, or steps that are not only jitter lie around multiples.
  ///
  /// Note: this does not test known refreshes. At 60 fps on 68 Hz, all steps are close to one refresh, and drops are
  /// found where the two meet. Conversely, if times jitter by a sixth of an interval around their refreshes, one in
  /// five steps is not a multiple.
  case steps(Double, isNear: Bool)

  /// The minimum share of whole steps at which nothing else needs to be known.
  static let leastSteps = 0.9

  var isGood: Bool {
    switch self {
    case .phase(let share): share >= 0.75
    case .steps(let share, let isNear): isNear || share >= Self.leastSteps
    }
  }
}
