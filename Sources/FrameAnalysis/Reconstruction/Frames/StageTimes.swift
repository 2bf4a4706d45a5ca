package import FrameTrace

/// The times of the stages of one frame; `nil` if the source does not say.
///
/// The letters denote points of the pipeline. The app works from A0 to A1 and commits in between, the compositor works
/// from R0 to R1, and the GPU works from G0 to G1. At Q the buffer is finished and queued for the display.
package struct StageTimes {
  /// A0; if several app intervals make one frame, that of the oldest.
  package var appStart: Timestamp?
  /// A1, of the same interval.
  package var appEnd: Timestamp?
  /// The last commit of that interval.
  package var commit: Timestamp?
  /// Whether the commit is the end of the interval because the trace records no commit.
  var isCommitInferred = false
  /// R0.
  package var compositorStart: Timestamp?
  /// R1.
  package var compositorEnd: Timestamp?
  /// G0.
  package var gpuStart: Timestamp?
  /// G1.
  package var gpuEnd: Timestamp?
  /// Q.
  package var queued: Timestamp?
  /// How long the GPU was busy with the frame, as stated by the source.
  var gpuBusy: Nanoseconds?
  /// How long the GPU was busy with the frame, estimated from the GPU's utilization if the source states no busy times.
  var estimatedBusy: Nanoseconds?
  /// Whether the time from G0 to G1 is work. Where starts are derived, it contains waits for the app.
  var isGPUSpanWork = true
  /// When the app started and stopped waiting for a buffer.
  package var blocked: Range<Timestamp>?
  /// Whether frames go to the compositor as soon as they are committed.
  package var isLowLatency = false
  /// Whether the app draws into the buffers, so that its GPU work comes before the
  /// compositor's.
  var isFilledByApp = false
  /// Whether a compositor takes what the app has drawn, whether or not the trace has its times.
  var isComposited = false

  /// The first time at which the frame is known to have been worked on.
  var earliest: Timestamp? {
    appStart
      ?? Self.earlier(Self.earlier(commit, compositorStart), Self.earlier(gpuStart, queued))
  }

  /// The first write to the frame's buffer, according to the known stages.
  var firstTime: Timestamp? { isFilledByApp ? earliest : compositorStart ?? earliest }

  /// How long the app worked on the frame, minus its wait for a buffer.
  var appTime: Nanoseconds? { Self.appTime(from: appStart, to: commit, blocked: blocked) }

  @inline(__always)
  static func appTime(
    from start: Timestamp?, to commit: Timestamp?, blocked: Range<Timestamp>?
  ) -> Nanoseconds? {
    guard let start, let commit, start <= commit else { return nil }
    let blocked = blocked.map { min($0.upperBound, commit) - max($0.lowerBound, start) }
    return max(.zero, commit - start - max(.zero, blocked ?? .zero))
  }

  /// How long the compositor worked on the frame.
  var compositorTime: Nanoseconds? {
    Self.compositorTime(from: compositorStart, to: compositorEnd)
  }

  @inline(__always)
  static func compositorTime(from start: Timestamp?, to end: Timestamp?) -> Nanoseconds? {
    guard let start, let end, start <= end else { return nil }
    return end - start
  }

  /// How long the GPU worked on the frame while no other stage did.
  var gpuTime: Nanoseconds? {
    let before = isFilledByApp ? commit : compositorEnd
    guard let end = gpuEnd, let start = Self.later(before, gpuStart), gpuStart ?? end <= end else {
      return nil
    }
    return max(.zero, end - start)
  }

  /// How much of the GPU's time the frame took, whether or not the app worked on the frame at the same time.
  var gpuLoad: Nanoseconds? {
    measuredLoad ?? estimatedBusy
  }

  /// The load as the source measures it.
  var measuredLoad: Nanoseconds? {
    if let gpuBusy { return gpuBusy }
    guard isGPUSpanWork, let gpuStart, let gpuEnd, gpuEnd >= gpuStart else { return nil }
    return gpuEnd - gpuStart
  }

  /// When the part that depends only on the app's work is finished: the buffer if the app fills it, otherwise the last
  /// commit.
  var ownEnd: Timestamp? { isFilledByApp ? queued : commit }

  /// How long the frame waited for the GPU once it could have started.
  var gpuWait: Range<Timestamp>? {
    guard let ready = isFilledByApp ? commit : compositorEnd, let gpuStart, gpuStart > ready
    else { return nil }
    return ready..<gpuStart
  }

  /// The later of two times as far as they are known.
  package static func later(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }

  /// The earlier of two times as far as they are known.
  static func earlier<Instant: Comparable>(
    _ one: Instant?, _ other: Instant?
  ) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
