import FrameTrace

/// One event of the kernel's input: `EV_ABS ABS_MT_POSITION_X 512` at an instant.
struct EvdevEvent {
  let time: Int64
  let type, code, value: Int64
}

/// Puts contacts together out of the events of one device, a report at a time.
///
/// Linux, `Documentation/input/multi-touch-protocol.rst`. Protocol B: a slot stays chosen until another
/// one is, a tracking id begins a contact in it and -1 ends it, and what does not change is not sent.
/// Protocol A: every report has all contacts, each ended by `SYN_MT_REPORT`. Devices with neither have one
/// contact, which `BTN_TOUCH` begins and ends.
struct EvdevContacts {
  /// A finger on the glass, or what stands for one, as one report tells it.
  struct Scan {
    let time: Int64
    let finger: Int64
    let phase: TouchColumn.Phase
    let device: TouchColumn.Device
    /// Where, in the device's own steps; `nil` where no report told.
    var x, y: Int64?
    /// The device's own time of the report, in ns on a clock of its own.
    var hardware: Int64?
  }

  private struct Contact {
    var identifier: Int64?
    var hasChanged = false
    var hasBegun = false
    var hasEnded = false
    /// Whether it came down and was lifted within one report.
    var isTap = false
    var x, y: Int64?
  }

  private(set) var scans: [Scan] = []
  /// Times that the kernel had no room for events, and what was down is not known any more.
  private(set) var lossCount = 0
  /// Contacts that began.
  private(set) var contactCount = 0
  /// The most slots that are believed: a hand has five fingers.
  private static let mostSlots: Int64 = 256
  private var slot: Int64 = 0
  private var contacts: [Int64: Contact] = [:]
  private var isPen = false
  private var isLost = false
  private var hasSlots = false
  /// Keys and buttons of the report at hand.
  private var keys: [(code: Int64, isDown: Bool)] = []
  private var anonymous = EvdevAnonymousContacts()
  /// The device's own time, in µs.
  private var timestamp: Int64?

  /// Takes the next event of the device.
  mutating func take(_ event: EvdevEvent) {
    if event.type == 3, 0x30...0x3d ~= event.code { anonymous.take(event) }
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
      // A contact that begins where one was is another one.
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

  /// The end of a report: everything in it is of one instant.
  private mutating func report(at time: Int64) {
    defer { (keys, isLost, timestamp) = ([], false, nil) }
    guard !isLost else {
      // What came between is unknown, and so is what is down.
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

/// The contacts of a device that tells all of them in every report.
struct EvdevAnonymousContacts {
  struct Contact {
    var finger: Int64
    var phase = TouchColumn.Phase.moved
    var x, y: Int64?
  }

  /// Whether the device ever ended a contact so.
  private(set) var isInUse = false
  private var open: (identifier: Int64?, x: Int64?, y: Int64?)?
  private var told: [(identifier: Int64?, x: Int64?, y: Int64?)] = []
  private var down: [Int64: Contact] = [:]
  private static let mostContacts = 64

  mutating func take(_ event: EvdevEvent) {
    var contact = open ?? (nil, nil, nil)
    switch event.code {
    case 0x35: contact.x = event.value
    case 0x36: contact.y = event.value
    case 0x39: contact.identifier = event.value
    default: break
    }
    open = contact
  }

  /// `SYN_MT_REPORT`; without anything before it there is no contact.
  mutating func endContact() {
    isInUse = true
    if let open, told.count < Self.mostContacts { told.append(open) }
    open = nil
  }

  mutating func forget() { (down, told, open) = ([:], [], nil) }

  /// What became of each contact by the end of a report: contacts without an id are known by their order.
  mutating func report() -> [Contact] {
    defer { (told, open) = ([], nil) }
    var seen: [Int64: Contact] = [:]
    for (index, contact) in told.enumerated() {
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
