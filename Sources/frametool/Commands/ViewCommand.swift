import FrameKit

/// Shows traces in the browser.
struct ViewCommand: Command {
  static let name = "view"
  static let summary = "shows the report page of traces in the browser"
  static let operands = "TRACE…"
  static let operandCount = 1...Int.max
  static let examples = [
    (command: "frametool view game.csv", does: "point at a frame to see what held it up"),
    (command: "frametool view --no-open a.csv b.csv", does: "prints the path of the page"),
  ]
  static let options: [CommandOption<ViewCommand>] =
    [
      .flag("--no-open", \.staysClosed, help: "print the path of the page instead of opening it"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the N worst frames with their times"),
    ] + TraceChoice.options(\.choice)

  var staysClosed = false
  var worstCount: Int?
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let folder: String
    do throws(ParseError) {
      folder = try FileFolder.makePrivate()
    } catch {
      throw CommandError(error)
    }
    let path = "\(folder)/page.html"
    do throws(CommandError) {
      try ReportedPage(choice: choice, worstCount: worstCount).write(
        operands, to: ReportTarget(path), on: console)
    } catch {
      FileFolder.removeAll(folder)
      throw error
    }
    if staysClosed {
      try console.print("\(path)\n")
    } else {
      try Browser(console).open(path)
      if !choice.quiet { console.note("note: opened \(path)") }
    }
    return .success
  }
}
