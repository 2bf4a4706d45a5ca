/// The rests of a surface's app: stretches in which it is known to have had nothing to draw.
///
/// The time from the frame before a rest to the one after it says how long nothing was to be done, not how long a
/// frame took. Only where the source records when the app started on frames is a rest known as one: anywhere else
/// a long time between frames may be a stutter as well, and counts. So does one that the source itself states as
/// the length of a frame, as PresentMon does.
struct AppRests {
  /// The middle of each rest, in order.
  private let middles: [Timestamp]
  /// The rows of the frames that come first after a rest, in order.
  private let rowsAfter: [Int]

  /// No rest at all.
  static let none = AppRests(middles: [], rowsAfter: [])

  private init(middles: [Timestamp], rowsAfter: [Int]) {
    (self.middles, self.rowsAfter) = (middles, rowsAfter)
  }

  init(_ surface: RebuiltSurface) {
    let (stages, schedule) = (surface.timeline.stages, surface.timeline.schedule)
    let frames = surface.trace.surfaces[surface.timeline.surface].frames
    guard !schedule.rests.isEmpty, frames.knowsRests, !stages.derivesStarts(schedule.holes) else {
      self = .none
      return
    }
    self.init(
      middles: schedule.rests.map { $0.lowerBound + $0.length / 2 },
      rowsAfter: schedule.rowsAfterRest.map(Int.init))
  }

  var isEmpty: Bool { middles.isEmpty }

  /// Whether the app rested between two instants.
  func isBetween(_ start: Timestamp, _ end: Timestamp) -> Bool {
    let place = middles.boundary { $0 > start }
    return place < middles.count && middles[place] < end
  }

  /// Whether the app rested before it made the frame in a row.
  func isBefore(_ row: Int) -> Bool {
    let place = rowsAfter.boundary { $0 >= row }
    return place < rowsAfter.count && rowsAfter[place] == row
  }

  /// Whether the length that a frame has by its columns spans a rest.
  /// - Parameter first: The row of the first of the frames within their surface.
  func isSpanned(
    by expression: FrameExpression, _ row: Int, of frames: Table<FrameColumn>, first: Int
  ) -> Bool {
    guard !isEmpty else { return false }
    switch expression {
    case .column(.displayInterval): return isBefore(first + row)
    case .between(.displayed, .replaced):
      guard let start = frames.time(row, .displayed), let end = frames.time(row, .replaced) else {
        return false
      }
      return isBetween(start, end)
    case .column, .between, .difference, .sinceLast: return false
    }
  }
}

extension FrameExpression {
  /// Whether the length is from one frame to another, so that a rest can lie in between.
  var isBetweenFrames: Bool {
    switch self {
    case .sinceLast, .column(.displayInterval), .between(.displayed, .replaced): true
    case .column, .between, .difference: false
    }
  }

  /// The values of the frames that have one and span no rest, and how many span one.
  func sample(
    of frames: Table<FrameColumn>, where wanted: IntegerColumn?, leavingOut rests: AppRests,
    first: Int
  ) -> (sample: Sample, leftOut: Int) {
    let rows = (0..<frames.count).filter { wanted?[$0] ?? 1 == 1 }
    guard case .sinceLast(let column) = self else {
      var (kept, leftOut): ([Int64], Int) = ([], 0)
      for row in rows {
        guard let value = value(row, of: frames) else { continue }
        if rests.isSpanned(by: self, row, of: frames, first: first) {
          leftOut += 1
        } else {
          kept.append(value)
        }
      }
      return (Sample(kept), leftOut)
    }
    let times = rows.compactMap { frames.time($0, column) }.sorted()
    let steps = zip(times, times.dropFirst())
    let kept = steps.filter { !rests.isBetween($0, $1) }.map { ($1 - $0).count }
    return (Sample(kept), max(0, times.count - 1) - kept.count)
  }

  /// The value of a frame by its own columns; `nil` where it has none.
  func value(_ row: Int, of frames: Table<FrameColumn>) -> Int64? {
    switch self {
    case .column(let column): return frames[row, column]
    case .between(let start, let end):
      return frames.time(row, start).flatMap { start in
        frames.time(row, end).map { ($0 - start).count }
      }
    case .difference(let whole, let part):
      guard let whole = frames[row, whole], let part = frames[row, part] else { return nil }
      return whole &- part
    case .sinceLast: return nil
    }
  }
}

extension Trace {
  /// Whether an app may have rested: frames are so far apart, by what is recorded of them, that a rest has to be
  /// looked for. Takes time linear in the frames.
  var mayRest: Bool { surfaces.contains { $0.frames.mayRest } }
}

extension Table<FrameColumn> {
  /// Four refreshes of the fastest displays: no rest is shorter.
  private static var shortestRest: Nanoseconds { Nanoseconds(7_000_000) }

  /// Whether what is recorded tells a rest from a stutter.
  fileprivate var knowsRests: Bool {
    has(.appStart) && !has(.presentInterval) && !has(.startInterval)
  }

  fileprivate var mayRest: Bool {
    guard knowsRests else { return false }
    let ends: [FrameColumn] = [.appStart, .appEnd, .commit, .displayed].filter(has)
    var covered: Timestamp?
    for row in 0..<count {
      let known = ends.compactMap { time(row, $0) }
      guard let start = time(row, .appStart), let end = known.max() else { continue }
      if let covered, start - covered > Self.shortestRest { return true }
      covered = max(covered ?? end, end)
    }
    return false
  }
}
