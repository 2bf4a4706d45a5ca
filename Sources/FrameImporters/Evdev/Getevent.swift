import FrameTrace

/// The output of `adb shell getevent -lt`: events of Android's input devices.
///
/// Documentation: Android, "Getevent". The lines
///
///     add device 1: /dev/input/event7
///       name:     "synaptics_dsx"
///     [  615041.773137] /dev/input/event7: EV_ABS       ABS_MT_TRACKING_ID   000011bb
///     [  615041.773137] /dev/input/event7: EV_SYN       SYN_REPORT           00000000
///
/// are the start of a contact. Without `-l`, types and codes are numbers. Values are hexadecimal,
/// in two's complement.
struct Getevent: TraceImporter {
  let name = "getevent"
  let title = "getevent"
  let versions = "Android 4 to 16, toybox"
  let documentation = "https://source.android.com/docs/core/interaction/input/getevent"
  let framesAdvice: String? = "for frames, analyze a frame recording with --touches and this file"

  func recognize(_ head: FileHead) -> Recognition? {
    let lines = head.lines(600)
    guard lines.contains(where: { Self.event($0[...]) != nil }) else { return nil }
    return Recognition(format: "getevent with times", reason: "lines of events of /dev/input")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var recording = EvdevRecording()
    var log = IssueLog()
    var described: String?
    try EvdevText.read(input, &log) { line in
      let text = line.drop { $0 == " " }
      if text.hasPrefix("add device") {
        described = text.split(separator: " ").last.map(String.init)
        return .other
      }
      if text.hasPrefix("name:"), let device = described {
        let name = text.split(separator: "\"").dropFirst().first.map(String.init)
        recording.devices[device, default: .init()].name = name
        return .other
      }
      guard line.contains("["), line.contains("]") else { return .other }
      guard let (device, event) = Self.event(line) else { return .malformed }
      recording.consume(event, of: device ?? described ?? "device")
      return .event
    }
    return try EvdevText.trace(
      recording, provenance, log, input, help: "record with 'adb shell getevent -lt'")
  }

  /// The device that a line names, and its event.
  static func event(_ line: Substring) -> (device: String?, event: EvdevEvent)? {
    // A prompt or another character may precede the time.
    guard let open = line.firstIndex(of: "["), let close = line[open...].firstIndex(of: "]"),
      let time = EvdevText.time(line[line.index(after: open)..<close].drop { $0 == " " })
    else { return nil }
    var cells = line[line.index(after: close)...].split(whereSeparator: { $0 == " " || $0 == "\t" })
    var device: String?
    if let first = cells.first, first.hasPrefix("/dev/") {
      device = String(first.dropLast(first.hasSuffix(":") ? 1 : 0))
      cells.removeFirst()
    }
    guard cells.count == 3 || (cells.count == 5 && cells[3] == "rate"),
      let type = EvdevNames.types[String(cells[0])] ?? number(cells[0], digits: 4),
      let code = EvdevNames.codes[String(cells[1])] ?? number(cells[1], digits: 4)
        ?? named(cells[1]),
      let value = number(cells[2], digits: 8) ?? EvdevNames.values[String(cells[2])]
    else { return nil }
    return (
      device,
      EvdevEvent(time: time, type: type, code: code, value: Int64(Int32(truncatingIfNeeded: value)))
    )
  }

  /// A number with exactly this many hexadecimal digits.
  private static func number(_ text: Substring, digits: Int) -> Int64? {
    text.utf8.count == digits ? Int64(text, radix: 16) : nil
  }

  /// 0xffff for named codes that do not describe a contact.
  private static func named(_ text: Substring) -> Int64? {
    let kinds = ["KEY_", "BTN_", "ABS_", "REL_", "MSC_", "SW_", "LED_", "REP_", "SND_", "FF_"]
    return kinds.contains { text.hasPrefix($0) } ? 0xffff : nil
  }
}
