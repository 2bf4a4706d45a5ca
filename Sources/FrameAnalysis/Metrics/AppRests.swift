import FrameStatistics
package import FrameTrace

/// The rests of a surface's app: stretches in which it is known to have had nothing to draw.
///
/// The time across a rest is how long there was nothing to do, not how long a frame took. A rest is recognized only
/// where the source records when the app started on frames, or that it discarded all frames of a window. Elsewhere, a
/// long time between frames may also be a stutter, so it counts. A time that the source itself states as a frame's
/// length, as PresentMon does, counts too.
package struct AppRests {
  /// The middle of each rest, in order.
  private let middles: [Timestamp]
  /// The rows of the frames that come first after a rest, in order.
  private let rowsAfter: [Int]
  private let stops: SurfaceStops

  /// No rest at all.
  static let none = AppRests(SurfaceStops())

  init(_ surface: RebuiltSurface) {
    let schedule = surface.timeline.schedule
    let frames = surface.trace.surfaces[surface.timeline.surface].frames
    guard frames.knowsRests, schedule.evidence.measuresStarts else {
      self.init(schedule.stops)
      return
    }
    // A stop of unknown cause counts unless the app rested for most of the time before the stop ended.
    let unknown = Dictionary(
      schedule.stops.all.filter { $0.cause == .unknown }.map { ($0.row, $0.range.length) },
      uniquingKeysWith: { first, _ in first })
    self.init(
      zip(schedule.rests, schedule.rowsAfterRest).filter { rest, row in
        unknown[row].map { $0 * 2 < rest.length } ?? true
      }, schedule.stops)
  }

  /// The times in which windows were hidden, and no other rests.
  init(_ stops: SurfaceStops) {
    self.init(stops.all.filter(\.cause.isRest).map { ($0.range, $0.row) }, stops)
  }

  private init(_ rests: [(range: Range<Timestamp>, row: Int32)], _ stops: SurfaceStops) {
    middles = rests.map(\.range.middle)
    rowsAfter = rests.map { Int($0.row) }
    self.stops = stops
  }

  package var isEmpty: Bool { middles.isEmpty }

  /// Whether the app rested between two instants.
  package func isBetween(_ start: Timestamp, _ end: Timestamp) -> Bool {
    let position = middles.partitioningIndex { $0 > start }
    return position < middles.count && middles[position] < end
  }

  /// Whether the app rested before it made the frame in a row.
  func isBefore(_ row: Int) -> Bool {
    let position = rowsAfter.partitioningIndex { $0 >= row }
    return position < rowsAfter.count && rowsAfter[position] == row
  }

  /// Whether the frame in a row was made for a hidden window.
  func isHidden(_ row: Int) -> Bool { stops.isHidden(row) }

  /// Why the length that a frame has in its columns is not a frame's length; `nil` if it is one.
  /// - Parameter first: The row of the first frame within its surface.
  func reason(
    against value: Int64, _ expression: FrameExpression, _ row: Int,
    of frames: Table<FrameColumn>, first: Int
  ) -> Reason? {
    if expression.isBetweenFrames, isHidden(first + row) { return .hidden }
    switch expression {
    case .column(.displayInterval): return isBefore(first + row) ? .rest : nil
    case .between(.displayed, .replaced):
      guard let start = frames.time(row, .displayed), let end = frames.time(row, .replaced) else {
        return nil
      }
      return isBetween(start, end) ? .rest : nil
    case .column, .between, .difference, .sinceLast: return nil
    }
  }

  /// The rows of all frames whose length may not be that of a frame, in order: they come after a rest, were made for a
  /// hidden window, or were on the display while the app rested.
  func rows(
    near expression: FrameExpression, of frames: Table<FrameColumn>, first: Int
  ) -> [Int] {
    let known = rowsAfter + stops.hidden.map(Int.init)
    var rows = Set(known.lazy.map { $0 - first }.filter { 0..<frames.count ~= $0 })
    if case .between(.displayed, .replaced) = expression { rows.formUnion(rowsAcross(frames)) }
    return rows.sorted()
  }

  /// The rows of frames that were on the display in the middle of a rest.
  private func rowsAcross(_ frames: Table<FrameColumn>) -> [Int] {
    guard let starts = frames.stored(.displayed), let ends = frames.stored(.replaced) else {
      return []
    }
    let references = frames.references(0..<frames.count)
    var rows: [Int] = []
    // Frames are mostly displayed in order, so the first middle after one frame is mostly the first after the next,
    // too.
    var next = 0
    for row in 0..<frames.count {
      let (start, end) = (starts.raw(row), ends.raw(row))
      guard start != IntegerColumn.missing, end != IntegerColumn.missing else { continue }
      let begin = Timestamp(nanoseconds: references[row] &+ start)
      while next < middles.count, middles[next] <= begin { next += 1 }
      while next > 0, middles[next - 1] > begin { next -= 1 }
      if next < middles.count, middles[next] < Timestamp(nanoseconds: references[row] &+ end) {
        rows.append(row)
      }
    }
    return rows
  }

  /// Why a length is not the length of a frame.
  enum Reason: String, CaseIterable {
    case rest = "after a rest"
    case hidden = "in a hidden window"
  }
}

extension Range<Timestamp> {
  fileprivate var middle: Timestamp { lowerBound + length / 2 }
}

extension FrameExpression {
  /// Whether the length is from one frame to another, so that a rest can lie in between.
  var isBetweenFrames: Bool {
    switch self {
    case .sinceLast, .column(.displayInterval), .column(.presentInterval),
      .column(.startInterval), .between(.displayed, .replaced):
      true
    case .column, .between, .difference: false
    }
  }

  /// The values of the frames that have a value and span no rest, and how many are left out for each reason.
  /// - Parameter memory: Memory to reuse; its content is lost.
  func sample(
    of frames: Table<FrameColumn>, where wanted: IntegerColumn?, leavingOut rests: AppRests,
    first: Int, using memory: consuming [Int64]
  ) -> (sample: Sample, leftOut: [AppRests.Reason: Int]) {
    if case .sinceLast(let column) = self {
      return steps(
        of: frames, column, where: wanted, leavingOut: rests, first: first, using: memory)
    }
    var leftOut: [AppRests.Reason: Int] = [:]
    var rows: [Int] = []
    for row in rests.rows(near: self, of: frames, first: first) where wanted?[row] ?? 1 == 1 {
      guard let value = value(row, of: frames),
        let reason = rests.reason(against: value, self, row, of: frames, first: first)
      else { continue }
      leftOut[reason, default: 0] += 1
      rows.append(row)
    }
    return (sample(of: frames, where: wanted, without: rows, using: memory), leftOut)
  }

  /// The steps between the times of frames that span no rest.
  private func steps(
    of frames: Table<FrameColumn>, _ column: FrameColumn, where wanted: IntegerColumn?,
    leavingOut rests: AppRests, first: Int, using memory: consuming [Int64]
  ) -> (sample: Sample, leftOut: [AppRests.Reason: Int]) {
    var hidden = 0
    var times = memory
    times.removeAll(keepingCapacity: true)
    times.reserveCapacity(frames.count)
    for row in 0..<frames.count where wanted?[row] ?? 1 == 1 {
      let time = frames.time(row, column)
      if rests.isHidden(first + row) {
        // Without a display time, the frame is one of those whose display time is unknown.
        if time != nil || column != .displayed { hidden += 1 }
      } else if let time {
        times.append(time.nanoseconds)
      }
    }
    times.sort()
    var leftOut: [AppRests.Reason: Int] = [.hidden: hidden]
    // The steps overwrite the times, because there may be millions.
    var kept = 0
    var before = times.first.map { Timestamp(nanoseconds: $0) } ?? .earliest
    for position in times.indices.dropFirst() {
      let (start, end) = (before, Timestamp(nanoseconds: times[position]))
      before = end
      if rests.isBetween(start, end) {
        leftOut[.rest, default: 0] += 1
      } else {
        times[kept] = (end - start).count
        kept += 1
      }
    }
    times.removeLast(times.count - kept)
    return (Sample(times), leftOut.filter { $0.value > 0 })
  }

  /// The value of a frame from its own columns; `nil` if it has none.
  package func value(_ row: Int, of frames: Table<FrameColumn>) -> Int64? {
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
  /// Whether an app may have rested: its recorded frames are far enough apart to make a search for
  /// rests necessary. Takes time linear in the frames.
  var mayRest: Bool { surfaces.contains { $0.frames.mayRest } }
}

extension Table<FrameColumn> {
  /// The shortest possible rest: four refreshes of the fastest displays.
  private static var shortestRest: Nanoseconds { Nanoseconds(7_000_000) }

  /// Whether the recorded times distinguish a rest from a stutter.
  fileprivate var knowsRests: Bool {
    has(.appStart) && !has(.presentInterval) && !has(.startInterval)
  }

  fileprivate var mayRest: Bool {
    guard knowsRests else { return false }
    let ends: [FrameColumn] = [.appStart, .appEnd, .commit, .displayed].filter(has)
    var covered: Timestamp?
    for row in 0..<count {
      guard let start = time(row, .appStart) else { continue }
      var end = start
      for column in ends { end = max(end, time(row, column) ?? end) }
      if let covered, start - covered > Self.shortestRest { return true }
      covered = max(covered ?? end, end)
    }
    return false
  }
}
