/// One event of the kernel's input: `EV_ABS ABS_MT_POSITION_X 512` at an instant.
struct EvdevEvent {
  let time: Int64
  let type, code, value: Int64
}

/// Puts contacts together out of the events of one device, a report at a time.
///
/// Linux, `Documentation/input/multi-touch-protocol.rst`, protocol B: a slot stays chosen until another
/// one is, a tracking id begins a contact in it and -1 ends it, and what does not change is not sent.
/// Devices without slots have one contact, which `BTN_TOUCH` begins and ends.
struct EvdevContacts {
  /// A finger on the glass, or what stands for one, as one report tells it.
  struct Scan {
    let time: Int64
    let finger: Int64
    let phase: TouchColumn.Phase
    let device: TouchColumn.Device
  }

  private struct Contact {
    var identifier: Int64?
    var hasChanged = false
    var hasBegun = false
    var hasEnded = false
  }

  private(set) var scans: [Scan] = []
  /// Times that the kernel had no room for events, and what was down is not known any more.
  private(set) var lossCount = 0
  /// The most slots that are believed: a hand has five fingers.
  private static let mostSlots: Int64 = 256
  private var slot: Int64 = 0
  private var contacts: [Int64: Contact] = [:]
  private var isPen = false
  private var isLost = false
  private var hasSlots = false
  /// Keys and buttons of the report at hand.
  private var keys: [(code: Int64, isDown: Bool)] = []

  /// Takes the next event of the device.
  mutating func take(_ event: EvdevEvent) {
    switch (event.type, event.code) {
    case (0, 0): report(at: event.time)
    case (0, 3):
      lossCount += 1
      isLost = true
    case (1, 0x14a): touch(event.value)
    case (1, 0x140): isPen = event.value != 0
    case (1, let code) where code < 0x140 && event.value < 2:
      keys.append((code, event.value == 1))
    case (3, 0x2f):
      hasSlots = true
      slot = min(max(event.value, 0), Self.mostSlots)
    case (3, 0x39): track(event.value)
    case (3, 0x30...0x3d): change { _ in }
    case (3, 0...1) where !hasSlots: change { _ in }
    default: break
    }
  }

  private mutating func change(_ body: (inout Contact) -> Void) {
    var contact = contacts[slot] ?? Contact()
    body(&contact)
    contact.hasChanged = true
    contacts[slot] = contact
  }

  private mutating func track(_ identifier: Int64) {
    hasSlots = true
    change { contact in
      // A contact that begins where one was is another one.
      if contact.identifier != nil { contact.hasEnded = true }
      if identifier >= 0 {
        contact.identifier = identifier
        contact.hasBegun = true
      }
    }
  }

  private mutating func touch(_ value: Int64) {
    guard !hasSlots else { return }
    change { contact in
      if value != 0, contact.identifier == nil {
        contact.identifier = 0
        contact.hasBegun = true
      } else if value == 0, contact.identifier != nil {
        contact.hasEnded = true
      }
    }
  }

  /// The end of a report: everything in it is of one instant.
  private mutating func report(at time: Int64) {
    defer { (keys, isLost) = ([], false) }
    guard !isLost else {
      // What came between is unknown, and so is what is down.
      contacts = [:]
      return
    }
    for key in keys {
      scans.append(
        Scan(
          time: time, finger: key.code, phase: key.isDown ? .began : .ended,
          device: key.code >= 0x110 && key.code < 0x120 ? .click : .key))
    }
    for (slot, contact) in contacts.sorted(by: { $0.key < $1.key }) where contact.hasChanged {
      end(contact, in: slot, at: time)
    }
  }

  private mutating func end(_ contact: Contact, in slot: Int64, at time: Int64) {
    var next = contact
    (next.hasChanged, next.hasBegun, next.hasEnded) = (false, false, false)
    if contact.hasEnded, !contact.hasBegun { next.identifier = nil }
    contacts[slot] = next
    guard contact.identifier != nil else { return }
    let phase: TouchColumn.Phase = contact.hasBegun ? .began : contact.hasEnded ? .ended : .moved
    scans.append(
      Scan(
        time: time, finger: slot, phase: phase, device: isPen ? .pen : .touch))
  }
}
