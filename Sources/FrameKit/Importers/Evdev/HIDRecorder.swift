/// Recordings of `hid-recorder`: the reports of a touch device as they come from it, with its own scan time.
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

  func recognise(_ head: FileHead) -> Recognition? {
    let lines = head.lines(200)
    guard let descriptor = lines.first(where: { $0.hasPrefix("R: ") }),
      let bytes = Self.bytes(descriptor.dropFirst(3)), bytes.count > 4
    else { return nil }
    return Recognition(format: "hid-recorder", reason: "a report descriptor behind R:")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var log = IssueLog()
    var recording = HIDRecording()
    try EvdevText.read(input, &log) { recording.take($0) }
    guard recording.hasContacts else {
      throw ParseError(
        path: input.path, problem: "reports of a device that has no field for a finger",
        help: "record the touch device: 'hid-recorder' lists all there are")
    }
    var builder = TraceBuilder(provenance)
    builder.log = log
    builder.trace.clocks = [
      ClockDomain(
        name: "the recording's, of the kernel", join: .traceClock, offset: nil,
        resolution: Nanoseconds(1000))
    ]
    recording.add(to: &builder)
    guard !builder.trace.isEmpty else {
      throw ParseError(
        path: input.path, problem: "reports of a touch device without a contact",
        help: "touch the device while 'hid-recorder' runs")
    }
    return builder
  }

  /// A count and as many bytes in hexadecimal; `nil` where they are others.
  static func bytes(_ text: Substring) -> [UInt8]? {
    let cells = text.split(separator: " ")
    guard let count = cells.first.flatMap({ Int($0) }), count > 0, cells.count == count + 1 else {
      return nil
    }
    let bytes = cells.dropFirst().compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
    return bytes.count == count ? bytes : nil
  }
}

/// Puts contacts together out of a device's reports.
private struct HIDRecording {
  private var descriptor: HIDDescriptor?
  private var name: String?
  private var scans: [EvdevContacts.Scan] = []
  private var down: Set<Int64> = []
  private var contacts = 0
  /// The scan time before, in steps, and what it is counted on to.
  private var clock: (raw: Int64, time: Int64, counted: Int64)?

  var hasContacts: Bool { descriptor?.hasContacts ?? false }

  /// A step of the scan time is 100 µs, whatever the descriptor says.
  private static let step: Int64 = 100_000

  mutating func take(_ line: Substring) -> EvdevText.Outcome {
    if line.hasPrefix("R: ") {
      guard let bytes = HIDRecorder.bytes(line.dropFirst(3)) else { return .malformed }
      descriptor = HIDDescriptor(bytes)
      return .other
    }
    if line.hasPrefix("N: ") {
      name = String(line.dropFirst(3))
      return .other
    }
    guard line.hasPrefix("E: ") else { return .other }
    let text = line.dropFirst(3)
    guard let blank = text.firstIndex(of: " "), let time = EvdevText.time(text[..<blank]),
      let report = HIDRecorder.bytes(text[blank...].drop { $0 == " " })
    else { return .malformed }
    take(report, at: time)
    return .event
  }

  private mutating func take(_ report: [UInt8], at time: Int64) {
    guard let values = descriptor?.values(report), !values.isEmpty else { return }
    let scanTime = values.first { $0.field.usage == .scanTime }
    let hardware = scanTime.map { count($0.value, bits: $0.field.size, at: time) }
    for collection in Set(values.map(\.field.collection)).sorted() {
      let own = values.filter { $0.field.collection == collection }
      let value = { (usage: HIDDescriptor.Usage) in own.first { $0.field.usage == usage }?.value }
      guard let tip = value(.tipSwitch),
        let finger = value(.contactIdentifier) ?? (own.isEmpty ? nil : 0)
      else { continue }
      let wasDown = down.contains(finger)
      // Fingers that are not there have fields of zeros.
      guard tip != 0 || wasDown else { continue }
      let phase: TouchColumn.Phase = tip == 0 ? .ended : wasDown ? .moved : .began
      if tip == 0 { down.remove(finger) } else { down.insert(finger) }
      if phase == .began { contacts += 1 }
      scans.append(
        EvdevContacts.Scan(
          time: time, finger: finger, phase: phase, device: .touch, x: value(.x), y: value(.y),
          hardware: hardware))
    }
  }

  /// Counts the scan time on, which begins again after 6.55 s where it has 16 bits.
  private mutating func count(_ raw: Int64, bits: Int, at time: Int64) -> Int64 {
    guard let last = clock else {
      clock = (raw, time, raw * Self.step)
      return raw * Self.step
    }
    let period = Int64(1) << min(bits, 40)
    var step = (raw - last.raw) % period
    if step < 0 { step += period }
    // Over a rest it may have begun again more than once.
    let passed = (time - last.time) / Self.step
    if passed > period { step += (passed - step + period / 2) / period * period }
    let counted = last.counted + step * Self.step
    clock = (raw, time, counted)
    return counted
  }

  func add(to builder: inout TraceBuilder) {
    guard !scans.isEmpty else { return }
    let id = name ?? "device"
    let place = builder.surface(id) { Surface(id: id) }
    builder.addScans(scans, surface: place)
    builder.log.note(
      .conditions, .info, "contacts, from where a finger came down to where it was lifted",
      count: contacts)
  }
}
