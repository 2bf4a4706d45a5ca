import FrameKit

/// Records the messages between a program and its Wayland compositor.
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
      does: "30 seconds of a game"
    ),
    (
      command: "frametool capture wayland --inject touch --inject-count 200 --then analyze -- app",
      does: "touches the program 200 times, and measures how long it takes to respond"
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
        help: "do not request display times for a program that does not request them itself")
    ] + InjectionOptions.options(\.injection) + CaptureOptions.options(\.capture)

  var asksNothing = false
  var injection = InjectionOptions()
  var capture = CaptureOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try capture.check(writesTraces: true)
    try injection.check()
    let session = try WaylandSession(console)
    let path = capture.path(of: operands[0])
    if capture.isDry {
      let injected = try injection.words(session).map { "\n\($0)" } ?? ""
      try console.print(
        """
        \(session.words)\(injected)
        env -u WAYLAND_SOCKET \(ShellWords.quoted([session.changes[0]])) \(ShellWords.quoted(operands))
        write \(path)

        """)
      return .success
    }
    let relay = try session.relay(asks: !asksNothing, injection: injection.injection(session))
    defer { session.remove() }
    return try capture.capture(
      relay, of: operands, changes: session.changes, to: path, on: console)
  }
}
