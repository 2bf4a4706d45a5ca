import FrameImporters
import FrameKit

/// A tap on one connection between a program and its compositor: it records the messages, and
/// requests display times if the program does not.
///
/// For such requests, the tap needs object IDs that the program never uses. A compositor accepts a new ID only if it is
/// at most one above all earlier IDs. Therefore the first messages of a connection fill the IDs up to a bound, each
/// with an object that is deleted at once. The program counts up from the lowest ID, and the tap counts down from the
/// bound; the program's messages need no changes. Events for the tap's objects are not forwarded to the program.
///
/// The tap is a value without sockets and clocks: it reads bytes, and returns bytes to forward and lines to write.
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
  /// Bytes to forward.
  var toCompositor: [UInt8] = []
  var toProgram: [UInt8] = []
  private(set) var counts = Counts()

  /// Counts for the summary.
  struct Counts {
    var messages = 0
    var commits = 0
    var presented = 0
    /// The number of display times that the tap requested.
    var asked = 0

    mutating func add(_ other: Counts) {
      messages += other.messages
      commits += other.commits
      presented += other.presented
      asked += other.asked
    }
  }

  private var objects: [UInt32: WaylandProtocol.Interface] = [1: .display]
  /// Received bytes that do not form a complete message yet, for each side.
  private var requests: [UInt8] = []
  private var events: [UInt8] = []
  /// Whether the bytes could not be decoded, so that they are forwarded unread.
  private var isBlind = false
  private var filling: Filling?
  /// The state of the tap's requests; `nil` if the tap makes none.
  private var asking: Asking?
  /// Lines that describe persistent state, by the object that they concern.
  private var state: [UInt32: [StateLine]] = [:]
  private var stateCount = 0
  private var lines: MessageLines
  /// Watches for responses to injected inputs; `nil` if none are injected.
  private var watch: InjectionWatch?

  private struct StateLine {
    let order: Int
    let side: Side
    let interface: String
    let object: UInt32
    let message: WaylandProtocol.Message
    let arguments: [WaylandArgument]
  }

  /// The IDs to fill before the program's first message.
  private struct Filling {
    /// The next ID to use, and the number of unanswered requests.
    var next: UInt32 = 2
    var outstanding = 0
  }

  /// The state needed to request display times.
  private struct Asking {
    enum Progress {
      /// The compositor's list of globals has not been seen yet.
      case waiting
      case bound
      case over
    }

    var progress = Progress.waiting
    /// The free IDs for feedback objects, and the IDs of the tap's existing objects.
    var free: [UInt32]
    var used: Set<UInt32> = []
    /// The number of filled IDs that the compositor has not released yet. The compositor releases them with whatever it
    /// sends next, so the last releases may arrive late, but before all other messages.
    var unfreed = 0
    /// Surfaces with new content, and surfaces for which the program requested feedback, since their last commits.
    var attached: Set<UInt32> = []
    var answered: Set<UInt32> = []
  }

  /// The highest filled ID, and the number of IDs below it that the tap uses: more than the number of frames waiting to
  /// be displayed. Filling takes longer the higher the bound is; browsers have some hundred objects.
  private static let bound: UInt32 = 2048
  private static let ownCount: UInt32 = 256
  private static let presentation = bound
  private static let fillWindow = 1024
  /// The distance between the program's IDs and the tap's at which the tap stops making requests.
  private static let distance: UInt32 = 256

  /// The process at the other end of the connection.
  struct Process {
    let number: Int
    /// The process name; `nil` if unknown.
    let name: String?

    fileprivate var arguments: [WaylandArgument] {
      [.number(Int64(number))] + (name.map { [.text($0)] } ?? [])
    }
  }

  /// - Parameters:
  ///   - asks: Whether to request display times if the program does not.
  ///   - watch: Watches for responses to injected inputs; `nil` if none are injected.
  init(
    connection: Int, process: Process, asks: Bool, watch: InjectionWatch? = nil, at time: Int64
  ) {
    self.connection = connection
    self.watch = watch
    lines = MessageLines(connection: connection)
    lines.add(time, "conn", "", 0, "connect", process.arguments)
    self.process = process
    if asks {
      filling = Filling()
      asking = Asking(free: Array((Self.bound - Self.ownCount)..<Self.bound))
      fill()
    }
  }

  /// Returns the lines since the last call.
  mutating func takeLines() -> [UInt8] { lines.take() }

  /// Receives file descriptors that the program sends, before the bytes with which they arrived.
  mutating func consume(files: [Int32]) { watch?.consume(files: files) }

  /// Receives bytes from one side.
  mutating func consume(_ bytes: [UInt8], from side: Side, at time: Int64) {
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
      // Read what the program sent during the filling.
      if wasFilling, filling == nil, !isBlind { read(.request, at: time) }
    }
  }

  private mutating func read(_ side: Side, at time: Int64) {
    let buffer = side == .request ? requests : events
    var position = 0
    var trouble: WaylandWireTrouble?
    do throws(WaylandWireTrouble) {
      while let message = try WaylandWireMessage(in: buffer, at: position) {
        position = message.bytes.upperBound
        guard consume(message, buffer, side, at: time) else { continue }
        counts.messages += 1
        forward(buffer[message.bytes], side)
      }
    } catch {
      trouble = error
    }
    if side == .request { requests.removeFirst(position) } else { events.removeFirst(position) }
    if let trouble { goBlind(trouble.problem, at: time) }
  }

  private mutating func forward(_ bytes: ArraySlice<UInt8>, _ side: Side) {
    if side == .request { toCompositor += bytes } else { toProgram += bytes }
  }

  /// Forwards everything without reading it from now on.
  private mutating func goBlind(_ problem: String, at time: Int64) {
    isBlind = true
    lines.add(time, "!", "proxy", 0, "decode_error", [.text(problem)])
    forward(requests[...], .request)
    forward(events[...], .event)
    (requests, events) = ([], [])
  }
}

extension WaylandTap {
  /// - Returns: Whether to forward the message.
  private mutating func consume(
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
    watch?.consume(side, interface, message.name, arguments, of: wire.object, at: time)
    if side == .request { ask(interface, message, arguments, wire.object, at: time) }
    if message.kept != nil { write(side, interface, message, arguments, wire.object, at: time) }
    if interface == .registry, message.name == "global" {
      bind(arguments, registry: wire.object)
    }
    return true
  }

  /// Tracks which object has which ID.
  private mutating func follow(
    _ interface: WaylandProtocol.Interface, _ message: WaylandProtocol.Message,
    _ arguments: [WaylandArgument], _ object: UInt32
  ) {
    if interface == .display, message.name == "delete_id" {
      if let number = arguments[0].integer { forget(number) }
      return
    }
    if message.name == "destroy" { state[object] = nil }
    guard let position = message.signature.firstIndex(of: UInt8(ascii: "n")),
      let number = arguments[position].integer
    else { return }
    if interface == .registry, case .text(let name) = arguments[1] {
      objects[number] = WaylandProtocol.Interface(rawValue: name)
    } else {
      objects[number] = message.makes
    }
    // The program has more objects than expected.
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
      // A message that creates an object stays valid as long as the object exists; other messages stay valid until they
      // are repeated.
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
      MessageLines.kept(arguments, of: message))
  }

  /// Examines the program's new content after it was forwarded.
  /// - Returns: The results for injected inputs.
  mutating func look() -> [ResponseSearch.Finding] {
    watch?.look()
    return takeFindings()
  }

  /// Records a step that was injected into the compositor.
  /// - Returns: The results for injected inputs.
  mutating func consume(_ step: InjectionPlan.Step, at time: Int64) -> [ResponseSearch.Finding] {
    watch?.consume(step, at: time)
    return takeFindings()
  }

  /// Whether the connection belongs to a process.
  func isOf(_ number: Int) -> Bool { process.number == number }

  /// Receives changes in pictures that a GPU drew.
  /// - Returns: The results for injected inputs.
  mutating func consume(_ pictures: [PresentedPicture]) -> [ResponseSearch.Finding] {
    for picture in pictures { watch?.consume(picture) }
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

  /// The current state, for a file that begins at this time.
  func stateLines(at time: Int64) -> [UInt8] {
    var lines = MessageLines(connection: connection)
    lines.add(time, "conn", "", 0, "connect", process.arguments)
    for line in state.values.joined().sorted(by: { $0.order < $1.order }) {
      lines.add(
        time, line.side.mark, line.interface, line.object, line.message.name,
        MessageLines.kept(line.arguments, of: line.message))
    }
    return lines.take()
  }
}

extension WaylandTap {
  /// Fills IDs, at most as many at a time as the compositor can answer without filling its buffer.
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

  /// Whether a message of the compositor concerns an object of the tap.
  private func isOwn(_ wire: WaylandWireMessage, _ buffer: [UInt8]) -> Bool {
    guard let asking else { return false }
    var object = wire.object
    if object == 1 {
      guard wire.opcode == 1, wire.bytes.count >= 12 else { return false }
      object = WaylandWireMessage.word(in: buffer, at: wire.bytes.lowerBound + 8)
    }
    // Until all IDs are filled, nothing from the program has been forwarded.
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

  /// Binds the tap's `wp_presentation` object in the program's registry.
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

  /// Requests the display time of a frame, just before the commit that submits it.
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

  /// Gives up the tap's IDs; pending requests are still answered.
  private mutating func stopAsking() {
    guard asking?.progress == .bound else { return }
    toCompositor += WaylandWireMessage.bytes(Self.presentation, 0)
    asking?.progress = .over
    asking?.free = []
  }
}

extension MessageLines {
  /// The recorded arguments of a message.
  static func kept(
    _ arguments: [WaylandArgument], of message: WaylandProtocol.Message
  ) -> [WaylandArgument] {
    guard message.name == "presented" else { return (message.kept ?? []).map { arguments[$0] } }
    let word = { (position: Int) in Int64(arguments[position].integer ?? 0) }
    // The seconds and the refresh number each consist of two words.
    let seconds = word(0) << 32 | word(1)
    return [
      .number(seconds &* 1_000_000_000 &+ word(2)), .number(word(3)),
      .number(word(4) << 32 | word(5)),
      .number(word(6)),
    ]
  }
}
