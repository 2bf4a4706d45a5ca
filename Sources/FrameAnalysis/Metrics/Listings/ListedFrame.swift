public import FrameTrace

/// Everything known about one frame: what the source recorded, and what was derived from it.
///
/// Times are on the trace clock. Anything that the trace does not show is `nil`.
public struct ListedFrame: Sendable {
  /// What became of the frame.
  public enum Outcome: String, Sendable, CaseIterable {
    case displayed, replaced, discarded, unresolved
  }

  /// The frame's index in the surface, from 0.
  public let row: Int
  /// The frame's number in the source.
  public let identifier: Int64?
  /// Whether a driver generated the frame between two of the app's frames.
  public let isGenerated: Bool
  /// What became of the frame.
  public let outcome: Outcome
  /// Whether the compositor took the frame as soon as it was committed.
  public let isLowLatency: Bool
  /// The times of the app's stages, as the trace records them.
  public let appStart, appEnd, commit: Timestamp?
  /// The app's additional intervals, if several make one frame: the times above are the oldest's.
  package let moreAppIntervals: [Range<Timestamp>]
  /// When the compositor and the GPU worked on the frame, and when its buffer was finished; `nil` if unknown.
  public let compositorStart, compositorEnd, gpuStart, gpuEnd, queued: Timestamp?
  /// The refresh at which the frame was swapped in, and its time; `nil` for a frame that was never shown.
  public let refresh: RefreshNumber?
  /// When the frame was first displayed; `nil` for a frame that was never displayed, or if unknown.
  public let displayed: Timestamp?
  /// When another frame replaced it on the display; `nil` for the last one.
  public let swappedOut: Timestamp?
  /// The refresh at which the frame was due, and its time.
  public let dueRefresh: RefreshNumber?
  /// When the frame was due; `nil` if nothing shows that.
  public let due: Timestamp?
  /// The refreshes that were dropped because of the frame, with their charges.
  public let drops: [DroppedRefreshes]
  /// How late the frame was displayed, without refreshes covered by an earlier frame; the lateness
  /// of frames that it replaced is included.
  public let hitch: Nanoseconds?
  /// The start of the hitch that the frame ends; `nil` if the frame was not late.
  public let hitchStart: Timestamp?
  /// The buffer that the frame was drawn into, numbered from 0 in order of first use.
  public let buffer: Int?
  /// When the buffer was in use; `bufferStart` is `nil` if it was in use before the recording
  /// began, `bufferEnd` if it was still in use at the end, and both if the times are unknown.
  public let bufferStart, bufferEnd: Timestamp?
  /// The maximum number of buffers in use at once until the frame was shown.
  public let depth: Int?
  /// How long the stages took: the app without its wait for a buffer, the GPU while no other stage
  /// worked.
  public let appTime, compositorTime, gpuTime, queueWait: Nanoseconds?
  /// The time since the previous frame, as the source measures it.
  public let frameTime: Nanoseconds?

  /// The number of refreshes dropped because of the frame.
  public var droppedCount: Int64 { drops.reduce(0) { $0 + $1.count } }
}
