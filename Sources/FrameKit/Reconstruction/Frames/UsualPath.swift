/// How long frames of a surface usually take from the start of the app to the display, at each rate
/// of the display.
struct UsualPath {
  /// The path at one rate, and how long before the display its steps usually end.
  struct Path {
    /// The time from A0 to D.
    let length: Nanoseconds
    /// The time from A0 to the finished buffer, or to the hand-over where that is not known, that
    /// nine in ten frames keep within, stalls left out; `nil` where neither is known.
    var finish: Nanoseconds?
    /// How many refreshes after the one that the finish makes a frame is shown.
    var shownLater: Int64 = 0
    let lags: StepLags
  }

  /// The paths by the interval of the display, and one for rates at which too few frames paused.
  private var paths: [(interval: Nanoseconds, path: Path)] = []
  private let usualLags: StepLags
  /// The length over all frames, those that waited for a buffer included; `nil` where they are few.
  private var longest: (interval: Nanoseconds, length: Nanoseconds)?
  private static let fewestFrames = 10

  /// - Parameters:
  ///   - rows: The frames that paused.
  ///   - isInTime: Whether the frame in a row kept within what it may take, so that it is taken
  ///     before the others are.
  init(
    _ schedule: FrameSchedule, _ stages: FrameStages, rows: [Int32],
    isInTime: (StageTimes, _ interval: Nanoseconds) -> Bool
  ) {
    usualLags = StepLags(schedule, stages)
    var groups: [(interval: Nanoseconds, all: [Int32], inTime: [Int32])] = []
    for row in rows where schedule.displayed[Int(row)] != nil {
      let times = stages[Int(row)]
      guard let start = times.appStart else { continue }
      let interval = schedule.grid.interval(at: start)
      let place =
        groups.firstIndex { ($0.interval - interval).magnitude * 8 <= interval }
        ?? {
          groups.append((interval, [], []))
          return groups.count - 1
        }()
      groups[place].all.append(row)
      if isInTime(times, interval) { groups[place].inTime.append(row) }
    }
    for group in groups {
      let rows = group.inTime.count >= Self.fewestFrames ? group.inTime : group.all
      guard rows.count >= Self.fewestFrames else { continue }
      let lags = StepLags(schedule, stages, rows: rows)
      let length = Self.length(rows, schedule, stages, group.interval)
      let finish = Self.finish(rows, stages, group.interval)
      paths.append(
        (
          group.interval,
          Path(
            length: length, finish: finish?.time,
            shownLater: finish?.isHandOver == true ? lags.commit : lags.queued, lags: lags)
        ))
    }
    let all = schedule.order.rows
    if paths.isEmpty, all.count >= Self.fewestFrames {
      let interval = schedule.grid.interval
      longest = (interval, Self.length(all, schedule, stages, interval))
    }
  }

  /// The path at a rate of the display: where too few frames paused, an interval and the time for
  /// which finished buffers usually wait.
  func path(_ interval: Nanoseconds) -> Path {
    if let own = paths.first(where: { ($0.interval - interval).magnitude * 8 <= interval }) {
      return own.path
    }
    var length = interval * (1 + usualLags.ready)
    // No frame takes longer than most do, whatever they wait for.
    if let longest, (longest.interval - interval).magnitude * 8 <= interval {
      length = min(length, longest.length)
    }
    return Path(length: length, lags: usualLags)
  }

  /// The refresh that a frame is due at whose app starts at a time: the one that it makes on the
  /// usual path, a little early or late. A frame that is finished so close to a refresh that its
  /// work decides which one it makes is due at the later one.
  func due(startingAt start: Timestamp, _ grid: RefreshGrid) -> RefreshNumber {
    let interval = grid.interval(at: start)
    let path = path(interval)
    let due = grid.first(start + path.length - interval / 16)
    guard let finish = path.finish else { return due }
    return max(due, grid.first(start + finish + interval / 16) + path.shownLater)
  }

  /// How long frames take to their finished buffer, or to their hand-over where nothing tells of
  /// that: at most so, nine in ten. What takes a quarter of an interval longer than the quickest
  /// tenth is no jitter.
  private static func finish(
    _ rows: [Int32], _ stages: FrameStages, _ interval: Nanoseconds
  ) -> (time: Nanoseconds, isHandOver: Bool)? {
    var finished: [Nanoseconds] = []
    var handedOver: [Nanoseconds] = []
    for row in rows {
      let times = stages[Int(row)]
      guard let start = times.appStart else { continue }
      if let queued = times.queued { finished.append(queued - start) }
      if let commit = times.commit { handedOver.append(commit - start) }
    }
    let isHandOver = finished.count * 2 < rows.count
    let lengths = (isHandOver ? handedOver : finished).sorted()
    guard !lengths.isEmpty else { return nil }
    let usual = lengths[lengths.count / 10] + interval / 4
    return (min(lengths[lengths.count - 1 - lengths.count / 10], usual), isHandOver)
  }

  /// A length that nine in ten frames do not fall short of. Where some take nearly an interval
  /// longer, frames end close to a refresh and jitter decides which one they make.
  private static func length(
    _ rows: [Int32], _ schedule: FrameSchedule, _ stages: FrameStages, _ interval: Nanoseconds
  ) -> Nanoseconds {
    let lengths = rows.compactMap { row -> Nanoseconds? in
      guard let shown = schedule.shownTime(Int(row)), let start = stages[Int(row)].appStart else {
        return nil
      }
      return shown - start
    }.sorted()
    guard !lengths.isEmpty else { return interval }
    let low = lengths[lengths.count / 10]
    // Note: a 90 % quantile does not see that fewer than one in ten are on the other side, and sees
    // frames that are later for another reason.
    let aRefreshLater = low + interval / 8 * 7...low + interval / 2 * 3
    let straddling = lengths.count { aRefreshLater.contains($0) }
    return straddling > 0 && straddling * 100 >= lengths.count * 3 ? low + interval / 8 : low
  }
}
