/// Inputs as Android's dispatcher and its apps tell of them.
struct PerfettoInputs {
  /// A motion or key event, by its id.
  typealias Event = DeliveredInput.Event

  private(set) var events: [UInt64: Event] = [:]
  /// Ids in the order in which they came.
  private(set) var order: [UInt64] = []
  /// The frames that events were dispatched for, by the token of the vsync.
  private(set) var frames: [UInt64: Int64] = [:]

  /// Takes an `AndroidInputEvent` within the extensions of Winscope.
  mutating func take(_ context: PerfettoRecording.Context) {
    guard let event = context.message.message(5) else { return }
    if let motion = event.message(1) { takeMotion(motion) }
    if let key = event.message(3) { add(key, device: .key, phase: nil) }
    if let dispatch = event.message(5), let identifier = dispatch[1]?.number,
      let vsync = dispatch.integer(2), vsync > 0
    {
      frames[identifier] = vsync
    }
  }

  private mutating func takeMotion(_ motion: ProtobufMessage) {
    let device = DeliveredInput.device(motion[3]?.number)
    let phase: TouchColumn.Phase? =
      switch motion.integer(4).map({ $0 & 0xff }) {
      case 0: .began
      case 1: .ended
      case 2: .moved
      case 3: .cancelled
      default: nil
      }
    add(motion, device: device, phase: phase)
  }

  private mutating func add(
    _ message: ProtobufMessage, device: TouchColumn.Device?, phase: TouchColumn.Phase?
  ) {
    guard let identifier = message[1]?.number, let made = message.integer(2), made > 0 else {
      return
    }
    if events[identifier] == nil { order.append(identifier) }
    events[identifier] = Event(made: made, device: device, phase: phase)
  }
}

extension PerfettoJoin {
  /// Adds inputs: of each event once, with its delivery to the app and the frame that it was
  /// dispatched for.
  mutating func addInputs(_ clocks: PerfettoClocks) {
    let inputs = recording.inputs
    var events = inputs.events
    var order = inputs.order
    var deliveries: [UInt64: Int64] = [:]
    for slice in recording.marks.slices {
      guard let (identifier, event) = DeliveredInput.event(slice.name) else { continue }
      if events[identifier] == nil {
        events[identifier] = event
        order.append(identifier)
      }
      deliveries[identifier] = min(deliveries[identifier] ?? .max, slice.start)
    }
    var unjoined = 0
    for identifier in order {
      guard let event = events[identifier] else { continue }
      guard let made = clocks.convert(event.made, from: .monotonic) else {
        unjoined += 1
        continue
      }
      let place = inputs.frames[identifier].flatMap { frames[$0] }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = event.device?.rawValue
      row[.phase] = event.phase?.rawValue
      row[.scanStart] = made
      row[.delivered] = deliveries[identifier]
      row[.surface] = place.map { Int64($0.surface) }
      row[.frame] = place.map { Int64($0.frame) }
      builder.trace.touches.append(row)
    }
    builder.log.note(
      .clockAssumed, .dataLoss,
      "inputs whose time is on the monotonic clock, which nothing joins to the others, left out",
      count: unjoined)
  }
}
