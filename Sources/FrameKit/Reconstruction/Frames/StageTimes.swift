/// When the stages of one frame were, in nanoseconds; `nil` where the source does not say.
///
/// The letters are the pipeline's: the app works from A0 to A1 and commits in between, the
/// compositor from R0 to R1, the GPU from G0 to G1, and at Q the buffer is finished and
/// queued for the display.
struct StageTimes {
  /// A0, of the oldest app interval where several make one frame.
  var appStart: Int64?
  /// A1, of the same interval.
  var appEnd: Int64?
  /// The last commit of that interval.
  var commit: Int64?
  /// Whether that stands for the end of the interval, as the trace has no commit.
  var isCommitInferred = false
  /// R0.
  var compositorStart: Int64?
  /// R1.
  var compositorEnd: Int64?
  /// G0.
  var gpuStart: Int64?
  /// G1.
  var gpuEnd: Int64?
  /// Q.
  var queued: Int64?
  /// When the app began and ceased to wait for a buffer.
  var blocked: Range<Int64>?
  /// Whether frames go to the compositor as soon as they are committed.
  var isLowLatency = false
  /// Whether the app draws into the buffers, so that its GPU work comes before the
  /// compositor's.
  var isFilledByApp = false

  /// The first time at which the frame is known to have been worked on.
  var earliest: Int64? {
    appStart
      ?? Self.earlier(Self.earlier(commit, compositorStart), Self.earlier(gpuStart, queued))
  }

  /// The first write to its buffer, as far as stages tell it.
  var firstTime: Int64? { isFilledByApp ? earliest : compositorStart ?? earliest }

  /// How long the app worked on it, less the time it was blocked for a buffer.
  var appTime: Int64? {
    guard let appStart, let commit else { return nil }
    let blocked = blocked.map { min($0.upperBound, commit) - max($0.lowerBound, appStart) } ?? 0
    return max(0, commit - appStart - max(0, blocked))
  }

  /// How long the compositor worked on it.
  var compositorTime: Int64? {
    guard let compositorStart, let compositorEnd else { return nil }
    return max(0, compositorEnd - compositorStart)
  }

  /// How long the GPU worked on it and nobody else did.
  var gpuTime: Int64? {
    let before = isFilledByApp ? commit : compositorEnd
    guard let end = gpuEnd, let start = Self.later(before, gpuStart) else { return nil }
    return max(0, end - start)
  }

  /// How long it waited for the GPU once it could have started.
  var gpuWait: Range<Int64>? {
    guard let ready = isFilledByApp ? commit : compositorEnd, let gpuStart, gpuStart > ready
    else { return nil }
    return ready..<gpuStart
  }

  /// The later of two times as far as they are known.
  static func later(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }

  /// The earlier of two times as far as they are known.
  static func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
