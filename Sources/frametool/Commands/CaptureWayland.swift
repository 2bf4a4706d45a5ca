import FrameKit

/// Records what a program and its Wayland compositor say to each other.
struct CaptureWayland: Command {
  static let name = "capture wayland"
  static let summary = "records a Wayland program's frames, buffers and inputs"
  static let operands = "-- COMMAND…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool capture wayland --then analyze -- foot",
      does: "runs a program, and measures its frames when it ends"
    ),
    (
      command: "frametool capture wayland --duration 30 -o run.jsonl -- ./game",
      does: "30 seconds of it"
    ),
    (
      command: "frametool capture wayland --part-size 100 --keep 5 -- ./kiosk",
      does: "the last 400 to 500 MB of a program that runs for days"
    ),
  ]
  static let options: [CommandOption<CaptureWayland>] =
    [
      .flag(
        "--no-feedback", \.asksNothing,
        help: "do not ask for display times on behalf of a program that does not ask itself")
    ] + CaptureOptions.options(\.capture)

  var asksNothing = false
  var capture = CaptureOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check()
    let compositor = try Self.compositor(console)
    let display = "frametool-\(LaunchedProcess.ownIdentifier)"
    let socket = "\(compositor.folder)/\(display)"
    let path = capture.path(of: operands[0])
    // A socket that was inherited would be used in place of the one by name.
    let changes = ["WAYLAND_DISPLAY=\(display)", "WAYLAND_SOCKET"]
    if capture.isDry {
      try console.print(
        """
        listen on \(socket), pass all on to \(compositor.path)
        env -u WAYLAND_SOCKET WAYLAND_DISPLAY=\(display) \(ShellWords.quoted(operands))
        write \(path)

        """)
      return .success
    }
    let relay: WaylandRelay
    do throws(SystemError) {
      relay = try WaylandRelay(
        compositor: compositor.path, listeningAt: socket, asks: !asksNothing)
    } catch {
      throw CommandError(
        .unavailable, "\(socket): cannot be made: \(systemError(error.number))",
        help: "XDG_RUNTIME_DIR has to name a folder of yours")
    }
    defer { ByteSink.remove(unfinished: socket) }
    var run = try CaptureRun(relay, to: path, capture, on: console)
    let status = try run.run(operands, changes: changes)
    return try capture.goOn(with: path, on: console) ?? status
  }

  /// The socket of the compositor, and the folder that sockets are in.
  private static func compositor(
    _ console: Console
  ) throws(CommandError) -> (path: String, folder: String) {
    guard let folder = console.variable("XDG_RUNTIME_DIR"), !folder.isEmpty else {
      throw CommandError(
        .unavailable, "there is no Wayland session: XDG_RUNTIME_DIR is not set",
        help: "run it in a Wayland session")
    }
    let name = console.variable("WAYLAND_DISPLAY").flatMap { $0.isEmpty ? nil : $0 } ?? "wayland-0"
    let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
    do throws(SystemError) {
      _ = try RelaySocket.connected(to: path)
    } catch {
      throw CommandError(
        .unavailable, "there is no Wayland compositor at \(path): \(systemError(error.number))",
        help: "run it in a Wayland session; WAYLAND_DISPLAY names the compositor's socket")
    }
    return (path, folder)
  }
}
