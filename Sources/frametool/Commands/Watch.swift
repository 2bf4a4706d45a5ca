import FrameKit

/// Shows the latest frames of a running capture.
struct Watch: Command {
  static let name = "watch"
  static let summary = "shows the last seconds of a running capture"
  static let operands = "TRACE"
  static let operandCount = 1...1
  static let examples = [
    (
      command: "frametool watch game-1.jsonl",
      does:
        "frame times, drops by stage, buffers and latency of a capture in another terminal; q quits"
    ),
    (
      command: "frametool watch --last 30 --every 5 game-1.jsonl >> log",
      does: "one line every five seconds, over the last 30"
    ),
  ]
  static let options: [CommandOption<Watch>] = [
    .real(
      "--last", to: \.last, metavar: "S", in: 0.5...60,
      help: "how many seconds to show (default: 5)"),
    .real(
      "--every", to: \.interval, metavar: "S", in: 0.2...3600,
      help: "the time between updates (default: 1)"),
    .real(
      "--duration", to: \.duration, metavar: "S", in: 0.1...1e7,
      help: "stop after this time (default: at q or Ctrl-C)"),
    .list(
      "--process", to: \.surfaces.processes, metavar: "NAME",
      help: "only surfaces of this process, by name or number"),
    .list(
      "--surface", to: \.surfaces.surfaces, metavar: "NAME",
      help: "only surfaces of this name or id"),
  ]

  var last: Double?
  var interval: Double?
  var duration: Double?
  var surfaces = SurfaceChoice()

  private static let usualLast = 5.0
  private static let usualInterval = 1.0
  /// How late frames can arrive, in seconds. Older frames are kept this much longer.
  private static let delay = 3.0

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let result: Result<ExitStatus, CommandError>
    do throws(ParseError) {
      result = try watch(operands[0], on: console)
    } catch {
      throw CommandError(error)
    }
    return try result.get()
  }

  private func watch(
    _ path: String, on console: Console
  ) throws(ParseError) -> Result<ExitStatus, CommandError> {
    let wish = StopWish()
    var capture = WatchedCapture(path: path)
    // Read an existing trace before drawing over the terminal.
    try capture.look(at: LaunchedProcess.now)
    let screen = console.window == nil ? nil : TerminalScreen()
    let started = LaunchedProcess.now
    let length = last ?? Self.usualLast
    let pause = Nanoseconds.seconds(interval ?? Self.usualInterval).count
    let limit = duration.map { started + Nanoseconds.seconds($0).count } ?? .max
    while true {
      let now = LaunchedProcess.now
      let kept = Nanoseconds.seconds(length + Self.delay).count
      capture.forget(before: now - kept)
      let view = try? capture.trace().map {
        LiveView($0, last: .seconds(length), surfaces)
      }
      if let screen, let size = Terminal.size {
        let page = view?.page(capture.name, width: size.width, height: size.height)
        screen.show(page ?? ["\(capture.name): no frames yet", "q quits"])
      } else {
        do throws(CommandError) {
          try console.print((view?.line ?? "no frames yet") + "\n")
        } catch {
          return error.status == .success ? .success(.success) : .failure(error)
        }
      }
      let next = min(now + pause, limit)
      if let screen {
        while LaunchedProcess.now < next, !wish.hasCome {
          if screen.isQuit(within: 20) { return .success(.success) }
        }
      } else {
        wish.rest(until: next)
      }
      if wish.hasCome { return .success(.success) }
      if LaunchedProcess.now >= limit { return .success(.success) }
      try capture.look(at: LaunchedProcess.now)
    }
  }
}
