import CRelay
import FrameKit

/// A capture of what programs present through an X server, observed from a separate connection: the programs are not
/// changed, and everything drawn with OpenGL or Vulkan is captured.
struct X11Capture: CaptureSource {
  private let session: X11Session
  private var lines = MessageLines(connection: 0)
  /// The programs that connected during the capture, by their resource numbers.
  private var programs: [UInt32: Program] = [:]
  private var windows: [UInt32: Window] = [:]
  /// The programs that were connected before the capture.
  private var others: Set<UInt32>
  /// The processes that this process had started before the capture.
  private let children = LaunchedProcess.children
  private var counts = Counts()
  private var lastNews = LaunchedProcess.now

  /// How long the server may hold back events, in ns.
  private static let patience: Int64 = 5_000_000

  private struct Program {
    /// The process ID; 0 if the server does not know it.
    let process: Int
    /// Whether the captured program started it, so that the capture waits for its end.
    let isOwn: Bool
    var isConnected = true
  }

  private struct Window {
    let client: UInt32
    var title: String
    var presents = 0
  }

  private struct Counts {
    var presents = 0
    var completions = 0
  }

  init(_ session: X11Session) {
    self.session = session
    others = session.clients
  }

  var waits: [relay_wait] {
    // What is closed would be ready all the time.
    if session.isOver { return [] }
    return session.files.map {
      relay_wait(file: $0, reads: 1, writes: 0, can_read: 0, can_write: 0)
    }
  }

  /// A launcher may end before the program that it started connects.
  var isIdle: Bool {
    if session.isOver { return true }
    let own = programs.values.filter(\.isOwn)
    if own.isEmpty { return LaunchedProcess.children.subtracting(children).isEmpty }
    return !own.contains(where: \.isConnected)
  }

  mutating func work(_ ready: ArraySlice<relay_wait>) {
    while let (event, time) = session.next() {
      consume(event, at: time)
      lastNews = time
    }
    // Windows stay until here because events about them arrive on another connection than the end of their program;
    // afterwards, their numbers are reused.
    windows = windows.filter { programs[$0.value.client]?.isConnected ?? false }
    let now = LaunchedProcess.now
    guard now - lastNews > Self.patience, !session.isOver else { return }
    session.wake()
    lastNews = now
  }

  private mutating func consume(_ event: X11Session.Event, at time: Int64) {
    switch event {
    case .connected(let client):
      // The server reused the number of a program that is gone.
      others.remove(client)
      connect(client, at: time)
    case .gone(let client): programs[client]?.isConnected = false
    case .selected(let window, let client): follow(window, client, at: time)
    case .present(let present):
      follow(present.window, present.client, at: time)
      guard windows[present.window] != nil else { return }
      counts.presents += 1
      name(present.window, at: time)
      add(
        time, ">", present.window, "present",
        [
          .number(Int64(present.serial)), .number(Int64(present.pixmap)),
          .number(Int64(present.options)), .number(Int64(truncatingIfNeeded: present.target)),
          .number(Int64(present.serverTime)),
        ], of: present.client)
    case .complete(let window, let completion):
      guard let client = windows[window]?.client else { return }
      counts.completions += 1
      add(
        time, "<", window, "complete",
        [
          .number(Int64(completion.serial)),
          .number(Int64(truncatingIfNeeded: completion.refresh)), .number(completion.time),
          .number(Int64(completion.mode)),
        ], of: client)
    case .idle(let window, let serial, let pixmap):
      guard let client = windows[window]?.client else { return }
      add(
        time, "<", window, "idle", [.number(Int64(serial)), .number(Int64(pixmap))], of: client)
    }
  }

  private mutating func add(
    _ time: Int64, _ direction: String, _ window: UInt32, _ name: String,
    _ arguments: [WaylandArgument], of client: UInt32
  ) {
    lines.add(
      time, direction, "x11", window, name, arguments, of: programs[client]?.process ?? 0)
  }

  /// Starts to follow a window of a program that connected during the capture.
  private mutating func follow(_ window: UInt32, _ client: UInt32, at time: Int64) {
    guard windows[window] == nil, !others.contains(client) else { return }
    connect(client, at: time)
    if session.follow(window) { windows[window] = Window(client: client, title: "") }
  }

  /// Records a program at its first event, which may come before the server reports the connection.
  private mutating func connect(_ client: UInt32, at time: Int64) {
    guard !(programs[client]?.isConnected ?? false) else { return }
    let process = session.process(of: client) ?? 0
    // In a container, the server may not know the process.
    let isOwn = process == 0 || LaunchedProcess.isDescendant(process)
    programs[client] = Program(process: process, isOwn: isOwn)
    let name = LaunchedProcess.name(of: process).map { [WaylandArgument.text($0)] } ?? []
    add(time, "conn", 0, "connect", name, of: client)
  }

  /// Records a window's title, which most programs set after creating the window.
  private mutating func name(_ window: UInt32, at time: Int64) {
    guard var known = windows[window] else { return }
    known.presents += 1
    if known.presents == 1 || known.presents == 60 {
      let title = session.title(of: window)
      if !title.isEmpty, title != known.title {
        known.title = title
        add(time, "<", window, "title", [.text(title)], of: known.client)
      }
    }
    windows[window] = known
  }

  /// The server records its own timestamps, so reading late loses nothing.
  mutating func note(gapFrom start: Int64, to end: Int64) -> Bool { false }

  mutating func takeLines() -> [UInt8] { lines.take() }

  mutating func opening(part: Int, at time: Int64) -> [UInt8] {
    var opening = MessageLines(connection: 0)
    opening.add(time, "!", "x11", 0, "part", [.number(Int64(part))])
    for (client, program) in programs.sorted(by: { $0.key < $1.key }) {
      guard let name = LaunchedProcess.name(of: program.process) else { continue }
      opening.add(time, "conn", "x11", 0, "connect", [.text(name)], of: program.process)
      for (window, known) in windows.sorted(by: { $0.key < $1.key }) where known.client == client {
        opening.add(
          time, "<", "x11", window, "title", [.text(known.title)], of: program.process)
      }
    }
    opening.add(time, "!", "x11", 0, "begin", [.number(Int64(part))])
    return opening.take()
  }

  mutating func closing(isLast: Bool) -> [UInt8] {
    if isLast { work([]) }
    return takeLines()
  }

  var summary: String {
    let programs = "\(programs.count) program\(programs.count == 1 ? "" : "s")"
    return "\(programs), \(counts.presents) presents, \(counts.completions) completed"
  }

  var hasFrames: Bool { counts.presents > 0 }

  var emptiness: (problem: String, help: String)? {
    guard counts.presents == 0 else { return nil }
    if programs.isEmpty {
      return (
        "the program opened no connection to the X server",
        "Wayland programs do not use X11: 'frametool capture wayland' records them"
      )
    }
    return (
      "the program presented no frames through the X server's Present extension",
      "programs that draw with the CPU, and drivers that do, copy their pictures without it; 'frametool capture vulkan' records Vulkan programs all the same"
    )
  }
}
