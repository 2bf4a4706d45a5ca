import Dispatch
import FrameKit

/// Shows traces in the browser.
struct ViewCommand: Command {
  static let name = "view"
  static let summary = "shows traces in the browser, every frame with its stages"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool view game.csv", does: "point at a frame to see what held it up"),
    (
      command: "frametool view --follow capture.jsonl",
      does: "shows a running capture, and again as it grows"
    ),
    (
      command: "frametool view --no-open --port 8000 a.csv b.csv",
      does: "prints the address of the page, to be forwarded by ssh -L 8000:127.0.0.1:8000"
    ),
  ]
  static let options: [CommandOption<ViewCommand>] =
    [
      .flag(
        "--no-open", \.staysClosed, help: "print the address of the page instead of opening it"),
      .number(
        "--port", to: \.port, metavar: "N", in: 1...65_535,
        help: "serve the page on this port (default: any free one)"),
      .flag("--follow", \.follows, help: "read the files again whenever they have changed"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the N worst frames with their times"),
    ] + TraceChoice.options(\.choice)

  var staysClosed = false
  var port: Int?
  var follows = false
  var worstCount: Int?
  var choice = TraceChoice()

  /// How long to wait for requests before looking at signals and files.
  private static let pause: Int32 = 50

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    guard !follows || !operands.contains("-") else {
      throw CommandError(
        .usage, "--follow: expected files, found standard input, which is read once")
    }
    let page = ReportedPage(choice: choice, worstCount: worstCount, isServed: true)
    let served = try ServedPage(of: operands, page, on: console)
    let server: PageServer
    do throws(SystemError) {
      server = try PageServer(port: port ?? 0)
    } catch {
      throw CommandError(
        .unavailable,
        "cannot serve the page on port \(port ?? 0) of 127.0.0.1: \(systemError(error.number))",
        help: "choose another --port, or leave it out")
    }
    try announce(server.address, on: console)
    return serve(server, served, of: operands, page, on: console)
  }

  private func announce(_ address: String, on console: Console) throws(CommandError) {
    guard !staysClosed else { return try console.print("\(address)\n") }
    let (browser, isQuiet) = (Browser(console), choice.quiet)
    // The browser may wait for the page before it returns.
    DispatchQueue.global().async {
      do throws(CommandError) {
        try browser.open(address)
        if !isQuiet { console.note("note: opened \(address); ends with the page, or with Ctrl-C") }
      } catch {
        console.report(error)
      }
    }
  }

  /// Serves the page until it was closed or the user wants to stop.
  private func serve(
    _ first: PageServer, _ page: ServedPage, of files: [String], _ reported: ReportedPage,
    on console: Console
  ) -> ExitStatus {
    let wish = StopWish()
    var (server, served, followed) = (first, page, FollowedFiles(follows ? files : []))
    while !wish.hasCome, !server.isEnded(at: LaunchedProcess.now) {
      server.work(milliseconds: Self.pause) { served.answer(to: $0) }
      let now = LaunchedProcess.now
      guard follows, followed.haveChanged(at: now) else { continue }
      // A file that is being written may not be readable for a moment: the page stays as it was.
      guard let next = try? ServedPage(of: files, reported, on: console) else { continue }
      served = next
      followed.haveBeenRead(since: now)
      server.tell("changed")
    }
    return .success
  }
}
