import FrameTrace

/// Recorded kernel input, assembled into a trace: a surface without frames for each device, and its
/// contacts.
struct EvdevRecording {
  /// A device, as described by a recording.
  struct Device {
    var name: String?
    var contacts = EvdevContacts()
  }

  var devices: [String: Device] = [:]
  private(set) var eventCount = 0
  /// The number of events from devices beyond the limit.
  private var leftOut = 0

  /// The maximum number of devices accepted.
  private static let mostDevices = 256

  mutating func consume(_ event: EvdevEvent, of device: String) {
    eventCount += 1
    guard devices.count < Self.mostDevices || devices[device] != nil else {
      leftOut += 1
      return
    }
    devices[device, default: Device()].contacts.consume(event)
  }

  /// Adds everything to a trace.
  func add(to builder: inout TraceBuilder) {
    builder.log.note(
      .absurdValue, .dataLoss, "events of devices after the first \(Self.mostDevices), left out",
      count: leftOut)
    for (key, device) in devices.sorted(by: { $0.key < $1.key })
    where !device.contacts.scans.isEmpty {
      let id = device.name.map { devices.count > 1 ? "\($0) (\(key))" : $0 } ?? key
      let position = builder.surface(id) { Surface(id: id) }
      builder.addScans(device.contacts.scans, surface: position)
      builder.log.note(
        .conditions, .info, "contacts, each from finger down to finger up",
        count: device.contacts.contactCount)
      builder.log.note(
        .brokenReference, .dataLoss, "gaps where the kernel lost input events",
        count: device.contacts.lossCount)
    }
  }
}

extension TraceBuilder {
  /// Adds the scans of a device. If the device reports its own time, a scan was made at that time and delivered at the
  /// kernel's time.
  mutating func addScans(_ scans: [EvdevContacts.Scan], surface: Int) {
    let made = EvdevScanTimes(scans)
    for (index, scan) in scans.enumerated() {
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = scan.device.rawValue
      row[.phase] = scan.phase.rawValue
      row[.finger] = scan.finger
      row[.scanStart] = made.times[index] ?? scan.time
      if made.times[index] != nil { row[.delivered] = scan.time }
      row[.x] = scan.x.map { Int64(bitPattern: Double($0).bitPattern) }
      row[.y] = scan.y.map { Int64(bitPattern: Double($0).bitPattern) }
      row[.surface] = Int64(surface)
      trace.touches.append(row)
    }
    log.note(
      .clockAssumed, .info,
      "scans timed by the device's clock, aligned to the kernel's by the scan with the shortest delay in each unbroken stretch",
      count: made.times.count { $0 != nil })
  }
}

/// The times at which scans were made, on their device's clock.
///
/// That clock can restart at any time: a stretch ends where the clock falls back or jumps.
struct EvdevScanTimes {
  /// One time per scan; `nil` if the device reports no time.
  private(set) var times: [Int64?]

  /// The pause between scans after which a device's clock may have restarted, in ns.
  private static let longestRest: Int64 = 1_000_000_000

  /// How much the two clocks may drift apart between two scans of a stretch, in ns.
  private static let slack: Int64 = 100_000_000

  init(_ scans: [EvdevContacts.Scan]) {
    times = Array(repeating: nil, count: scans.count)
    var stretch: [(index: Int, hardware: Int64)] = []
    for (index, scan) in scans.enumerated() {
      guard let hardware = scan.hardware else { continue }
      if let last = stretch.last {
        let step = hardware &- last.hardware
        let passed = scan.time &- scans[last.index].time
        let gap = (step &- passed).magnitude
        if step < 0 || gap > Self.slack.magnitude || passed > Self.longestRest {
          settle(stretch, scans)
          stretch = []
        }
      }
      stretch.append((index, hardware))
    }
    settle(stretch, scans)
  }

  private mutating func settle(
    _ stretch: [(index: Int, hardware: Int64)], _ scans: [EvdevContacts.Scan]
  ) {
    guard let first = stretch.first, let last = stretch.last else { return }
    let start = scans[first.index].time
    let length = scans[last.index].time &- start
    let offset = { (scan: (index: Int, hardware: Int64)) in
      scans[scan.index].time &- scan.hardware
    }
    // The drift is the change of the shortest delay from the first second to the last.
    let early = stretch.prefix { scans[$0.index].time &- start <= Self.longestRest }
    let late = stretch.filter { scans[$0.index].time &- start >= length &- Self.longestRest }
    var drift = 0.0
    if length > 2 * Self.longestRest, let one = early.map(offset).min(),
      let other = late.map(offset).min()
    {
      drift = Double(other &- one) / Double(length &- Self.longestRest)
    }
    let settled = stretch.map { scan in
      let passed = Double(scans[scan.index].time &- start)
      return scan.hardware &+ Int64((drift * passed).rounded())
    }
    let soonest = zip(stretch, settled).map { scans[$0.index].time &- $1 }.min() ?? 0
    for (scan, time) in zip(stretch, settled) { times[scan.index] = time &+ soonest }
  }
}
