import FrameKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The command-line tool: the table of its commands, and the code that runs one.
@main
struct Frametool {
  static let version = "0.2.0"
  static let summary = "frame-timing analysis and benchmarking"

  /// The commands, in the order in which help lists them.
  static let commands: [any Command.Type] = [
    Analyze.self,
    Compare.self,
    Bench.self,
    Bisect.self,
    Gate.self,
    PlotCommand.self,
    ReportCommand.self,
    ViewCommand.self,
    ReplayCommand.self,
    CaptureVulkan.self,
    CaptureWayland.self,
    CaptureX11.self,
    CaptureChrome.self,
    CaptureAndroid.self,
    CaptureIOS.self,
    Watch.self,
    Launch.self,
    LaunchRun.self,
    HistoryAdd.self,
    HistoryList.self,
    HistoryCheckCommand.self,
    HistoryAccept.self,
    HistoryPlotCommand.self,
    HistoryExport.self,
    MergeCommand.self,
    FleetCommand.self,
    Info.self,
    Convert.self,
    Generate.self,
    Score.self,
    FormatsCommand.self,
    MetricsCommand.self,
    ScenariosCommand.self,
    PlotsCommand.self,
    SchemaCommand.self,
    Completions.self,
    Help.self,
  ]

  /// The names that commands had before version 0.3, in which these names work for the last time.
  private static let formerNames = [
    "formats": "list formats", "metrics": "list metrics", "scenarios": "list scenarios",
    "plots": "list plots", "schema": "list schema",
  ]

  static func main() {
    ProgramBuild.reportCrashes()
    // Ignore SIGPIPE: a closed reader shows up as a failed write.
    signal(SIGPIPE, SIG_IGN)
    // Similarly, exceeding the file size limit shows up as a failed write.
    signal(SIGXFSZ, SIG_IGN)
    Interruption.takeSignals()
    let (arguments, isPaged) = Pager.consume(ProgramBuild.arguments)
    // Query the terminal before a pager takes its place.
    let console = Console.system()
    guard !arguments.contains(where: { $0.contains("\u{fffd}") }) else {
      // The original bytes are lost, so the wrong file could be read or written.
      console.note("error: an argument is not valid UTF-8")
      exit(ExitStatus.usage.rawValue)
    }
    let pager =
      isPaged ? Pager(isTerminal: console.window != nil, variable: console.variable) : nil
    let status = run(arguments, on: console)
    pager?.end()
    exit(status.rawValue)
  }

  /// Runs the tool in process.
  /// - Returns: The status to exit with.
  static func run(_ arguments: [String], on console: Console) -> ExitStatus {
    console.arguments = arguments
    do throws(CommandError) {
      return try start(arguments, on: console)
    } catch {
      console.report(error)
      return error.status
    }
  }

  private static func start(
    _ arguments: [String], on console: Console
  ) throws(CommandError) -> ExitStatus {
    guard let first = arguments.first else {
      try console.print(Help.overview)
      return .usage
    }
    switch first {
    case "--version", "-V":
      let isVerbose = arguments.dropFirst().contains { ["--verbose", "-v"].contains($0) }
      try console.print(
        isVerbose ? ProgramBuild.description(console) : "\(ProgramBuild.version)\n")
      return .success
    case "--help", "-h":
      try console.print(Help.overview)
      return .success
    case TraceWorker.word: return try TraceWorker.run(Array(arguments.dropFirst()), on: console)
    default:
      if let group = group(at: arguments) {
        try console.print(Help.list(of: group))
        return .success
      }
      if isTrace(first) { return try Analyze.start(arguments, on: console) }
      let (command, rest) = try command(at: arguments)
      return try command.start(Array(rest), on: console)
    }
  }

  /// Whether the first word is a trace and not a command: it is there, is standard input, or is a
  /// path, as names of commands have neither points nor slashes. Then `frametool TRACE` is
  /// `frametool analyze TRACE`.
  private static func isTrace(_ word: String) -> Bool {
    let isCommand =
      formerNames[word] != nil
      || commands.contains { $0.name == word || $0.name.hasPrefix("\(word) ") }
    return !isCommand
      && (word == "-"
        || (!word.hasPrefix("-") && (word.contains { "./".contains($0) } || ByteSink.exists(word))))
  }

  /// The commands of a group that is named alone, or with `--help` where it is no command itself;
  /// `nil` for anything else.
  static func group(at words: [String]) -> [any Command.Type]? {
    guard let name = words.first else { return nil }
    let isCommand = commands.contains { $0.name == name }
    let asksForHelp = !isCommand && words.count == 2 && ["--help", "-h"].contains(words[1])
    guard words.count == 1 || asksForHelp else { return nil }
    let members = commands.filter { $0.name == name || $0.name.hasPrefix("\(name) ") }
    return members.count > 1 ? members : nil
  }

  /// The command named by the first one or two words, and the words after it.
  static func command(
    at words: [String]
  ) throws(CommandError) -> (command: any Command.Type, rest: ArraySlice<String>) {
    if let name = words.first.flatMap({ formerNames[$0] }) {
      return try command(at: name.split(separator: " ").map(String.init) + words.dropFirst())
    }
    for count in [2, 1] where words.count >= count {
      let name = words.prefix(count).joined(separator: " ")
      if let command = commands.first(where: { $0.name == name }) {
        return (command, words.dropFirst(count))
      }
    }
    let name = words.first ?? ""
    let parts = commands.filter { $0.name.hasPrefix("\(name) ") }.map { $0.name }
    if !parts.isEmpty {
      let found = words.count > 1 ? "\(name) \(words[1])" : name
      throw CommandError(
        .usage, "\(found): expected one of \(parts.joined(separator: ", "))",
        help: Spelling.suggestion(for: found, among: parts).map { "did you mean '\($0)'?" }
          ?? "'frametool help' says what each does")
    }
    let known = commands.map { $0.name }
    throw CommandError(
      .usage, name.hasPrefix("-") ? "unknown option \(name)" : "unknown command \(name)",
      help: Spelling.suggestion(for: name, among: known).map { "did you mean '\($0)'?" }
        ?? "'frametool help' lists the commands")
  }
}
