import FrameKit

/// The refreshes of a surface's display as counted and measured by a recorder of refreshes.
struct CountedRefreshes {
  private let frames: Table<FrameColumn>
  private let stated: Int64?
  private let times: [Int64]
  private let zero: Int64

  /// - Returns: `nil` if the trace records neither refreshes nor their interval.
  init?(_ trace: Trace, _ surface: Surface) {
    let display = surface.display.map { trace.displays[$0] }
    frames = surface.frames
    stated = display?.interval?.count
    zero = trace.timeRange?.lowerBound.nanoseconds ?? 0
    times =
      display.map { display in
        (0..<display.refreshes.count).compactMap { display.refreshes[$0, .time] }
      } ?? []
    if !frames.has(.displayedRefresh), stated == nil, times.isEmpty { return nil }
  }

  /// The number of the refresh at which the frame in a row was displayed at a time.
  func number(of row: Int, _ displayed: Int64) -> Int64 {
    frames[row, .displayedRefresh] ?? number(at: displayed)
  }

  /// The number of the refresh that starts work at a time; the work may start slightly before the refresh. Always above
  /// 0.
  func number(startingAt time: Int64) -> Int64 {
    if let stated { return (time - zero + stated / 16) / stated + 1 }
    let early = (interval(at: time) ?? 0) / 16
    return Int64(times.partitioningIndex { $0 > time + early }) + 1
  }

  /// Whether a time is within an eighth of an interval of a refresh; `nil` if no refresh is known.
  func isNear(_ time: Int64) -> Bool? {
    if let stated {
      guard let shown = (0..<frames.count).lazy.compactMap({ frames[$0, .displayed] }).first else {
        return nil
      }
      let phase = abs(time - shown) % stated
      return min(phase, stated - phase) * 8 <= stated
    }
    guard let interval = interval(at: time) else { return nil }
    return abs(times[nearest(time)] - time) * 8 <= interval
  }

  /// The time of the refresh that starts work at a time; `nil` if refreshes are not recorded.
  func time(startingAt time: Int64) -> Int64? {
    let early = (interval(at: time) ?? 0) / 16
    let later = times.partitioningIndex { $0 > time + early }
    return later > 0 ? times[later - 1] : nil
  }

  /// The number of the refresh nearest to a time.
  func number(at time: Int64) -> Int64 {
    if let stated { return (time - zero + stated / 2) / stated }
    return Int64(nearest(time))
  }

  /// The time from the refresh nearest to a time to the next refresh; `nil` if it is unknown.
  func interval(at time: Int64) -> Int64? {
    if let stated { return stated }
    guard times.count > 1 else { return nil }
    let position = min(nearest(time), times.count - 2)
    return times[position + 1] - times[position]
  }

  private func nearest(_ time: Int64) -> Int {
    let next = times.partitioningIndex { $0 > time }
    guard next > 0 else { return 0 }
    let isNext = next < times.count && times[next] - time < time - times[next - 1]
    return isNext ? next : next - 1
  }
}
