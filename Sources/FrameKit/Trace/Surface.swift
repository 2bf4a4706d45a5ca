/// One chain of frames with buffers of its own: a window, a layer, a swap chain.
public struct Surface: Sendable {
  /// Who draws into the buffers.
  public enum BufferOwner: String, Sendable, CaseIterable {
    /// The app does, with its GPU work: Android, Wayland, games.
    case app
    /// The compositor does: iOS.
    case compositor
  }

  /// The name other records know it by, unlike any other in the trace.
  public var id: String
  /// What the source calls it; `nil` when it has no name of its own.
  public var name: String?
  /// The process it belongs to; `nil` when not known.
  public var process: String?
  /// That process's number; `nil` when not known.
  public var processID: Int?
  /// The display it is shown on, by its place in the trace's list; `nil` when not known.
  public var display: Int?
  /// `nil` when not known.
  public var bufferOwner: BufferOwner?
  /// How many buffers it has been given; `nil` when not known.
  public var allocatedBuffers: Int?
  /// The time from frame to frame that it aims at, as the source or the user states it; `nil` when
  /// nobody does.
  public var targetInterval: Nanoseconds?
  /// Whether the identifiers of its frames count them, so that a gap tells of frames that were not
  /// recorded; `nil` when the source does not say.
  public var numbersCountFrames: Bool?
  /// Its frames in order of time.
  public internal(set) var frames = Table<FrameColumn>()
}
