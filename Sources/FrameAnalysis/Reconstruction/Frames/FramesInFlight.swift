import FrameTrace

/// Finds frames that were in flight at some time, on any surface of a display.
struct FramesInFlight {
  /// A frame and its stages.
  struct Frame {
    let reference: FrameReference
    let times: StageTimes
    let usual: UsualTimes
  }

  /// The surfaces of one display.
  private let surfaces: [SurfaceTimeline]
  /// How many previous frames are searched: more than any chain has in flight.
  static let farthest = 64

  init(_ surfaces: [SurfaceTimeline]) { self.surfaces = surfaces }

  /// The frame that the compositor started first, among the frames that it started before `start` and by `time`, and
  /// that were not shown at `time`; `nil` if there is none.
  func oldestRendered(at time: Timestamp, startedBefore start: Timestamp, not own: FrameReference)
    -> Frame?
  {
    oldest(before: start, own, by: \.compositorStart, order: .compositor) { timeline, row, times in
      guard let begin = times.compositorStart, begin < start, begin <= time else { return false }
      return timeline.isOnItsWay(row, at: time)
    }
  }

  /// The first started frame among those before `own` that were in flight at a time; `nil` when
  /// there is none.
  func oldest(at time: Timestamp, before own: FrameReference) -> Frame? {
    oldest(before: time, own, by: \.earliest, order: .app) { timeline, row, times in
      guard let begin = times.earliest, begin <= time else { return false }
      return (timeline.surface != own.surface || row < own.row)
        && timeline.isOnItsWay(row, at: time)
    }
  }

  /// The earlier frame that the GPU worked on while another frame waited for it; `nil` if there is none.
  func holdingGPU(in wait: Range<Timestamp>, not own: FrameReference) -> Frame? {
    oldest(before: wait.upperBound, own, by: \.gpuEnd, order: .app) { _, _, times in
      guard let end = times.gpuEnd, let begin = times.gpuStart else { return false }
      return begin < wait.upperBound && end > wait.lowerBound
    }
  }

  /// Whether an earlier frame of the surface was in flight at a time but the trace does not show
  /// when the compositor started on it.
  func hasUnknownFrame(at time: Timestamp, before own: FrameReference) -> Bool {
    guard let timeline = surfaces.first(where: { $0.surface == own.surface }) else { return false }
    return (max(0, own.row - 8)..<own.row).contains { row in
      timeline.stages[row].compositorStart == nil && timeline.isOnItsWay(row, at: time)
    }
  }

  private func oldest(
    before time: Timestamp, _ own: FrameReference, by key: KeyPath<StageTimes, Timestamp?>,
    order: FrameStages.Order, where isWanted: (SurfaceTimeline, Int, StageTimes) -> Bool
  ) -> Frame? {
    var found: (frame: Frame, key: Timestamp)?
    for timeline in surfaces {
      let end =
        timeline.surface == own.surface
        ? own.row : timeline.count(startedBefore: time, order) + 1
      for row in max(0, end - 1 - Self.farthest)..<min(end, timeline.stages.count) {
        let times = timeline.stages[row]
        guard isWanted(timeline, row, times), let value = times[keyPath: key] else { continue }
        if found.map({ value < $0.key }) ?? true {
          let reference = FrameReference(surface: timeline.surface, row: row)
          found = (Frame(reference: reference, times: times, usual: timeline.usual), value)
        }
      }
    }
    return found?.frame
  }
}

extension SurfaceTimeline {
  /// Whether a frame, or the frame that replaced it, was not yet on the display. A frame swapped in at that same
  /// refresh counts as displayed.
  fileprivate func isOnItsWay(_ row: Int, at time: Timestamp) -> Bool {
    // Work that starts at a refresh may start a sixteenth of an interval early.
    if let shown = schedule.shownTime(row) {
      return shown > time + schedule.grid.interval(at: time) / 16
    }
    // A frame that was never shown held up others only as long as it was worked on.
    let times = stages[row]
    return (times.queued ?? times.gpuEnd ?? times.compositorEnd ?? times.commit ?? .earliest)
      > time
  }
}
