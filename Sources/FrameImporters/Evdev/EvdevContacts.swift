import FrameTrace

/// One kernel input event, such as `EV_ABS ABS_MT_POSITION_X 512`, with its time.
struct EvdevEvent {
  let time: Int64
  let type, code, value: Int64
}

/// Assembles contacts from the events of one device, one report at a time.
///
/// Linux, `Documentation/input/multi-touch-protocol.rst`. Protocol B: a slot stays selected until another slot is
/// selected. A tracking ID begins a contact in the slot, -1 ends it, and unchanged values are not sent. Protocol A:
/// every report has all contacts, each ended by `SYN_MT_REPORT`. Devices with neither protocol have one contact, which
/// `BTN_TOUCH` begins and ends.
struct EvdevContacts {
  /// A contact in one report: a finger, a pen, a key or a button.
  struct Scan {
    let time: Int64
    let finger: Int64
    let phase: TouchColumn.Phase
    let device: TouchColumn.Device
    /// The position in the device's units; `nil` if no report stated it.
    var x, y: Int64?
    /// The time of the report on the device's clock, in ns.
    var hardware: Int64?
  }

  private struct Contact {
    var identifier: Int64?
    var hasChanged = false
    var hasBegun = false
    var hasEnded = false
    /// Whether the contact came down and was lifted within one report.
    var isTap = false
    var x, y: Int64?
  }

  private(set) var scans: [Scan] = []
  /// The number of times that the kernel had no room for events; the contacts that are down are then unknown.
  private(set) var lossCount = 0
  /// The number of contacts that began.
  private(set) var contactCount = 0
  /// The highest slot number accepted; a hand has five fingers.
  private static let mostSlots: Int64 = 256
  private var slot: Int64 = 0
  private var contacts: [Int64: Contact] = [:]
  private var isPen = false
  private var isLost = false
  private var hasSlots = false
  /// Keys and buttons in the current report.
  private var keys: [(code: Int64, isDown: Bool)] = []
  private var anonymous = EvdevAnonymousContacts()
  /// The device's time, in µs.
  private var timestamp: Int64?

  /// Consumes the next event of the device.
  mutating func consume(_ event: EvdevEvent) {
    if event.type == 3, 0x30...0x3d ~= event.code { anonymous.consume(event) }
    switch (event.type, event.code) {
    case (0, 0): report(at: event.time)
    case (0, 2): anonymous.endContact()
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
    case (3, 0x35): change { $0.x = event.value }
    case (3, 0x36): change { $0.y = event.value }
    case (3, 0x30...0x3d): change { _ in }
    case (3, 0) where !hasSlots: change { $0.x = event.value }
    case (3, 1) where !hasSlots: change { $0.y = event.value }
    case (4, 5): timestamp = event.value
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
      // A contact that begins in an occupied slot is a new contact.
      if contact.identifier != nil { contact.hasEnded = true }
      contact.isTap = identifier < 0 && contact.hasBegun
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

  /// Ends a report. Everything in a report happened at the same instant.
  private mutating func report(at time: Int64) {
    defer { (keys, isLost, timestamp) = ([], false, nil) }
    guard !isLost else {
      // The lost events are unknown, and so are the contacts that are down.
      contacts = [:]
      anonymous.forget()
      return
    }
    for key in keys {
      scans.append(
        Scan(
          time: time, finger: key.code, phase: key.isDown ? .began : .ended,
          device: key.code >= 0x110 && key.code < 0x120 ? .click : .key))
    }
    if anonymous.isInUse {
      contacts = [:]
      for contact in anonymous.report() {
        add(contact.finger, contact.phase, contact.x, contact.y, time)
      }
      return
    }
    for (slot, contact) in contacts.sorted(by: { $0.key < $1.key }) where contact.hasChanged {
      end(contact, in: slot, at: time)
    }
  }

  private mutating func end(_ contact: Contact, in slot: Int64, at time: Int64) {
    var next = contact
    (next.hasChanged, next.hasBegun, next.hasEnded, next.isTap) = (false, false, false, false)
    if contact.isTap || (contact.hasEnded && !contact.hasBegun) { next.identifier = nil }
    contacts[slot] = next
    guard contact.identifier != nil else { return }
    let phase: TouchColumn.Phase = contact.hasBegun ? .began : contact.hasEnded ? .ended : .moved
    add(slot, phase, contact.x, contact.y, time)
    if contact.isTap { add(slot, .ended, contact.x, contact.y, time) }
  }

  private mutating func add(
    _ finger: Int64, _ phase: TouchColumn.Phase, _ x: Int64?, _ y: Int64?, _ time: Int64
  ) {
    if phase == .began { contactCount += 1 }
    scans.append(
      Scan(
        time: time, finger: finger, phase: phase, device: isPen ? .pen : .touch, x: x, y: y,
        hardware: timestamp.map { $0 &* 1000 }))
  }
}

/// The contacts of a device that lists all of them in every report.
struct EvdevAnonymousContacts {
  struct Contact {
    var finger: Int64
    var phase = TouchColumn.Phase.moved
    var x, y: Int64?
  }

  /// Whether the device ever sent `SYN_MT_REPORT`.
  private(set) var isInUse = false
  private var open: (identifier: Int64?, x: Int64?, y: Int64?)?
  private var reported: [(identifier: Int64?, x: Int64?, y: Int64?)] = []
  private var down: [Int64: Contact] = [:]
  private static let mostContacts = 64

  mutating func consume(_ event: EvdevEvent) {
    var contact = open ?? (nil, nil, nil)
    switch event.code {
    case 0x35: contact.x = event.value
    case 0x36: contact.y = event.value
    case 0x39: contact.identifier = event.value
    default: break
    }
    open = contact
  }

  /// Consumes `SYN_MT_REPORT`; if no value precedes it, there is no contact.
  mutating func endContact() {
    isInUse = true
    if let open, reported.count < Self.mostContacts { reported.append(open) }
    open = nil
  }

  mutating func forget() { (down, reported, open) = ([:], [], nil) }

  /// The state of each contact at the end of a report; contacts without an ID are identified by
  /// order.
  mutating func report() -> [Contact] {
    defer { (reported, open) = ([], nil) }
    var seen: [Int64: Contact] = [:]
    for (index, contact) in reported.enumerated() {
      let finger = contact.identifier.flatMap { seen[$0] == nil ? $0 : nil } ?? Int64(index)
      seen[finger] = Contact(
        finger: finger, phase: down[finger] == nil ? .began : .moved, x: contact.x, y: contact.y)
    }
    let ended = down.values.filter { seen[$0.finger] == nil }.map { contact in
      Contact(finger: contact.finger, phase: .ended, x: contact.x, y: contact.y)
    }
    down = seen
    return (Array(seen.values) + ended).sorted { $0.finger < $1.finger }
  }
}
