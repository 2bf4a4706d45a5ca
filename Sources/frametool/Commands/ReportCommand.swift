import Dispatch
import FrameKit
import Synchronization

/// Writes a report with words, pictures and tables.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "writes a page with findings, pictures and tables"
  static let operands = "[TRACE…]"
  static let operandCount = 0...Int.max
  static let examples = [
    (
      command: "frametool report game.csv -o game.html",
      does: "one page that needs nothing else; .md for a pull request"
    ),
    (
      command: "frametool report --before a*.csv --after b*.csv -o change.html",
      does: "what changed, and how sure that is"
    ),
  ]
  static let options: [CommandOption<ReportCommand>] =
    [
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write here: .html or .md; - is standard output, as Markdown"),
      .flag("--no-plots", \.leavesPlotsOut, help: "Markdown: words and tables only"),
      .number(
        "--worst", to: \.worstCount, metavar: "N", in: 1...1000,
        help: "list the worst frames with their times"),
      .files("--before", to: \.before, metavar: "FILE…", help: "runs before a change"),
      .files("--after", to: \.after, metavar: "FILE…", help: "runs after it"),
      .flag(
        "--allow-different-refresh", \.allowsDifferentRefresh,
        help: "compare displays of different refresh intervals"),
    ] + TraceChoice.options(\.choice)

  var output: String?
  var leavesPlotsOut = false
  var worstCount: Int?
  var before: [String] = []
  var after: [String] = []
  var allowsDifferentRefresh = false
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let target = try ReportTarget(output, leavesPlotsOut: leavesPlotsOut)
    guard !operands.isEmpty || !before.isEmpty || !after.isEmpty else {
      throw CommandError(
        .usage, "report: expected TRACE…, or --before FILE… and --after FILE…",
        help: "usage: \(CommandHelp.usage(of: Self.self))")
    }
    try Output.keep(operands + before + after, from: target.path)
    if target.hasPictures { try console.gnuplot.check() }
    let source = PlotSource(
      console: console, choice: choice, options: PlotOptions(), before: before, after: after,
      allowsDifferentRefresh: allowsDifferentRefresh)
    let hasSides = !before.isEmpty || !after.isEmpty
    let comparison = hasSides ? try source.comparison([]) : nil
    let traces = try read(operands, console)
    let page = ReportPage(
      traces, comparison: comparison,
      comparisonPlot: comparison.flatMap { try? Plots.named("compare")?.draw($0) })
    try target.write(page, on: console)
    return .success
  }

  private func read(
    _ files: [String], _ console: Console
  ) throws(CommandError) -> [ReportedTrace] {
    let results = choice.inputs(on: console).map(files) { trace in
      Result { () throws(CommandError) in try measure(trace) }
    }
    var traces: [ReportedTrace] = []
    for result in results { traces.append(try result.get().get()) }
    return traces
  }

  private func measure(_ trace: Trace) throws(CommandError) -> ReportedTrace {
    if trace.frameCount > 0 { try choice.selection.check(trace) }
    var options = try choice.analysisOptions(of: trace)
    options.worstCount = worstCount ?? 0
    return ReportedTrace(trace, options, where: choice.selection.matches)
  }
}

/// Where a report goes, and in which form.
struct ReportTarget {
  let path: String
  private let isHTML: Bool
  private let leavesPlotsOut: Bool

  init(_ output: String?, leavesPlotsOut: Bool) throws(CommandError) {
    path = output ?? "-"
    let suffix =
      path.contains(".")
      ? path.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() : nil
    isHTML = suffix == "html" || suffix == "htm"
    self.leavesPlotsOut = leavesPlotsOut
    guard isHTML || suffix == "md" || path == "-" else {
      throw CommandError(
        .usage, "--output: expected a name that ends in .html or .md, found \(path)")
    }
    if isHTML, leavesPlotsOut {
      throw CommandError(.usage, "--no-plots is for Markdown; a page in HTML has its pictures")
    }
  }

  /// Whether pictures are drawn: standard output has no place beside it for them.
  var hasPictures: Bool { isHTML || (!leavesPlotsOut && path != "-") }

  func write(_ page: ReportPage, on console: Console) throws(CommandError) {
    if isHTML {
      let light = try draw(page.plots, .light, console)
      let dark = try draw(page.plots, .dark, console)
      let pictures = zip(light, dark).map { HTMLPageWriter.Picture(light: $0, dark: $1) }
      let text = HTMLPageWriter(pictures).write(page)
      return try Output.write(to: path, on: console) { $0(Array(text.utf8)) }
    }
    let names = hasPictures ? try writePictures(page, console) : nil
    let text = MarkdownPageWriter(pictures: names).write(page)
    try Output.write(to: path, on: console) { $0(Array(text.utf8)) }
  }

  /// Writes each picture to a file in a folder beside the page.
  /// - Returns: Their paths as the page names them.
  private func writePictures(
    _ page: ReportPage, _ console: Console
  ) throws(CommandError) -> [String] {
    let folder = String(path.dropLast(3)) + ".plots"
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    let pictures = try draw(page.plots, .light, console)
    do throws(ParseError) { try FileFolder.make(folder) } catch { throw CommandError(error) }
    var paths: [String] = []
    for (number, picture) in pictures.enumerated() {
      let file = "\(number + 1)-\(page.plots[number].kind).svg"
      try Output.write(to: "\(folder)/\(file)", on: console) { $0(picture) }
      paths.append(MarkdownLink.escape("\(name)/\(file)"))
    }
    return paths
  }

  /// How many pictures are drawn at once: each takes some open files.
  private static let mostAtOnce = 8

  /// Draws plots, several at once.
  private func draw(
    _ plots: [Plot], _ theme: PlotCanvas.Theme, _ console: Console
  ) throws(CommandError) -> [[UInt8]] {
    let drawn = Mutex([Result<[UInt8], CommandError>?](repeating: nil, count: plots.count))
    let workers = min(Self.mostAtOnce, plots.count)
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for index in stride(from: worker, to: plots.count, by: workers) {
        let picture = Result { () throws(CommandError) in
          try console.gnuplot.draw(plots[index], on: PlotCanvas(.svg, theme: theme))
        }
        drawn.withLock { $0[index] = picture }
      }
    }
    var pictures: [[UInt8]] = []
    for picture in drawn.withLock({ $0 }).compactMap({ $0 }) { pictures.append(try picture.get()) }
    return pictures
  }
}

/// The target of a link in Markdown.
enum MarkdownLink {
  /// A path as a link: every byte that is not harmless as its number (RFC 3986).
  static func escape(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      if isPlain || "/-._~".utf8.contains(byte) { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
