import CRelay
import FrameImporters

/// A relay between programs and their compositor: it accepts connections of programs, opens a
/// separate connection to the compositor for each, and forwards messages with their file
/// descriptors in both directions.
struct WaylandRelay: CaptureSource {
  private let listener: RelaySocket
  private let compositor: String
  /// The name of the compositor's program, with its version if known; `nil` if the system does not report it.
  private let compositorName: String?
  private let asks: Bool
  private var injection: Injection?
  private var connections: [Connection] = []
  private var connectionCount = 0
  private var lines = MessageLines(connection: 0)
  private var past = WaylandTap.Counts()
  private var lastClocks: Int64 = LaunchedProcess.now

  private struct Connection {
    let program: RelaySocket
    let compositor: RelaySocket
    var tap: WaylandTap
    var toProgram = RelaySocket.Parcel()
    var toCompositor = RelaySocket.Parcel()
    var isProgramGone = false
    var isCompositorGone = false

    /// Whether one side is closed and the other side has received all of its data.
    var isOver: Bool {
      (isProgramGone && toCompositor.bytes.isEmpty)
        || (isCompositorGone && toProgram.bytes.isEmpty)
    }
  }

  /// The amount of unsent data at which the relay stops reading from the sender.
  private static let mostBytes = 1 << 20
  /// The interval at which clocks are read, because they drift against each other.
  private static let clocksInterval: Int64 = 10_000_000_000

  /// - Parameters:
  ///   - compositor: The path of the compositor's socket.
  ///   - path: The path of the socket for programs.
  ///   - asks: Whether to request display times if a program does not.
  ///   - injection: Injects inputs during the capture; `nil` for none.
  init(
    compositor: String, listeningAt path: String, asks: Bool, injection: Injection? = nil
  ) throws(SystemError) {
    self.compositor = compositor
    compositorName = CompositorProgram.words(at: compositor)
    self.asks = asks
    self.injection = injection
    listener = try RelaySocket.listening(at: path)
  }

  var isIdle: Bool { connections.isEmpty }
  var isDone: Bool { injection?.isDone ?? false }
  var due: Int64? { injection?.due }

  /// The file descriptors for which the relay waits.
  var waits: [relay_wait] {
    var waits = [relay_wait(file: listener.file, reads: 1, writes: 0, can_read: 0, can_write: 0)]
    for connection in connections {
      waits.append(
        Self.wait(
          connection.program, isGone: connection.isProgramGone,
          backlog: connection.toCompositor.bytes.count,
          isSending: !connection.toProgram.bytes.isEmpty))
      waits.append(
        Self.wait(
          connection.compositor, isGone: connection.isCompositorGone,
          backlog: connection.toProgram.bytes.count,
          isSending: !connection.toCompositor.bytes.isEmpty))
    }
    return waits
  }

  private static func wait(
    _ socket: RelaySocket, isGone: Bool, backlog: Int, isSending: Bool
  ) -> relay_wait {
    relay_wait(
      file: socket.file, reads: !isGone && backlog < mostBytes ? 1 : 0, writes: isSending ? 1 : 0,
      can_read: 0, can_write: 0)
  }

  /// Forwards as much data as possible.
  mutating func work(_ ready: ArraySlice<relay_wait>) {
    for position in connections.indices {
      let first = ready.startIndex + 1 + 2 * position
      if ready[first].can_read != 0 { receive(.request, position) }
      if ready[first + 1].can_read != 0 { receive(.event, position) }
      send(position)
      if injection != nil { consume(connections[position].tap.look()) }
    }
    inject()
    close()
    if let first = ready.first, first.can_read != 0 { accept() }
  }

  private mutating func accept() {
    while let program = listener.accept() {
      // If the compositor has exited, the program's connection is closed.
      guard let own = try? RelaySocket.connected(to: compositor) else { continue }
      connectionCount += 1
      let number = program.peer
      let process = WaylandTap.Process(
        number: number, name: LaunchedProcess.name(of: number))
      connections.append(
        Connection(
          program: program, compositor: own,
          tap: WaylandTap(
            connection: connectionCount, process: process, asks: asks, watch: injection?.watch(),
            at: LaunchedProcess.now)))
      send(connections.count - 1)
    }
  }

  private mutating func receive(_ side: WaylandTap.Side, _ position: Int) {
    let socket = side == .request ? connections[position].program : connections[position].compositor
    guard let parcel = socket.receive() else {
      if side == .request {
        connections[position].isProgramGone = true
      } else {
        connections[position].isCompositorGone = true
      }
      return
    }
    let time = LaunchedProcess.now
    if side == .request { connections[position].tap.consume(files: parcel.files) }
    connections[position].tap.consume(parcel.bytes, from: side, at: time)
    // File descriptors may arrive early, but never late.
    if side == .request {
      connections[position].toCompositor.files += parcel.files
    } else {
      connections[position].toProgram.files += parcel.files
    }
  }

  private mutating func send(_ position: Int) {
    connections[position].toCompositor.bytes += connections[position].tap.toCompositor
    connections[position].toProgram.bytes += connections[position].tap.toProgram
    connections[position].tap.toCompositor.removeAll(keepingCapacity: true)
    connections[position].tap.toProgram.removeAll(keepingCapacity: true)
    if !connections[position].compositor.send(&connections[position].toCompositor) {
      connections[position].isCompositorGone = true
      connections[position].toCompositor.bytes = []
    }
    if !connections[position].program.send(&connections[position].toProgram) {
      connections[position].isProgramGone = true
      connections[position].toProgram.bytes = []
    }
  }

  /// Injects the inputs that are due.
  private mutating func inject() {
    guard injection != nil else { return }
    // If no program is left to receive inputs, they would go to another window.
    if connectionCount > 0, connections.isEmpty {
      injection?.stop()
      return
    }
    if connections.contains(where: { $0.tap.counts.commits > 0 }) {
      injection?.start(at: LaunchedProcess.now)
    }
    while let (step, time) = injection?.work() {
      switch step {
      case .press(let number):
        note(number, injection?.input.rawValue ?? "", at: time)
      case .blank(let number): note(number, "blank", at: time)
      case .release, .end: break
      }
      for position in connections.indices {
        consume(connections[position].tap.consume(step, at: time))
      }
      if case .end(let number) = step { injection?.end(number) }
    }
  }

  private mutating func note(_ number: Int, _ name: String, at time: Int64) {
    lines.add(time, "!", "inject", UInt32(truncatingIfNeeded: number), name, [])
  }

  mutating func consume(_ pictures: [PresentedPicture]) {
    guard injection != nil else { return }
    for position in connections.indices {
      // A program in a container may have another process ID inside the container.
      let isOnly = connections.count == 1
      let own = pictures.filter { isOnly || connections[position].tap.isOf($0.process) }
      consume(connections[position].tap.consume(own))
    }
  }

  private mutating func consume(_ findings: [ResponseSearch.Finding]) {
    for finding in findings { injection?.consume(finding) }
  }

  /// Closes connections with one side closed and all of its data delivered.
  private mutating func close() {
    for position in connections.indices.reversed() where connections[position].isOver {
      lines.add(connections[position].tap.takeLines())
      past.add(connections[position].tap.counts)
      let last = connections.remove(at: position)
      RelaySocket.close(last.toProgram.files + last.toCompositor.files)
    }
  }

  mutating func takeLines() -> [UInt8] {
    let now = LaunchedProcess.now
    if now - lastClocks > Self.clocksInterval {
      lines.addClocks()
      lastClocks = now
    }
    for position in connections.indices { lines.add(connections[position].tap.takeLines()) }
    return lines.take()
  }

  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool {
    guard !connections.isEmpty else { return false }
    lines.add(end, "!", "proxy", 0, "gap", [.number(start), .number(end)])
    return true
  }

  mutating func opening(part: Int, at time: Int64) -> [UInt8] {
    var opening = MessageLines(connection: 0)
    opening.add(time, "!", "capture", 0, "part", [.number(Int64(part))])
    opening.addClocks()
    for position in connections.indices {
      opening.add(connections[position].tap.stateLines(at: time))
    }
    if let compositorName {
      opening.add(
        time, "!", "capture", 0, "setting", [.text("compositor"), .text(compositorName)])
    }
    opening.add(time, "!", "capture", 0, "begin", [.number(Int64(part))])
    return opening.take()
  }

  mutating func closing(isLast: Bool) -> [UInt8] {
    if isLast { injection?.letGo() }
    lines.addClocks()
    return takeLines()
  }

  /// The totals over all connections.
  var counts: WaylandTap.Counts {
    connections.reduce(into: past) { $0.add($1.tap.counts) }
  }
}

extension WaylandRelay {
  var summary: String {
    let counts = counts
    let asked = counts.asked == 0 ? "" : " (\(counts.asked) of them requested by frametool)"
    let injected = injection.map { "; \($0.summary)" } ?? ""
    return
      "\(connectionCount) connection\(connectionCount == 1 ? "" : "s"), \(counts.messages) messages, \(counts.commits) commits, \(counts.presented) display times\(asked)\(injected)"
  }

  var hasFrames: Bool { counts.commits > 0 }

  var emptiness: (problem: String, help: String)? {
    if connectionCount == 0 {
      return (
        "the program opened no connection to the compositor",
        "X11 and console programs do not use Wayland; 'frametool capture vulkan' records Vulkan programs without it"
      )
    }
    guard counts.commits == 0 else { return injection?.failure }
    return (
      "the program committed no frames", "let it run until it draws, or raise --duration S"
    )
  }
}
