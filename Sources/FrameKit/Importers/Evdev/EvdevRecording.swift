/// What was recorded of the kernel's input, put together to a trace: a surface without frames for each
/// device, and its contacts.
struct EvdevRecording {
  /// A device as far as a recording describes it.
  struct Device {
    var name: String?
    var contacts = EvdevContacts()
  }

  var devices: [String: Device] = [:]
  private(set) var eventCount = 0

  mutating func take(_ event: EvdevEvent, of device: String) {
    eventCount += 1
    devices[device, default: Device()].contacts.take(event)
  }

  /// Adds everything to a trace.
  func add(to builder: inout TraceBuilder) {
    for (key, device) in devices.sorted(by: { $0.key < $1.key })
    where !device.contacts.scans.isEmpty {
      let id = device.name.map { devices.count > 1 ? "\($0) (\(key))" : $0 } ?? key
      let place = builder.surface(id) { Surface(id: id) }
      builder.addScans(device.contacts.scans, surface: place)
      builder.log.note(
        .conditions, .info, "contacts, from where a finger came down to where it was lifted",
        count: device.contacts.contactCount)
      builder.log.note(
        .brokenReference, .dataLoss, "times that the kernel lost input events",
        count: device.contacts.lossCount)
    }
  }
}

extension TraceBuilder {
  /// Adds the scans of a device. Where it tells its own time of them, that is when they were made, and the
  /// kernel's when they were given out.
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
      "scans by the device's own clock, joined to the kernel's by the one that came soonest, for each stretch that the clock kept on",
      count: made.times.count { $0 != nil })
  }
}

/// When scans were made, by the clock of their device.
///
/// That clock begins again when it likes: a stretch ends where it falls back or leaps.
struct EvdevScanTimes {
  /// For each scan; `nil` where the device does not tell.
  private(set) var times: [Int64?]

  /// By how much both clocks may differ in the time between two scans of a stretch, in ns.
  private static let slack: Int64 = 100_000_000

  init(_ scans: [EvdevContacts.Scan]) {
    times = Array(repeating: nil, count: scans.count)
    var stretch: [(index: Int, hardware: Int64)] = []
    for (index, scan) in scans.enumerated() {
      guard let hardware = scan.hardware else { continue }
      if let last = stretch.last {
        let step = hardware &- last.hardware
        let passed = scan.time &- scans[last.index].time
        if step < 0 || abs(step &- passed) > Self.slack {
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
    guard let offset = stretch.map({ scans[$0.index].time &- $0.hardware }).min() else { return }
    for scan in stretch { times[scan.index] = scan.hardware &+ offset }
  }
}
