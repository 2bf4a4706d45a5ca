/// The frames of a surface that its source calls dropped.
public struct StatedDrops: Hashable, Sendable {
  /// How many dropped frames affect smoothness, according to the source.
  public var visible: Int
  /// How many dropped frames do not, such as those in which nothing moved.
  public var invisible: Int
  /// The longest run of visible drops without a frame shown between them; `nil` without visible drops.
  public var longest: StatedRun?

  package init(visible: Int = 0, invisible: Int = 0) {
    (self.visible, self.invisible) = (visible, invisible)
  }
}

/// Consecutive frames for which a source has the same verdict.
public struct StatedRun: Hashable, Sendable {
  /// The number of frames in the run.
  public var frames: Int
  /// When the first frame began.
  public var start: Timestamp
  /// The time from `start` until the next frame began, or until the last frame ended.
  public var length: Nanoseconds

  package init(frames: Int, start: Timestamp, length: Nanoseconds) {
    self.frames = frames
    self.start = start
    self.length = length
  }
}
