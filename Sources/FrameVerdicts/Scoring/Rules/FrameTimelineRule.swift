package import FrameAnalysis
package import FrameTrace

/// SurfaceFlinger's classification of frames, applied to any trace.
///
/// Source: AOSP, `frameworks/native/services/surfaceflinger/FrameTimeline/FrameTimeline.cpp` and `FrameTimeline.h`,
/// Android 16: the display time may differ from the prediction by 2 ms. If a trace has no predictions, the predicted
/// refresh of a frame is the one at which it is due according to the pipeline model. If the rule is used without that
/// model, the predicted refresh is as many refreshes after the frame's start as the fastest tenth of the surface's
/// frames take. The app must be finished one refresh earlier.
package struct FrameTimelineRule {
  /// SurfaceFlinger's verdict on a frame.
  package struct Verdict: Sendable {
    /// The frame's row.
    package let row: Int
    /// The predicted times: when the app begins, when it is finished, and when the frame is displayed.
    package let start, end, present: Timestamp
    /// When the app was finished.
    package let actualEnd: Timestamp
    package let actualPresent: Timestamp?
    /// The jank types of the app's frame, and of the compositor's frame that shows it.
    package let surfaceJank, displayJank: FrameTimelineJank
    /// When the compositor began, the refresh that woke it, and when the frame should be displayed from there.
    package let composed: (start: Timestamp, wake: Timestamp, due: Timestamp)?
  }

  private let frames: RuleFrames
  private let lag: Int64
  /// The refresh at which the frame in a row is due according to the pipeline model; `nil` if the model does not say.
  private let due: (Int) -> RefreshNumber?
  /// How far the display time may differ from the prediction.
  package static let leeway = Nanoseconds(2_000_000)

  /// - Parameter surface: The surface's index in the study's trace.
  package init(_ study: Study, surface: Int) {
    let due = study.pipeline().surfaces[surface].timeline.schedule.due
    self.init(RuleFrames(study, surface, 0)) { due[$0] }
  }

  init(_ frames: RuleFrames, due: @escaping (Int) -> RefreshNumber? = { _ in nil }) {
    self.frames = frames
    self.due = due
    lag = frames.usualLag
  }

  /// The verdicts, in order of the commits.
  package var verdicts: [Verdict] {
    var lastLatch: Timestamp?
    var lastPresent: Timestamp?
    return frames.frames.map { frame in
      let verdict = verdict(frame, lastLatch, lastPresent)
      if let present = frame.displayed {
        lastLatch = frame.composed?.start ?? present
        lastPresent = present
      }
      return verdict
    }
  }

  private func verdict(
    _ frame: RuleFrames.Frame, _ lastLatch: Timestamp?, _ lastPresent: Timestamp?
  ) -> Verdict {
    let grid = frames.grid
    let target = due(frame.row) ?? frame.startRefresh + lag
    let present = frame.expectedDisplay ?? grid.time(target)
    // Without a refresh between them, the app and the compositor have half a refresh interval each.
    let half = Nanoseconds(grid.interval(at: grid.time(target + -1)).count / 2)
    let own = lag > 1 ? grid.time(max(target + -1, frame.startRefresh + 1)) : present - half
    let end = frame.expectedEnd ?? max(frame.start, own)
    let finished =
      frames.isFilledByApp ? max(frame.commit, frame.gpuEnd ?? frame.commit) : frame.commit
    let display = displayJank(frame, lastPresent)
    return Verdict(
      row: frame.row, start: frame.start, end: end, present: present, actualEnd: finished,
      actualPresent: frame.displayed,
      surfaceJank: surfaceJank(
        frame, finished: finished, end: end, present: present, display, lastLatch),
      displayJank: display,
      composed: frame.composed.map { composed in
        (composed.start, grid.time(wake(composed.start)), grid.time(wake(composed.start) + 1))
      })
  }

  /// The refresh that woke the compositor.
  private func wake(_ start: Timestamp) -> RefreshNumber {
    frames.grid.last(start + Nanoseconds(frames.grid.interval(at: start).count / 16))
  }

  private func isNearRefresh(_ off: Nanoseconds, at time: Timestamp) -> Bool {
    let interval = frames.grid.interval(at: time).count
    let rest = abs(off.count) % max(1, interval)
    return rest < Self.leeway.count || rest >= interval - Self.leeway.count
  }

  private func surfaceJank(
    _ frame: RuleFrames.Frame, finished: Timestamp, end: Timestamp, present: Timestamp,
    _ display: FrameTimelineJank, _ lastLatch: Timestamp?
  ) -> FrameTimelineJank {
    guard let shown = frame.displayed else { return .dropped }
    let off = shown - present
    if abs(off.count) <= Self.leeway.count { return .onTime }
    let guess: FrameTimelineJank =
      isNearRefresh(off, at: shown) ? .compositorScheduling : .predictionError
    if off < .zero { return finished > end ? .unknown : guess }
    var jank: FrameTimelineJank = []
    var deadline = end
    if let lastLatch, end <= lastLatch {
      jank = .bufferStuffing
      deadline = lastLatch + frames.grid.interval(at: lastLatch)
    }
    let inherited = display.subtracting(.onTime)
    if finished > deadline { return jank.union(.appDeadlineMissed).union(inherited) }
    if !inherited.isEmpty { return jank.union(inherited) }
    return jank.isEmpty ? guess : jank
  }

  /// Judges the compositor's own frame.
  private func displayJank(
    _ frame: RuleFrames.Frame, _ lastPresent: Timestamp?
  ) -> FrameTimelineJank {
    guard let shown = frame.displayed, let composed = frame.composed else { return .onTime }
    let due = frames.grid.time(wake(composed.start) + 1)
    let gpuEnd = frames.isFilledByApp ? nil : frame.gpuEnd
    let isLate = max(composed.end, gpuEnd ?? composed.end) > due
    let off = shown - due
    if abs(off.count) <= Self.leeway.count { return .onTime }
    let isNear = isNearRefresh(off, at: shown)
    if off < .zero {
      return !isLate && !isNear ? .predictionError : .compositorScheduling
    }
    let interval = frames.grid.interval(at: shown)
    let isStuffed = lastPresent.map { $0 > due - Self.leeway } ?? false
    if !isLate {
      // As in the source: a frame that was finished but had to wait for the previous one counts as unknown.
      return isStuffed ? .unknown : isNear ? .displayHAL : .predictionError
    }
    let isLong = lastPresent.map { shown - $0 > interval + Self.leeway } ?? true
    guard !isStuffed || isLong else { return .compositorStuffing }
    let isGPU = gpuEnd.map { $0 > due && $0 > composed.end } ?? false
    return isGPU ? .compositorGPUDeadlineMissed : .compositorCPUDeadlineMissed
  }
}
