/// Frames of a surface that its source calls dropped.
public struct StatedDrops: Hashable, Sendable {
  /// How many of them affect smoothness, as the source counts it.
  public var visible: Int
  /// How many do not, such as those in which nothing moved.
  public var invisible: Int
  /// The longest run of visible ones without a frame shown between them; `nil` without visible ones.
  public var longest: StatedRun?

  package init(visible: Int = 0, invisible: Int = 0) {
    (self.visible, self.invisible) = (visible, invisible)
  }
}

/// Frames in a row on which a source has the same verdict.
public struct StatedRun: Hashable, Sendable {
  /// How many frames it has.
  public var frames: Int
  /// When the first of them began.
  public var start: Timestamp
  /// From then until the next frame began, or until the last of them ended.
  public var length: Nanoseconds

  package init(frames: Int, start: Timestamp, length: Nanoseconds) {
    self.frames = frames
    self.start = start
    self.length = length
  }
}
