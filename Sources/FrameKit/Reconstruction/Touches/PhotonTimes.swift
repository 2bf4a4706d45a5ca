/// When the light of a frame comes from the display.
struct PhotonTimes {
  private let schedule: FrameSchedule
  /// The part of a scan-out that has to be done: 0 for the top line, 1 for the whole frame.
  private let scanOutShare: Double
  /// The shortest interval of a display at a variable rate.
  private let shortest: Int64?

  /// - Returns: `nil` where a scan-out has to be added and nothing tells how long it is.
  init?(_ surface: RebuiltSurface, scanOutShare: Double) {
    schedule = surface.timeline.schedule
    self.scanOutShare = scanOutShare
    shortest = surface.refreshes.isVariable ? surface.refreshes.scanOutInterval : nil
    let isKnown = surface.refreshes.isVariable ? shortest != nil : schedule.hasInterval
    guard isKnown || scanOutShare == 0 else { return nil }
  }

  /// When a displayed frame's light comes; `nil` when it was never displayed.
  func photon(_ row: Int) -> Int64? {
    guard schedule.displayed[row] != FrameSchedule.none else { return nil }
    let refresh = schedule.displayed[row]
    let interval = shortest ?? schedule.grid.interval(after: refresh)
    return schedule.grid.time(refresh) &+ schedule.shownDelay
      &+ Int64((Double(interval) * scanOutShare).rounded())
  }

  /// The length of time between two instants in intervals of the display; `nil` where it kept
  /// none.
  func frames(from start: Int64, to end: Int64) -> Double? {
    guard schedule.hasInterval else { return nil }
    return schedule.grid.position(end) - schedule.grid.position(start)
  }
}
