import CRelay

/// What a capture takes from: it waits for files, works when they are ready or some time is over, and gives
/// out the lines of a file in whole.
protocol CaptureSource {
  /// The files that it waits for.
  var waits: [relay_wait] { get }
  /// Whether no program uses it.
  var isIdle: Bool { get }
  /// Whether all that was to be captured is.
  var isDone: Bool { get }
  /// When it has something to do of its own, to the nanosecond; `nil` for nothing.
  var due: Int64? { get }
  /// Does what there is to do; its files are those of `waits`, in order.
  mutating func work(_ ready: ArraySlice<relay_wait>)
  /// Takes in that it was not allowed to work for a while.
  /// - Returns: Whether that makes what it captures worse.
  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool
  /// What was found since the last time.
  mutating func takeLines() -> [UInt8]
  /// What a file begins with, so that it can be read alone.
  /// - Parameter part: The number of the file, from 1 on.
  mutating func opening(part: Int, at time: Int64) -> [UInt8]
  /// The last lines of a file.
  /// - Parameter isLast: Whether no other file follows, which could have what is still to come.
  mutating func closing(isLast: Bool) -> [UInt8]
  /// What was found in all, in words.
  var summary: String { get }
  /// Why there are no frames, or not what else was asked for; `nil` where there is.
  var emptiness: (problem: String, help: String)? { get }
}

extension CaptureSource {
  var isDone: Bool { false }
  var due: Int64? { nil }
}
