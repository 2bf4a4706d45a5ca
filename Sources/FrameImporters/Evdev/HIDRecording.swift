import FrameTrace

/// Assembles contacts from the reports of devices.
struct HIDRecording {
  private var devices: [String: HIDDevice] = [:]
  /// The device of the current lines, from a line such as `D: 1`.
  private var current = "0"
  /// The maximum number of devices accepted.
  private static let mostDevices = 64

  var hasContacts: Bool { devices.values.contains { $0.hasContacts } }

  mutating func consume(_ line: Substring) -> EvdevText.Outcome {
    if line.hasPrefix("D: ") {
      let number = line.dropFirst(3).prefix(16)
      if devices.count < Self.mostDevices || devices[String(number)] != nil {
        current = String(number)
      }
      return .other
    }
    guard ["R: ", "N: ", "E: "].contains(where: line.hasPrefix) else { return .other }
    return devices[current, default: HIDDevice()].consume(line)
  }

  func add(to builder: inout TraceBuilder) {
    for (key, device) in devices.sorted(by: { $0.key < $1.key }) where !device.scans.isEmpty {
      let id = (device.name ?? "device") + (devices.count > 1 ? " (\(key))" : "")
      let position = builder.surface(id) { Surface(id: id) }
      builder.addScans(device.scans, surface: position)
      builder.log.note(
        .conditions, .info, "contacts, each from finger down to finger up",
        count: device.contactCount)
    }
  }
}

/// The reports of one device.
struct HIDDevice {
  private(set) var name: String?
  private(set) var scans: [EvdevContacts.Scan] = []
  private(set) var contactCount = 0
  private var descriptor: HIDDescriptor?
  /// The contacts that are down, by application and number.
  private var down: Set<Contact> = []
  /// The number of contacts still to come if a scan spans several reports.
  private var remaining: Int64 = 0
  /// The last scan time in steps, the kernel time of its report, and the unwrapped scan time.
  private var clock: (raw: Int64, time: Int64, counted: Int64)?

  private struct Contact: Hashable {
    let application: HIDDescriptor.Application
    let number: Int64
  }

  var hasContacts: Bool { descriptor?.hasContacts ?? false }

  /// A step of the scan time is 100 µs, whatever the descriptor says.
  private static let step: Int64 = 100_000
  /// The offset that keeps a pen's number apart from those of the fingers.
  private static let penNumber: Int64 = 256

  mutating func consume(_ line: Substring) -> EvdevText.Outcome {
    let text = line.dropFirst(3)
    switch line.first {
    case "R":
      guard let bytes = HIDRecorder.bytes(text) else { return .malformed }
      descriptor = HIDDescriptor(bytes)
      return .other
    case "N":
      name = String(text)
      return .other
    default:
      guard let blank = text.firstIndex(of: " "), let time = EvdevText.time(text[..<blank]),
        let report = HIDRecorder.bytes(text[blank...].drop { $0 == " " })
      else { return .malformed }
      consume(report, at: time)
      return .event
    }
  }

  private mutating func consume(_ report: [UInt8], at time: Int64) {
    guard let values = descriptor?.values(report), !values.isEmpty else { return }
    let scanTime = values.first { $0.field.usage == .scanTime && $0.field.size <= 32 }
    let hardware = scanTime.map { count($0.value, bits: $0.field.size, at: time) }
    for contact in contacts(values) {
      let key = Contact(application: contact.application, number: contact.number)
      let wasDown = down.contains(key)
      // Absent fingers have fields of zeros.
      guard contact.isDown || wasDown else { continue }
      let phase: TouchColumn.Phase = !contact.isDown ? .ended : wasDown ? .moved : .began
      if contact.isDown { down.insert(key) } else { down.remove(key) }
      if phase == .began { contactCount += 1 }
      let isPen = contact.application == .pen
      scans.append(
        EvdevContacts.Scan(
          time: time, finger: contact.number + (isPen ? Self.penNumber : 0), phase: phase,
          device: isPen ? .pen : .touch, x: contact.x, y: contact.y, hardware: hardware))
    }
  }

  private typealias Values = [(field: HIDDescriptor.Field, value: Int64)]

  private struct Reported {
    let application: HIDDescriptor.Application
    let number: Int64
    let isDown: Bool
    let x, y: Int64?
  }

  /// The contacts in a report, as many as the report counts. The first report of a scan has the count for the complete
  /// scan.
  private mutating func contacts(_ values: Values) -> [Reported] {
    var all: [Reported] = []
    for group in Set(values.map(\.field.group)).sorted() {
      let own = values.filter { $0.field.group == group }
      let value = { (usage: HIDDescriptor.Usage) in own.first { $0.field.usage == usage }?.value }
      guard let tip = value(.tipSwitch), let application = own.first?.field.application else {
        continue
      }
      all.append(
        Reported(
          application: application, number: min(value(.contactIdentifier) ?? 0, 1 << 20),
          isDown: tip != 0, x: value(.x), y: value(.y)))
    }
    guard let count = values.first(where: { $0.field.usage == .contactCount })?.value else {
      // A finger that is up is left out if another field reports the same finger as down.
      return all.filter { contact in
        contact.isDown || !all.contains { $0.isDown && $0.number == contact.number }
      }
    }
    if count > 0 { remaining = count }
    let reported = all.prefix(Int(min(remaining, Int64(all.count))))
    remaining -= Int64(reported.count)
    return Array(reported)
  }

  /// Unwraps the scan time, which restarts after 6.55 s if it has 16 bits.
  private mutating func count(_ raw: Int64, bits: Int, at time: Int64) -> Int64 {
    guard let last = clock else {
      clock = (raw, time, raw &* Self.step)
      return raw &* Self.step
    }
    let period = Int64(1) << bits
    var step = (raw &- last.raw) % period
    if step < 0 { step += period }
    // During a pause, the scan time may have restarted more than once.
    let passed = (time &- last.time) / Self.step
    if passed > period { step &+= (passed &- step &+ period / 2) / period &* period }
    let counted = last.counted &+ step &* Self.step
    clock = (raw, time, counted)
    return counted
  }
}
