public import FrameTrace

/// All that is known of one frame: what the source recorded, and what was worked out from it.
///
/// Times are on the trace clock. What the trace does not say is `nil`.
public struct ListedFrame: Sendable {
  /// What became of it.
  public enum Outcome: String, Sendable, CaseIterable {
    case displayed, replaced, discarded, unresolved
  }

  /// Its place among the surface's frames, from 0.
  public let row: Int
  /// The source's own number of it.
  public let identifier: Int64?
  /// Whether a driver made the frame between two of the app's own.
  public let isGenerated: Bool
  /// What became of the frame.
  public let outcome: Outcome
  /// Whether the compositor took it as soon as it was committed.
  public let isLowLatency: Bool
  /// When its stages were, as the trace tells them.
  public let appStart, appEnd, commit: Timestamp?
  /// The app's further intervals, where several make one frame: the times above are the oldest's.
  package let moreAppIntervals: [Range<Timestamp>]
  /// When the compositor and the GPU worked on it, and when its buffer was finished; `nil` where that is not known.
  public let compositorStart, compositorEnd, gpuStart, gpuEnd, queued: Timestamp?
  /// The refresh it was swapped in at, and when that was; `nil` for one never shown.
  public let refresh: RefreshNumber?
  /// When it came onto the display; `nil` for a frame that never did, or where that is not known.
  public let displayed: Timestamp?
  /// When another frame took its place on the display; `nil` for the last one.
  public let swappedOut: Timestamp?
  /// The refresh it was due at, and when that was.
  public let dueRefresh: RefreshNumber?
  /// When it was due; `nil` where nothing shows that.
  public let due: Timestamp?
  /// The refreshes that were dropped for it, with who is charged.
  public let drops: [DroppedRefreshes]
  /// How late it came onto the display, refreshes that an earlier frame covered left out, and
  /// from when on; frames that it replaced count with it.
  public let hitch: Nanoseconds?
  /// Where the hitch begins that the frame ends; `nil` where it was not late.
  public let hitchStart: Timestamp?
  /// Which buffer it was drawn into, from 0 in the order in which buffers came up, and from when
  /// until when it took it; `bufferStart` is `nil` for one that was in use before anything was
  /// recorded, `bufferEnd` for one that was still in use at the end.
  public let buffer: Int?
  /// From when until when its buffer was in use; `nil` where that is not known.
  public let bufferStart, bufferEnd: Timestamp?
  /// The most buffers that were in use at once until it was shown.
  public let depth: Int?
  /// How long stages took: the app less its wait for a buffer, the GPU while nobody else worked.
  public let appTime, compositorTime, gpuTime, queueWait: Nanoseconds?
  /// From the frame before to this one, by what the source measures.
  public let frameTime: Nanoseconds?

  /// How many refreshes were dropped for it.
  public var droppedCount: Int64 { drops.reduce(0) { $0 + $1.count } }
}
