import FrameKit

/// Shows traces in the browser.
struct ViewCommand: Command {
  static let name = "view"
  static let summary = "shows traces, or a fleet of them, in the browser"
  static let operands = "TRACE…|SUMMARY…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool view game.csv", does: "point at a frame to see what held it up"),
    (
      command: "frametool view --follow capture.jsonl",
      does: "shows a running capture, and again as it grows"
    ),
    (
      command: "frametool view night.jsonl --by device",
      does: "from a fleet's worst group to its worst run, and why its frames were late"
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
      .list("--by", to: \.by, metavar: "TAG,…", help: "of summaries: group runs by these tags"),
      .text(
        "--compare", to: \.compared, metavar: "TAG=A..B",
        help: "of summaries: compare two values of a tag in each group"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the N worst frames with their times"),
    ] + TraceChoice.options(\.choice)

  var staysClosed = false
  var port: Int?
  var follows = false
  var by: [String] = []
  var compared: String?
  var worstCount: Int?
  var choice = TraceChoice()

  /// How long to wait for requests before checking signals and files.
  private static let pause: Int32 = 50

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    guard !follows || !operands.contains("-") else {
      throw CommandError(
        .usage, "--follow: expected files, found standard input, which is read once")
    }
    let page = ReportedPage(choice: choice, worstCount: worstCount, isServed: true)
    let fleet = try fleetOptions(operands, on: console)
    // Changes during the first reading are also detected.
    let followed = FollowedFiles(follows ? operands + choice.companions : [])
    var pages = try Pages(of: operands, page, fleet, on: console)
    let server: PageServer
    do throws(SystemError) {
      server = try PageServer(port: port ?? 0)
    } catch {
      throw CommandError(
        .unavailable,
        "cannot serve the page on port \(port ?? 0) of 127.0.0.1: \(systemError(error.number))",
        help: "choose another --port, or leave it out")
    }
    let opening = try announce(server.address, on: console)
    return serve(server, opening, &pages, of: operands, followed, page, fleet, on: console)
  }

  /// Whether it is still unknown if the browser has opened the page; reports the result once it is known.
  private func isStillOpening(
    _ opening: Browser.Opening, _ address: String, on console: Console
  ) -> Bool {
    do throws(CommandError) {
      guard try opening.isOpen(at: LaunchedProcess.now) == true else { return true }
      if !choice.quiet {
        console.note("note: opened \(address); ends with the page, or with Ctrl-C")
      }
    } catch {
      console.report(error)
    }
    return false
  }

  /// The content to serve: a page of traces, or the pages of a fleet.
  private enum Pages {
    case traces(ServedPage)
    case fleet(ServedFleet)

    init(
      of files: [String], _ page: ReportedPage, _ fleet: Fleet.Options?, on console: Console
    ) throws(CommandError) {
      if let fleet {
        self = .fleet(try ServedFleet(of: files, fleet, page, on: console))
      } else {
        self = .traces(try ServedPage(of: files, page, on: console))
      }
    }

    mutating func answer(to path: String) -> PageAnswer? {
      switch self {
      case .traces(let page): return page.answer(to: path)
      case .fleet(var fleet):
        defer { self = .fleet(fleet) }
        return fleet.answer(to: path)
      }
    }
  }

  /// How summaries are grouped; `nil` for traces.
  private func fleetOptions(
    _ operands: [String], on console: Console
  ) throws(CommandError) -> Fleet.Options? {
    let areSummaries = operands.map { SummaryInputs.isSummary($0, on: console) }
    guard areSummaries.contains(true) else {
      guard by.isEmpty, compared == nil else {
        throw CommandError(
          .usage, "\(by.isEmpty ? "--compare" : "--by") applies only to summaries",
          help: "'analyze --summary FILE' writes one")
      }
      return nil
    }
    guard !areSummaries.contains(false) else {
      throw CommandError(.usage, "expected traces or summaries, found both")
    }
    var options = Fleet.Options()
    options.by = SummaryInputs.names(by)
    guard let compared else { return options }
    guard let sides = Fleet.Sides(compared) else { throw FleetCommand.unknownSides(compared) }
    options.comparing = sides
    return options
  }

  private func announce(
    _ address: String, on console: Console
  ) throws(CommandError) -> Browser.Opening? {
    guard !staysClosed else {
      try console.print("\(address)\n")
      return nil
    }
    do throws(CommandError) {
      return try Browser(console).start(address)
    } catch {
      // The user can open the page by other means, for example on the local machine.
      console.report(error)
      return nil
    }
  }

  /// Serves the page until it is closed or the user requests a stop.
  private func serve(
    _ first: PageServer, _ opening: Browser.Opening?, _ pages: inout Pages, of operands: [String],
    _ files: FollowedFiles, _ reported: ReportedPage, _ fleet: Fleet.Options?,
    on console: Console
  ) -> ExitStatus {
    let wish = StopWish()
    var (server, followed) = (first, files)
    var opening = opening
    while !wish.hasCome, !server.isEnded(at: LaunchedProcess.now) {
      server.work(milliseconds: Self.pause) { pages.answer(to: $0) }
      let now = LaunchedProcess.now
      opening = opening.flatMap { isStillOpening($0, server.address, on: console) ? $0 : nil }
      guard follows, followed.haveChanged(at: now) else { continue }
      // A file that is being written may be briefly unreadable: the page then remains unchanged.
      guard let next = try? Pages(of: operands, reported, fleet, on: console) else { continue }
      pages = next
      followed.haveBeenRead(since: now)
      server.tell("changed")
    }
    return .success
  }
}
