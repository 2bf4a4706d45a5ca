import FrameTrace

/// The kernel's input events: `EvdevEvent` packets.
///
/// Perfetto, `evdev_event`: a device, and its event with the kernel's time on the monotonic clock.
/// The time is omitted if it equals that of the previous event.
struct PerfettoEvdev {
  private typealias Field = PerfettoSchema.EvdevEvent

  private(set) var devices: [Int64: EvdevContacts] = [:]
  private var times: [Int64: Int64] = [:]
  private(set) var broken = 0

  mutating func consume(_ context: PerfettoRecording.Context) {
    let message = context.message
    guard let device = message.integer(Field.deviceID),
      let event = message.message(Field.inputEvent)
    else { return }
    let time = event.integer(Field.InputEvent.kernelTimestamp) ?? times[device]
    guard let time, (1...Timestamp.bound).contains(time) else {
      broken += 1
      return
    }
    times[device] = time
    // A value of 0 is omitted.
    let value = Int64(Int32(truncatingIfNeeded: event.zigzag(Field.InputEvent.value) ?? 0))
    devices[device, default: EvdevContacts()].consume(
      EvdevEvent(
        time: time, type: event.integer(Field.InputEvent.type) ?? 0,
        code: event.integer(Field.InputEvent.code) ?? 0, value: value))
  }
}

extension ProtobufMessage {
  /// A zigzag-encoded number, which has its sign in the lowest bit.
  fileprivate func zigzag(_ number: Int) -> Int64? {
    self[number]?.number.map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }
}

extension PerfettoJoin {
  /// Adds the kernel's inputs, except those at a time for which the trace already has an input.
  mutating func addRawInputs(_ clocks: PerfettoClocks) {
    let known = Set(
      (0..<builder.trace.touches.count).compactMap { builder.trace.touches[$0, .scanStart] })
    var unjoined = 0
    for (_, contacts) in recording.evdev.devices.sorted(by: { $0.key < $1.key }) {
      for scan in contacts.scans {
        guard let time = clocks.convert(scan.time, from: .monotonic) else {
          unjoined += 1
          continue
        }
        guard !known.contains(time) else { continue }
        var row = Table<TouchColumn>.Row()
        row[.kind] = TouchColumn.Kind.main.rawValue
        row[.device] = scan.device.rawValue
        row[.phase] = scan.phase.rawValue
        row[.finger] = scan.finger
        row[.scanStart] = time
        builder.trace.touches.append(row)
      }
      builder.log.note(
        .brokenReference, .dataLoss, "gaps where the kernel lost input events",
        count: contacts.lossCount)
    }
    builder.log.note(
      .clockAssumed, .dataLoss,
      "kernel input events on a clock that cannot be aligned with the others, left out",
      count: unjoined)
    builder.log.note(
      .malformedLine, .dataLoss, "kernel input events without a time",
      count: recording.evdev.broken)
  }
}
