import FrameKit

/// Follows one connection between a program and its compositor: what passes is written down, and where
/// nobody asks when frames are displayed, it asks itself.
///
/// To ask, it needs numbers of objects that the program never uses. A compositor takes a new number only if
/// it is at most one above all before, so the first messages of a connection fill the numbers up to a
/// bound, each with an object that is gone at once. The program counts up from the lowest, the tap down from
/// the bound; nothing of the program's own messages has to be changed. What the compositor answers to the
/// tap's own objects is kept from the program.
///
/// It is a value without sockets and clocks: bytes go in, and bytes to forward and lines to write come out.
struct WaylandTap {
  enum Side {
    /// From the program to the compositor.
    case request
    /// From the compositor to the program.
    case event

    fileprivate var mark: String { self == .request ? ">" : "<" }
  }

  let connection: Int
  private let process: Process
  /// What is to be sent on.
  var toCompositor: [UInt8] = []
  var toProgram: [UInt8] = []
  private(set) var counts = Counts()

  /// What passed, for the summary.
  struct Counts {
    var messages = 0
    var commits = 0
    var presented = 0
    /// Display times that the tap asked for.
    var asked = 0

    mutating func add(_ other: Counts) {
      messages += other.messages
      commits += other.commits
      presented += other.presented
      asked += other.asked
    }
  }

  private var objects: [UInt32: WaylandProtocol.Interface] = [1: .display]
  /// What came in and is not a whole message yet, for each side.
  private var requests: [UInt8] = []
  private var events: [UInt8] = []
  /// Whether the bytes could not be read as messages, so that they pass as they are.
  private var isBlind = false
  private var filling: Filling?
  /// What the tap asks with; `nil` where it does not.
  private var asking: Asking?
  /// Lines that stay true, by the object that they are about.
  private var state: [UInt32: [StateLine]] = [:]
  private var stateCount = 0
  private var lines: WaylandLines
  /// Looks for answers to inputs that are injected; `nil` where none are.
  private var watch: InjectionWatch?

  private struct StateLine {
    let order: Int
    let side: Side
    let interface: String
    let object: UInt32
    let message: WaylandProtocol.Message
    let arguments: [WaylandArgument]
  }

  /// The numbers that are filled before the program's first message.
  private struct Filling {
    /// The next number to use, and how many the compositor has not answered yet.
    var next: UInt32 = 2
    var outstanding = 0
  }

  /// What is needed to ask.
  private struct Asking {
    enum Progress {
      /// The compositor's list of what it offers has not come by yet.
      case waiting
      case bound
      case over
    }

    var progress = Progress.waiting
    /// Numbers for feedback that are free, and those of the tap's objects.
    var free: [UInt32]
    var used: Set<UInt32> = []
    /// How many of the numbers that were filled the compositor has not called free yet. It does so with
    /// whatever it sends next, so that the last ones may come late, but before all others.
    var unfreed = 0
    /// Surfaces that have new content, and those for which the program has asked, since their last commits.
    var attached: Set<UInt32> = []
    var answered: Set<UInt32> = []
  }

  /// The highest number that is filled, and how many below are the tap's: more than frames wait to be
  /// displayed.
  private static let bound: UInt32 = 8192
  private static let ownCount: UInt32 = 512
  private static let presentation = bound
  private static let fillWindow = 1024
  /// How close to the tap's numbers the program may come before the tap gives them up.
  private static let distance: UInt32 = 1024

  /// Whose connection it is.
  struct Process {
    let number: Int
    /// `nil` when not known.
    let name: String?

    fileprivate var arguments: [WaylandArgument] {
      [.number(Int64(number))] + (name.map { [.text($0)] } ?? [])
    }
  }

  /// - Parameters:
  ///   - asks: Whether to ask for display times where the program does not.
  ///   - watch: What looks for answers to inputs that are injected; `nil` where none are.
  init(
    connection: Int, process: Process, asks: Bool, watch: InjectionWatch? = nil, at time: Int64
  ) {
    self.connection = connection
    self.watch = watch
    lines = WaylandLines(connection: connection)
    lines.add(time, "conn", "", 0, "connect", process.arguments)
    self.process = process
    if asks {
      filling = Filling()
      asking = Asking(free: Array((Self.bound - Self.ownCount)..<Self.bound))
      fill()
    }
  }

  /// The lines since they were taken last.
  mutating func takeLines() -> [UInt8] { lines.take() }

  /// Takes files that the program sends, before the bytes that they came with.
  mutating func take(files: [Int32]) { watch?.take(files: files) }

  /// Takes what came from one side.
  mutating func take(_ bytes: [UInt8], from side: Side, at time: Int64) {
    if isBlind {
      forward(bytes[...], side)
      return
    }
    switch side {
    case .request:
      requests += bytes
      if filling == nil { read(.request, at: time) }
    case .event:
      let wasFilling = filling != nil
      events += bytes
      read(.event, at: time)
      // What the program said meanwhile.
      if wasFilling, filling == nil, !isBlind { read(.request, at: time) }
    }
  }

  private mutating func read(_ side: Side, at time: Int64) {
    let buffer = side == .request ? requests : events
    var place = 0
    var trouble: WaylandWireTrouble?
    do throws(WaylandWireTrouble) {
      while let message = try WaylandWireMessage(in: buffer, at: place) {
        place = message.bytes.upperBound
        guard take(message, buffer, side, at: time) else { continue }
        counts.messages += 1
        forward(buffer[message.bytes], side)
      }
    } catch {
      trouble = error
    }
    if side == .request { requests.removeFirst(place) } else { events.removeFirst(place) }
    if let trouble { goBlind(trouble.problem, at: time) }
  }

  private mutating func forward(_ bytes: ArraySlice<UInt8>, _ side: Side) {
    if side == .request { toCompositor += bytes } else { toProgram += bytes }
  }

  /// Lets everything pass from now on.
  private mutating func goBlind(_ problem: String, at time: Int64) {
    isBlind = true
    lines.add(time, "!", "proxy", 0, "decode_error", [.text(problem)])
    forward(requests[...], .request)
    forward(events[...], .event)
    (requests, events) = ([], [])
  }
}

extension WaylandTap {
  /// - Returns: Whether it is to be sent on.
  private mutating func take(
    _ wire: WaylandWireMessage, _ buffer: [UInt8], _ side: Side, at time: Int64
  ) -> Bool {
    if side == .event, isOwn(wire, buffer) {
      takeOwn(wire, buffer, at: time)
      return false
    }
    guard let interface = objects[wire.object] else { return true }
    let known = side == .request ? interface.requests : interface.events
    guard known.indices.contains(wire.opcode) else { return true }
    let message = known[wire.opcode]
    guard let arguments = wire.arguments(in: buffer, message.signature) else {
      lines.add(
        time, "!", "proxy", 0, "decode_error", [.text("\(interface.rawValue).\(message.name)")])
      return true
    }
    follow(interface, message, arguments, wire.object)
    watch?.take(side, interface, message.name, arguments, of: wire.object, at: time)
    if side == .request { ask(interface, message, arguments, wire.object, at: time) }
    if message.kept != nil { write(side, interface, message, arguments, wire.object, at: time) }
    if interface == .registry, message.name == "global" {
      bind(arguments, registry: wire.object)
    }
    return true
  }

  /// Keeps account of which object has which number.
  private mutating func follow(
    _ interface: WaylandProtocol.Interface, _ message: WaylandProtocol.Message,
    _ arguments: [WaylandArgument], _ object: UInt32
  ) {
    if interface == .display, message.name == "delete_id" {
      if let number = arguments[0].integer { forget(number) }
      return
    }
    if message.name == "destroy" { state[object] = nil }
    guard let place = message.signature.firstIndex(of: UInt8(ascii: "n")),
      let number = arguments[place].integer
    else { return }
    if interface == .registry, case .text(let name) = arguments[1] {
      objects[number] = WaylandProtocol.Interface(rawValue: name)
    } else {
      objects[number] = message.makes
    }
    // The program has more objects than anybody foresaw.
    if number < 0xff00_0000, number + Self.distance >= Self.bound - Self.ownCount { stopAsking() }
  }

  private mutating func forget(_ number: UInt32) {
    objects[number] = nil
    state[number] = nil
    watch?.forget(number)
  }

  private mutating func write(
    _ side: Side, _ interface: WaylandProtocol.Interface, _ message: WaylandProtocol.Message,
    _ arguments: [WaylandArgument], _ object: UInt32, at time: Int64
  ) {
    if interface == .surface, message.name == "commit" { counts.commits += 1 }
    if message.name == "presented" { counts.presented += 1 }
    if message.stays {
      // What makes an object is true as long as the object lives, the rest until it is said anew.
      let made = message.signature.firstIndex(of: UInt8(ascii: "n"))
      let subject = made.flatMap { arguments[$0].integer } ?? object
      state[subject]?.removeAll { $0.message.name == message.name }
      stateCount += 1
      state[subject, default: []].append(
        StateLine(
          order: stateCount, side: side, interface: interface.rawValue, object: object,
          message: message, arguments: arguments))
    }
    lines.add(
      time, side.mark, interface.rawValue, object, message.name,
      WaylandLines.kept(arguments, of: message))
  }

  /// Looks at what the program shows, once it was passed on.
  /// - Returns: What became of inputs.
  mutating func look() -> [ResponseSearch.Finding] {
    watch?.look()
    return takeFindings()
  }

  /// Takes what is done to the compositor.
  /// - Returns: What became of inputs.
  mutating func take(_ step: InjectionPlan.Step, at time: Int64) -> [ResponseSearch.Finding] {
    watch?.take(step, at: time)
    return takeFindings()
  }

  private mutating func takeFindings() -> [ResponseSearch.Finding] {
    guard let findings = watch?.takeFindings() else { return [] }
    for finding in findings {
      let number = UInt32(truncatingIfNeeded: finding.number)
      switch finding.outcome {
      case .changed(let surface, let time, let region):
        lines.add(
          time, "!", "inject", number, "changed",
          [.number(Int64(surface))] + region.arguments)
      case .unchanged: lines.add(LaunchedProcess.now, "!", "inject", number, "unchanged", [])
      case .undelivered, .unreadable: break
      }
    }
    return findings
  }

  /// What is true at a time, for a file that begins there.
  func stateLines(at time: Int64) -> [UInt8] {
    var lines = WaylandLines(connection: connection)
    lines.add(time, "conn", "", 0, "connect", process.arguments)
    for line in state.values.joined().sorted(by: { $0.order < $1.order }) {
      lines.add(
        time, line.side.mark, line.interface, line.object, line.message.name,
        WaylandLines.kept(line.arguments, of: line.message))
    }
    return lines.take()
  }
}

extension WaylandTap {
  /// Fills numbers, as many at a time as the compositor is sure to answer without running out of room.
  private mutating func fill() {
    guard var filling else { return }
    while filling.next <= Self.bound, filling.outstanding < Self.fillWindow {
      toCompositor += WaylandWireMessage.bytes(1, 0, [filling.next])
      filling.next += 1
      filling.outstanding += 1
      asking?.unfreed += 1
    }
    self.filling = filling
  }

  /// Whether the compositor speaks to an object of the tap's.
  private func isOwn(_ wire: WaylandWireMessage, _ buffer: [UInt8]) -> Bool {
    guard let asking else { return false }
    var object = wire.object
    if object == 1 {
      guard wire.opcode == 1, wire.bytes.count >= 12 else { return false }
      object = WaylandWireMessage.word(in: buffer, at: wire.bytes.lowerBound + 8)
    }
    // Until all numbers are filled, the program has not said anything.
    if filling != nil || asking.used.contains(object) { return true }
    return wire.object == 1 && asking.unfreed > 0
  }

  private mutating func takeOwn(_ wire: WaylandWireMessage, _ buffer: [UInt8], at time: Int64) {
    if wire.object == 1 {
      let number = WaylandWireMessage.word(in: buffer, at: wire.bytes.lowerBound + 8)
      if let asking, asking.unfreed > 0 {
        self.asking?.unfreed -= 1
        return
      }
      asking?.used.remove(number)
      if number != Self.presentation, asking?.progress == .bound { asking?.free.append(number) }
      return
    }
    if filling != nil {
      filling?.outstanding -= 1
      fill()
      if filling?.outstanding == 0 { filling = nil }
      return
    }
    let interface: WaylandProtocol.Interface =
      wire.object == Self.presentation ? .presentation : .presentationFeedback
    guard interface.events.indices.contains(wire.opcode) else { return }
    let message = interface.events[wire.opcode]
    guard let arguments = wire.arguments(in: buffer, message.signature) else { return }
    write(.event, interface, message, arguments, wire.object, at: time)
  }

  /// Binds the tap's own object of `wp_presentation` in the program's list.
  private mutating func bind(_ arguments: [WaylandArgument], registry: UInt32) {
    guard asking?.progress == .waiting, let name = arguments[0].integer,
      case .text("wp_presentation") = arguments[1]
    else { return }
    asking?.progress = .bound
    asking?.used.insert(Self.presentation)
    toCompositor += WaylandWireMessage.bytes(
      registry, 0,
      [name] + WaylandWireMessage.words(of: "wp_presentation") + [1, Self.presentation])
  }

  /// Asks when a frame is displayed, ahead of the commit that hands it over.
  private mutating func ask(
    _ interface: WaylandProtocol.Interface, _ message: WaylandProtocol.Message,
    _ arguments: [WaylandArgument], _ object: UInt32, at time: Int64
  ) {
    guard asking != nil else { return }
    switch (interface, message.name) {
    case (.surface, "attach"):
      if arguments[0].integer ?? 0 != 0 {
        asking?.attached.insert(object)
      } else {
        asking?.attached.remove(object)
      }
    case (.presentation, "feedback"):
      if let surface = arguments[0].integer { asking?.answered.insert(surface) }
    case (.surface, "commit"):
      let isNew = asking?.attached.remove(object) != nil
      let isAnswered = asking?.answered.remove(object) != nil
      if isNew, !isAnswered, asking?.progress == .bound, let number = asking?.free.popLast() {
        asking?.used.insert(number)
        toCompositor += WaylandWireMessage.bytes(Self.presentation, 1, [object, number])
        counts.asked += 1
        lines.add(
          time, ">", "wp_presentation", Self.presentation, "feedback",
          [.number(Int64(object)), .number(Int64(number))])
      }
    case (.surface, "destroy"):
      asking?.attached.remove(object)
      asking?.answered.remove(object)
    default: break
    }
  }

  /// Gives the tap's numbers up; what was asked is still answered.
  private mutating func stopAsking() {
    guard asking?.progress == .bound else { return }
    toCompositor += WaylandWireMessage.bytes(Self.presentation, 0)
    asking?.progress = .over
    asking?.free = []
  }
}
