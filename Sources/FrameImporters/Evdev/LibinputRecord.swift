import FrameTrace

/// Recordings of `libinput record`: events of several devices in YAML.
///
/// Documentation: libinput, `libinput-record(1)`. Recordings are read line by line because they are pasted and
/// truncated. Example:
///
///     devices:
///     - node: /dev/input/event4
///       evdev:
///         name: "ELAN Touchscreen"
///       events:
///       - evdev:
///         - [  0,   1234,   3,  57,  420] # EV_ABS / ABS_MT_TRACKING_ID 420
///
/// The event begins a contact 1.234 ms after the recording began.
struct LibinputRecord: TraceImporter {
  let name = "libinput-record"
  let title = "libinput record"
  let versions = "version 1"
  let documentation = "https://wayland.freedesktop.org/libinput/doc/latest/tools.html"
  let framesAdvice: String? = "for frames, analyze a frame recording with --touches and this file"

  func recognize(_ head: FileHead) -> Recognition? {
    let lines = head.lines(400)
    let isNamed =
      lines.contains { $0.hasPrefix("libinput:") } && lines.contains { $0.hasPrefix("devices:") }
    // Other lists may have five numbers too.
    let events = lines.compactMap { Self.event($0[...]) }
    let isPasted =
      events.count >= 3 && events.allSatisfy { 0...0x1f ~= $0.type }
      && events.contains { $0.type == 0 && $0.code == 0 }
    guard isNamed || isPasted else { return nil }
    return Recognition(
      format: "libinput record",
      reason: isNamed ? "a document with libinput and devices" : "event lists of five numbers")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var recording = EvdevRecording()
    var log = IssueLog()
    var device = "device"
    try EvdevText.read(input, &log) { line in
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.hasPrefix("- node:") {
        device = String(text.dropFirst(7).drop { $0 == " " })
        return .other
      }
      if text.hasPrefix("name:"), recording.devices[device]?.name == nil {
        let name = text.dropFirst(5).drop { $0 == " " }
        recording.devices[device, default: .init()].name = name.filter { $0 != "\"" }
        return .other
      }
      guard text.hasPrefix("- [") || text.hasPrefix("-\t[") else { return .other }
      guard let event = Self.event(line) else { return .malformed }
      recording.consume(event, of: device)
      return .event
    }
    return try EvdevText.trace(
      recording, provenance, log, input, help: "touch the device while 'libinput record' runs")
  }

  /// The event in a line such as `- [  0, 1234, 3, 57, 420]`: seconds, µs, type, code, value. Tabs
  /// can replace blanks.
  static func event(_ line: Substring) -> EvdevEvent? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.hasPrefix("-"), let open = text.firstIndex(of: "["),
      text[..<open].dropFirst().allSatisfy({ $0 == " " || $0 == "\t" }),
      let close = text.firstIndex(of: "]"), open < close
    else { return nil }
    let numbers = text[text.index(after: open)..<close].split(separator: ",").map { cell in
      Int64(cell.filter { $0 != " " && $0 != "\t" })
    }
    guard numbers.count == 5, let seconds = numbers[0], let part = numbers[1],
      let time = EvdevText.time(seconds, part), let type = numbers[2], let code = numbers[3],
      let value = numbers[4]
    else { return nil }
    return EvdevEvent(time: time, type: type, code: code, value: value)
  }
}
