package import FrameTrace

/// When the buffer of one frame was in use.
package struct BufferUse {
  /// The row of the frame.
  let row: Int
  /// The time of the first work on the buffer.
  package let firstWrite: Timestamp
  /// Whether the first time is the start of the app's work because the trace has no time for the buffer
  /// itself.
  let isInferred: Bool
  /// Whether the buffer was already in use before that time because the frame was in progress when the recording began.
  let isUnderWay: Bool
  /// When the buffer became free again; `nil` if it did not before the trace ended.
  package let free: Timestamp?

  init(
    row: Int, firstWrite: Timestamp, isInferred: Bool, isUnderWay: Bool = false, free: Timestamp?
  ) {
    (self.row, self.firstWrite, self.free) = (row, firstWrite, free)
    (self.isInferred, self.isUnderWay) = (isInferred, isUnderWay)
  }
}
