import FrameTrace

/// How long frames of a surface usually take from the app's work to the display, at each rate of
/// the display.
///
/// A frame's work ends at `e`: the finished buffer where the app fills it, the last commit where a
/// compositor drives. Between `e` and the display lies a *lead*: the frame is shown at the first
/// refresh at or after `e` plus the lead. A frame is due at the refresh that it reaches if its work
/// takes the usual time and its lead is the usual one.
///
/// Note: using a quantile of the total time to the display, instead of the lead, mistakes frequent lateness for jitter:
/// with 3 % of the frames late, that method found no late frame.
struct UsualPath {
  /// The path at one rate, and how long before the display time its steps usually end.
  struct Path {
    /// The time from `e` to the latest refresh that a frame still makes; measured from A0 if too few frames have an
    /// `e`.
    let lead: Nanoseconds
    /// The app's usual working time, slightly longer than that of most frames; `nil` if the lead is measured from A0.
    let work: Nanoseconds?
    /// The minimum delay of nine in ten frames, in refreshes after the first one at or after `e`.
    let fewest: Int64
    /// Whether the lead contains something unknown, so that the lead is not exact.
    let isLoose: Bool
    let lags: StepLags
  }

  /// The paths by display interval.
  private var paths: [(interval: Nanoseconds, path: Path)] = []
  /// How long before the display time the steps of all frames usually end.
  let usualLags: StepLags
  /// The lags of frames in a chain that runs freely that are not due by the path.
  let freeLags: StepLags
  static let fewestFrames = 10

  /// - Parameters:
  ///   - quick: Frames that were shown at the refresh after the previous frame, paused or not. They are preferred over
  ///     frames that exceeded their budget.
  ///   - isInTime: Whether a frame stayed within its budget; such frames are preferred over all others. By default, all
  ///     frames are treated alike.
  init(
    _ schedule: FrameSchedule, _ stages: FrameStages, rows: [Int32], quick: [Int32] = [],
    isInTime: (StageTimes, _ interval: Nanoseconds) -> Bool = { _, _ in true }
  ) {
    usualLags = StepLags(schedule, stages)
    freeLags = StepLags(freeOf: schedule, stages)
    for group in Self.groups(rows, quick, schedule, stages) {
      let isInBudget = { (row: Int32) in isInTime(stages[Int(row)], group.interval) }
      let samples = [group.paused.filter(isInBudget), group.quick.filter(isInBudget), group.paused]
      guard let sample = samples.first(where: { $0.count >= Self.fewestFrames }) else { continue }
      paths.append((group.interval, Path(schedule, stages, sample, group.interval)))
    }
  }

  /// Displayed frames by display interval.
  private static func groups(
    _ paused: [Int32], _ quick: [Int32], _ schedule: FrameSchedule, _ stages: FrameStages
  ) -> [(interval: Nanoseconds, paused: [Int32], quick: [Int32])] {
    var groups: [(interval: Nanoseconds, paused: [Int32], quick: [Int32])] = []
    func position(of row: Int32) -> Int? {
      guard schedule.displayed[Int(row)] != nil, let start = stages[Int(row)].appStart else {
        return nil
      }
      let interval = schedule.grid.interval(at: start)
      if let position = groups.firstIndex(where: { isSame($0.interval, interval) }) {
        return position
      }
      groups.append((interval, [], []))
      return groups.count - 1
    }
    for row in paused {
      if let position = position(of: row) { groups[position].paused.append(row) }
    }
    for row in quick { if let position = position(of: row) { groups[position].quick.append(row) } }
    return groups
  }

  /// Whether a frame was finished within an interval.
  static func isShort(_ times: StageTimes, _ interval: Nanoseconds) -> Bool {
    guard let start = times.appStart, let end = times.queued ?? times.commit else { return false }
    return end - start <= interval
  }

  private static func isSame(_ one: Nanoseconds, _ other: Nanoseconds) -> Bool {
    (one - other).magnitude * 16 <= one
  }

  /// The path at a rate of the display; `nil` if too few frames follow a pause.
  func path(_ interval: Nanoseconds) -> Path? {
    paths.first { Self.isSame($0.interval, interval) }?.path
  }

  /// The refresh at which a frame is due if the app paused before it.
  func due(_ times: StageTimes, startingAt start: Timestamp, _ grid: RefreshGrid) -> RefreshNumber {
    let interval = grid.interval(at: start)
    guard let path = path(interval) else {
      return grid.first(start + interval * (1 + usualLags.ready) - interval / 16)
    }
    let lead = path.lead + (path.isLoose ? interval / 16 : .zero)
    guard let work = path.work else { return grid.first(start + lead) }
    let usual = start + (times.blocked?.length ?? .zero) + work
    let end = times.ownEnd ?? (path.isLoose ? times.commit : nil)
    guard let end, end <= usual else { return grid.first(usual + lead) }
    return max(grid.first(end + lead), grid.first(end) + path.fewest)
  }
}

extension UsualPath.Path {
  fileprivate init(
    _ schedule: FrameSchedule, _ stages: FrameStages, _ rows: [Int32], _ interval: Nanoseconds
  ) {
    let grid = schedule.grid
    lags = StepLags(schedule, stages, rows: rows)
    var finished: [(distance: Nanoseconds, work: Nanoseconds, refreshes: Int64)] = []
    var started: [Nanoseconds] = []
    var isHandOver = false
    for row in rows {
      let times = stages[Int(row)]
      guard let shown = schedule.displayed[Int(row)], let start = times.appStart else { continue }
      let display = grid.time(shown)
      started.append(display - start)
      guard let end = Self.end(times, schedule) else { continue }
      if times.ownEnd == nil { isHandOver = true }
      let wait = times.blocked?.length ?? .zero
      finished.append((display - end, end - start - wait, shown - grid.first(end)))
    }
    guard finished.count * 10 >= started.count * 9 else {
      lead = UsualPath.lead(started, interval)
      (work, fewest, isLoose) = (nil, 0, true)
      return
    }
    lead = UsualPath.lead(finished.map(\.distance), interval)
    let lengths = finished.map(\.work)
    let usual = lengths.median ?? .zero
    let spread = (usual - lengths.ranked(lengths.count / 10)) * 2
    work = usual + min(spread, interval / 8)
    fewest = finished.map(\.refreshes).sorted()[finished.count / 10]
    isLoose = isHandOver
  }

  /// When the app's own work on a frame was finished. If a chain that runs freely does not record finished buffers, the
  /// hand-over is used.
  private static func end(_ times: StageTimes, _ schedule: FrameSchedule) -> Timestamp? {
    times.ownEnd ?? (schedule.isFree ? times.commit : nil)
  }
}

extension UsualPath {
  /// The lead of a sample of frames.
  ///
  /// A frame that is shown some distance after its end allows every lead that is shorter than the distance by less than
  /// an interval. With each of these leads, the frame reaches exactly the refresh at which it was shown. The lead is
  /// the middle of the longest stretch that most of the earlier frames allow. If that stretch becomes much longer with
  /// a few frames more or less, those frames are late.
  /// - Parameter distances: The times from the end of the work to the display; at least one.
  static func lead(_ distances: [Nanoseconds], _ interval: Nanoseconds) -> Nanoseconds {
    let sorted = distances.sorted()
    let low = sorted[sorted.count / 10]
    let bounds = low - interval..<low
    var changes: [(lead: Nanoseconds, change: Int)] = []
    for distance in sorted where distance < low + interval * 9 / 8 {
      let allowed = (
        max(distance - interval, bounds.lowerBound), min(distance, bounds.upperBound)
      )
      // Late frames that allow only a shorter range, which depends on rounded times, say nothing about leads.
      guard allowed.1 - allowed.0 >= interval / 1_024 else { continue }
      changes += [(allowed.0, 1), (allowed.1, -1)]
    }
    changes.sort { $0.lead < $1.lead }
    var counted: [(start: Nanoseconds, end: Nanoseconds, count: Int)] = []
    var count = 0
    for (index, change) in changes.enumerated() {
      if index > 0, changes[index - 1].lead < change.lead {
        counted.append((changes[index - 1].lead, change.lead, count))
      }
      count += change.change
    }
    guard let most = counted.map(\.count).max() else { return low }
    let few = max(2, sorted.count / 50)
    if let most = longest(counted, atLeast: most - few), most.length * 4 >= interval {
      return most.middle
    }
    return longest(counted, atLeast: most)?.middle ?? low
  }

  private static func longest(
    _ counted: [(start: Nanoseconds, end: Nanoseconds, count: Int)], atLeast count: Int
  ) -> (length: Nanoseconds, middle: Nanoseconds)? {
    var longest: Range<Nanoseconds>?
    var stretch: Range<Nanoseconds>?
    for part in counted {
      guard part.count >= count else {
        stretch = nil
        continue
      }
      let start = stretch.map { $0.upperBound == part.start ? $0.lowerBound : part.start }
      stretch = (start ?? part.start)..<part.end
      if let found = stretch,
        longest.map({ found.upperBound - found.lowerBound > $0.upperBound - $0.lowerBound }) ?? true
      {
        longest = found
      }
    }
    return longest.map { range in
      let length = range.upperBound - range.lowerBound
      // Rounded up, because a stretch excludes its start and includes its end.
      return (length, range.lowerBound + (length + Nanoseconds(1)) / 2)
    }
  }
}
