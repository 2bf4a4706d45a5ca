import CRelay
import FrameImporters

/// A source for a capture: it waits for file descriptors, works when they are ready or after some time, and returns
/// complete lines for the file.
protocol CaptureSource {
  /// The file descriptors for which the source waits.
  var waits: [relay_wait] { get }
  /// Whether no program is connected to the source.
  var isIdle: Bool { get }
  /// Whether everything requested has been captured.
  var isDone: Bool { get }
  /// The time of the source's next scheduled work, in nanoseconds; `nil` for none.
  var due: Int64? { get }
  /// Periodically examines the running program.
  mutating func look(at process: Int32)
  /// Readings of the system's telemetry, as lines for the file.
  func lines(_ sample: TelemetrySampler.Sample) -> [UInt8]
  /// Does the pending work; `ready` has the file descriptors of `waits`, in order.
  mutating func work(_ ready: ArraySlice<relay_wait>)
  /// Receives the changes in the pictures of a program's frames from another source.
  mutating func consume(_ pictures: [PresentedPicture])
  /// Records an interval in which the source could not work.
  /// - Returns: Whether the delay affects the captured data.
  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool
  /// Returns the lines found since the last call.
  mutating func takeLines() -> [UInt8]
  /// The first lines of a file, with which the file can be read without earlier files.
  /// - Parameter part: The number of the file, from 1.
  mutating func opening(part: Int, at time: Int64) -> [UInt8]
  /// The last lines of a file.
  /// - Parameter isLast: Whether no further file follows that could hold remaining data.
  mutating func closing(isLast: Bool) -> [UInt8]
  /// A summary of the captured data, in words.
  var summary: String { get }
  /// Whether the source captured any frames.
  var hasFrames: Bool { get }
  /// Why the capture lacks frames or other requested data; `nil` if it is complete.
  var emptiness: (problem: String, help: String)? { get }
}

extension CaptureSource {
  var isDone: Bool { false }
  var due: Int64? { nil }
  mutating func look(at process: Int32) {}
  mutating func consume(_ pictures: [PresentedPicture]) {}

  func lines(_ sample: TelemetrySampler.Sample) -> [UInt8] {
    var lines = MessageLines(connection: 0)
    for reading in sample.readings {
      lines.add(
        sample.time, "!", RecordedTelemetry.interface, 0, "reading",
        [
          .text(reading.name), .text(reading.unit), .real(reading.value), .text(reading.source),
        ])
    }
    return lines.take()
  }
}
