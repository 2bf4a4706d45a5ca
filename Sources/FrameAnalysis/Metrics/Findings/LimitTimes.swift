import FrameTrace

/// The times of a frame that decide what limits it.
struct LimitTimes {
  /// The frame, by its row.
  let row: Int
  /// When the app started on it, else when it handed it over.
  let start: Timestamp
  /// From its start to the start of the next frame, else from the present call before to its own.
  let length: Nanoseconds
  /// How long the app worked on it, less its wait for a buffer; `nil` where the source does not say.
  let cpuBusy: Nanoseconds?
  /// How long the GPU was busy with it; `nil` where the source does not say.
  let gpuBusy: Nanoseconds?
  /// From the first to the last of its GPU work, which is at least as long as the GPU was busy; `nil`
  /// where the source does not say.
  let gpuTime: Nanoseconds?
  /// How many refreshes the previous frame is to be shown for: as many as the app asked for, and one
  /// for each generated frame in between.
  let refreshes: Int64
  /// Whether it was shown that many refreshes after the previous frame: as soon as the display allows.
  let isNextShown: Bool
}

extension LimitTimes {
  /// The times of the frames that the application made and that have a frame time, in order, and how
  /// many others it made. A frame time with a rest or a pause in it does not count.
  static func all(
    _ measured: MeasuredSurface, _ rebuilt: RebuiltSurface
  ) -> (frames: [LimitTimes], missing: Int) {
    let (frames, first) = (measured.frames, measured.rows.lowerBound)
    let (stages, schedule) = (rebuilt.timeline.stages, rebuilt.timeline.schedule)
    let own = (0..<frames.count).filter { !stages.isGenerated(first + $0) }
    var found: [LimitTimes] = []
    found.reserveCapacity(own.count)
    for (index, place) in own.enumerated() {
      let next = index + 1 < own.count ? own[index + 1] : nil
      let before = index > 0 ? own[index - 1] : nil
      let times = stages[first + place]
      guard let length = length(place, until: next, of: frames), length > .zero,
        let start = times.appStart ?? times.commit,
        !measured.rests.isBetween(start, start + length)
      else { continue }
      let shown = before.map { first + $0 + 1..<first + place } ?? 0..<0
      let refreshes =
        max(1, frames[place, .syncInterval] ?? 1)
        + Int64(shown.count { schedule.displayed[$0] != nil })
      found.append(
        LimitTimes(
          row: first + place, start: start, length: length, cpuBusy: times.appTime,
          gpuBusy: frames.duration(place, .gpuBusy),
          gpuTime: frames.duration(place, .gpuTime) ?? times.gpuTime,
          refreshes: refreshes,
          isNextShown: before.map {
            schedule.isNext(first + place, after: first + $0, refreshes: refreshes)
          } ?? false))
    }
    return (found, own.count - found.count)
  }

  private static func length(
    _ place: Int, until next: Int?, of frames: Table<FrameColumn>
  ) -> Nanoseconds? {
    if let stated = frames.duration(place, .startInterval) { return stated }
    if let start = frames.time(place, .appStart), let next, let end = frames.time(next, .appStart) {
      return end - start
    }
    return frames.duration(place, .presentInterval)
  }
}

extension FrameSchedule {
  /// Whether a frame was shown that many refreshes after an earlier one; on a display that waits for
  /// frames, as soon after it as that display can.
  fileprivate func isNext(_ row: Int, after before: Int, refreshes: Int64) -> Bool {
    guard hasInterval, let shown = displayed[row], let last = displayed[before], shown > last else {
      return false
    }
    return isVariable
      ? grid.time(shown) - grid.time(last) <= shortestInterval * refreshes * 17 / 16
      : shown - last == refreshes
  }
}
