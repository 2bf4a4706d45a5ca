import FrameTrace

/// The output of `evtest`: events of one input device.
///
/// Documentation: `evtest(1)`. The lines
///
///     Event: time 1510346968.993890, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 1
///     Event: time 1510346968.993890, -------------- SYN_REPORT ------------
///
/// are the start of a contact. Values are decimal except those of `MSC_SCAN`.
struct Evtest: TraceImporter {
  let name = "evtest"
  let title = "evtest"
  let versions = "1.x"
  let documentation = "https://gitlab.freedesktop.org/libevdev/evtest"
  let framesAdvice: String? = "for frames, analyze a frame recording with --touches and this file"

  func recognize(_ head: FileHead) -> Recognition? {
    let lines = head.lines(1500)
    guard lines.contains(where: { Self.event($0[...]) != nil }) else { return nil }
    return Recognition(format: "evtest", reason: "lines that begin with Event: time")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var recording = EvdevRecording()
    var log = IssueLog()
    try EvdevText.read(input, &log) { line in
      if line.hasPrefix("Input device name:") {
        let name = line.split(separator: "\"").dropFirst().first.map(String.init)
        recording.devices["device", default: .init()].name = name
        return .other
      }
      guard line.contains("Event: time ") else { return .other }
      guard let event = Self.event(line) else { return .malformed }
      recording.consume(event, of: "device")
      return .event
    }
    return try EvdevText.trace(
      recording, provenance, log, input, help: "touch the device while evtest runs")
  }

  static func event(_ line: Substring) -> EvdevEvent? {
    guard let start = line.ranges(of: "Event: time ").first else { return nil }
    let parts = line[start.upperBound...].split(separator: ", ")
    guard parts.count >= 2, let time = EvdevText.time(parts[0]) else { return nil }
    if parts.count == 2 { return synchronization(parts[1], at: time) }
    guard parts.count == 4, let type = number(parts[1], behind: "type "),
      let code = number(parts[2], behind: "code "), parts[3].hasPrefix("value ")
    else { return nil }
    let text = parts[3].dropFirst("value ".count).prefix { $0 != " " }
    // `MSC_SCAN` and `MSC_RAW`.
    let isHexadecimal = type == 4 && (code == 4 || code == 3)
    guard let value = isHexadecimal ? Int64(text, radix: 16) : Int64(text) else { return nil }
    return EvdevEvent(time: time, type: type, code: code, value: value)
  }

  private static func synchronization(_ text: Substring, at time: Int64) -> EvdevEvent? {
    let name = text.filter { $0 != "-" && $0 != "+" && $0 != ">" && $0 != "<" && $0 != " " }
    let codes: [String: Int64] = [
      "SYN_REPORT": 0, "ReportSync": 0, "SYN_MT_REPORT": 2, "SYN_DROPPED": 3, "SYN_CONFIG": 1,
      "ConfigSync": 1,
    ]
    return codes[name].map { EvdevEvent(time: time, type: 0, code: $0, value: 0) }
  }

  /// The number in `type 3 (EV_ABS)`.
  private static func number(_ text: Substring, behind word: String) -> Int64? {
    guard text.hasPrefix(word) else { return nil }
    return Int64(text.dropFirst(word.count).prefix { $0.isNumber })
  }
}
