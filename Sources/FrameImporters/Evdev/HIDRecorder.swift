import FrameTrace

/// Recordings of `hid-recorder`: the reports of a touch device as the device sends them, with its own scan time.
///
/// Documentation: hid-tools, `hid-recorder`; Microsoft, "Windows precision touch", for the scan time. The
/// lines
///
///     R: 36 05 0d 09 04 a1 01 …
///     E: 000000.007290 9 01 03 00 64 00 c8 00 48 01
///
/// are a descriptor, and a report of nine bytes.
struct HIDRecorder: TraceImporter {
  let name = "hid-recorder"
  let title = "hid-recorder"
  let versions = "hid-replay, hid-tools"
  let documentation = "https://gitlab.freedesktop.org/libevdev/hid-tools"
  let framesAdvice: String? = "for frames, analyze a frame recording with --touches and this file"

  func recognize(_ head: FileHead) -> Recognition? {
    let lines = head.lines(200)
    guard let descriptor = lines.first(where: { $0.hasPrefix("R: ") }),
      let bytes = Self.bytes(descriptor.dropFirst(3)), bytes.count > 4
    else { return nil }
    return Recognition(format: "hid-recorder", reason: "a report descriptor after R:")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var log = IssueLog()
    var recording = HIDRecording()
    try EvdevText.read(input, &log) { recording.consume($0) }
    guard recording.hasContacts else {
      throw ParseError(
        path: input.path,
        problem: "expected reports of a touch device, found a device without a field for a finger",
        help: "record the touch device: 'hid-recorder' lists all devices")
    }
    var builder = TraceBuilder(provenance)
    builder.log = log
    builder.trace.clocks = [
      ClockDomain(
        name: "the recording's kernel clock", join: .traceClock, offset: nil,
        resolution: Nanoseconds(1000))
    ]
    recording.add(to: &builder)
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path, problem: "expected a contact in the touch device's reports, found none",
        help: "touch the device while 'hid-recorder' runs")
    }
    return builder
  }

  /// The bytes after a count, in hexadecimal; `nil` if their number differs from the count.
  static func bytes(_ text: Substring) -> [UInt8]? {
    let cells = text.split(separator: " ")
    guard let count = cells.first.flatMap({ Int($0) }), count > 0, cells.count - 1 == count
    else {
      return nil
    }
    let bytes = cells.dropFirst().compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
    return bytes.count == count ? bytes : nil
  }
}
