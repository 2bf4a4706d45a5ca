import FrameTrace

/// Inputs reported by Android's dispatcher and by its apps.
struct PerfettoInputs {
  private typealias Input = PerfettoSchema.AndroidInputEvent
  private typealias Motion = PerfettoSchema.AndroidMotionEvent
  private typealias Dispatch = PerfettoSchema.AndroidWindowInputDispatchEvent

  /// A motion or key event, by its id.
  typealias Event = DeliveredInput.Event

  private(set) var events: [UInt64: Event] = [:]
  /// The IDs in order of arrival.
  private(set) var order: [UInt64] = []
  /// The vsync token of the frame that each event was dispatched for.
  private(set) var frames: [UInt64: Int64] = [:]

  /// Reads an `AndroidInputEvent` within the Winscope extensions.
  mutating func consume(_ context: PerfettoRecording.Context) {
    guard let event = context.message.message(PerfettoSchema.WinscopeExtensions.androidInputEvent)
    else { return }
    // Events of secret windows omit positions, which are not read anyway.
    let either = { (field: Int, redacted: Int) in
      event.message(field) ?? event.message(redacted)
    }
    if let motion = either(Input.dispatcherMotionEvent, Input.dispatcherMotionEventRedacted) {
      takeMotion(motion)
    }
    if let key = either(Input.dispatcherKeyEvent, Input.dispatcherKeyEventRedacted) {
      add(key, device: .key, phase: nil)
    }
    if let dispatch = either(
      Input.dispatcherWindowDispatchEvent, Input.dispatcherWindowDispatchEventRedacted),
      let identifier = dispatch[Dispatch.eventID]?.number,
      let vsync = dispatch.integer(Dispatch.vsyncID), vsync > 0
    {
      frames[identifier] = vsync
    }
  }

  private mutating func takeMotion(_ motion: ProtobufMessage) {
    let device = DeliveredInput.device(motion[Motion.source]?.number)
    let phase: TouchColumn.Phase? =
      switch motion.integer(Motion.action).map({ $0 & 0xff }) {
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
    guard let identifier = message[Motion.eventID]?.number,
      let made = message.integer(Motion.eventTimeNanos), made > 0
    else {
      return
    }
    if events[identifier] == nil { order.append(identifier) }
    events[identifier] = Event(made: made, device: device, phase: phase)
  }
}

extension PerfettoJoin {
  /// Adds each input event once, with its delivery to the app and the frame that it was dispatched
  /// for.
  mutating func addInputs(_ clocks: PerfettoClocks) {
    let inputs = recording.inputs
    var events = inputs.events
    var order = inputs.order
    var deliveries: [UInt64: Int64] = [:]
    for (slice, identifier, event) in DeliveredInput.all(recording.marks) {
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
      let position = inputs.frames[identifier].flatMap { frames[$0] }
      var row = Table<TouchColumn>.Row()
      row[.kind] = TouchColumn.Kind.main.rawValue
      row[.device] = event.device?.rawValue
      row[.phase] = event.phase?.rawValue
      row[.scanStart] = made
      row[.delivered] = deliveries[identifier]
      row[.surface] = position.map { Int64($0.surface) }
      row[.frame] = position.map { Int64($0.frame) }
      builder.trace.touches.append(row)
    }
    builder.log.note(
      .clockAssumed, .dataLoss,
      "inputs on the monotonic clock, which cannot be aligned with the others, left out",
      count: unjoined)
  }
}
