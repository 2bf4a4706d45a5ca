import FrameTrace

/// Recordings of `evemu-record`: events of one input device, with its description before them or in
/// a separate file.
///
/// Documentation: freedesktop.org, evemu, `evemu-record(1)`; versions 1.0 to 1.3. The lines
///
///     N: Atmel maXTouch Touchscreen
///     E: 0.000001 0003 0039 0151	# EV_ABS / ABS_MT_TRACKING_ID 151
///     E: 0.000001 0000 0000 0000
///
/// are the start of a contact. Types and codes are hexadecimal; values are not.
struct Evemu: TraceImporter {
  let name = "evemu"
  let title = "evemu recording"
  let versions = "1.0 to 1.3"
  let documentation = "https://www.freedesktop.org/wiki/Evemu/"
  let framesAdvice: String? = "for frames, analyze a frame recording with --touches and this file"

  func recognize(_ head: FileHead) -> Recognition? {
    let lines = head.lines(2000)
    let isNamed = lines.prefix(4).contains { $0.hasPrefix("# EVEMU") }
    let events = lines.lazy.filter { $0.hasPrefix("E: ") }.prefix(3)
    let areEvents = !events.isEmpty && events.allSatisfy { Self.event($0[...]) != nil }
    let isDescription =
      lines.contains { $0.hasPrefix("N: ") } && lines.contains { $0.hasPrefix("I: ") }
      && lines.contains { $0.hasPrefix("B: ") }
    guard areEvents || (events.isEmpty && (isNamed || isDescription)) else { return nil }
    return Recognition(
      format: "evemu recording", reason: areEvents ? "lines of events" : "a device's description")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var recording = EvdevRecording()
    var log = IssueLog()
    var name: String?
    try EvdevText.read(input, &log) { line in
      name = name ?? Self.name(line)
      guard line.hasPrefix("E:") else { return .other }
      guard let event = Self.event(line) else { return .malformed }
      recording.consume(event, of: "device")
      return .event
    }
    var provenance = provenance
    if name == nil, let described = Self.description(beside: input) {
      name = described.name
      provenance.companions.append(described.path)
    }
    recording.devices["device"]?.name = name
    let isDescription = !input.path.hasSuffix(".events")
    return try EvdevText.trace(
      recording, provenance, log, input,
      nothing: isDescription
        ? "expected a recording of input events, found only a device description"
        : "expected input events, found the end of the recording before the first one",
      help: isDescription
        ? "give the recording that evemu-record wrote, NAME.events"
        : "record again, and touch the device while recording")
  }

  /// The device's name, if the line states it.
  private static func name(_ line: Substring) -> String? {
    if line.hasPrefix("N: ") { return String(line.dropFirst(3)) }
    guard line.hasPrefix("# Input device name: ") else { return nil }
    return line.split(separator: "\"").dropFirst().first.map(String.init)
  }

  /// The description of a device in a separate file: `DEVICE.desc` next to `DEVICE.WHAT.events`.
  private static func description(beside input: InputFile) -> (name: String, path: String)? {
    for path in SiblingFile.paths(of: input.path, suffix: ".desc") {
      guard let file = try? InputFile(path: path) else { continue }
      let names = FileHead(file.head).lines(500).lazy.compactMap { self.name($0[...]) }
      if let name = names.first { return (name, path) }
    }
    return nil
  }

  /// The event in a line such as `E: 0.000001 0003 0039 0151`, which a comment may follow.
  static func event(_ line: Substring) -> EvdevEvent? {
    let cells = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard cells.count >= 5, cells[0] == "E:", cells[2].utf8.count == 4, cells[3].utf8.count == 4,
      cells.count == 5 || cells[5].hasPrefix("#"), let time = EvdevText.time(cells[1]),
      let type = Int64(cells[2], radix: 16), let code = Int64(cells[3], radix: 16),
      let value = Int64(cells[4])
    else { return nil }
    return EvdevEvent(time: time, type: type, code: code, value: value)
  }
}
