import FrameKit

/// Measures the launch time of a program.
struct LaunchRun: Command {
  static let name = "launch run"
  static let summary = "launches a program several times and measures each launch"
  static let operands = "-- COMMAND…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool launch run -n 10 -- ls -l",
      does: "one warm-up launch, then ten measured launches, each until the program exits"
    ),
    (
      command: "frametool launch run --cold --until ready -- ./server --port 8080",
      does:
        "until the first line with 'ready' in it; the program's files are read from disk each time"
    ),
    (
      command: "frametool launch run --first-frame --against ./old -- ./new",
      does: "two Wayland clients alternately, until their first frames, and whether ./new is slower"
    ),
  ]
  static let options: [CommandOption<LaunchRun>] = [
    .number(
      "-n", to: \.count, metavar: "N", in: 1...1000,
      help: "how many launches to measure, after one warm-up launch (default: 5)"),
    .flag(
      "--cold", \.isCold, help: "drop the program's files from the page cache before each launch"),
    .list(
      "--drop", to: \.dropped, metavar: "FILE",
      help: "also drop this file from the page cache"
    ).needing("--cold"),
    .text(
      "--until", to: \.marker, metavar: "REGEX",
      help: "measure until the program prints a matching line, then end it"),
    .flag(
      "--first-frame", \.waitsForFrame,
      help: "measure until a Wayland client's first frame, then end the program"
    ).conflicting(with: "--until"),
    .text(
      "--against", to: \.other, metavar: "COMMAND",
      help: "the baseline: a command launched alternately with this one"),
    .words(
      "--fail-on", to: \.failOn, among: Compare.failures, metavar: "WHAT",
      help:
        "regression (exit with 1), or inconclusive (also exit with 3 if undecided)"
    ).needing("--against"),
    .real(
      "--limit", to: \.limit, metavar: "S", in: 0.01...86400,
      help: "how long a launch may take (default: 60)"),
    .text(
      "--output", "-o", to: \.output, metavar: "FILE",
      help: "also write the launches as a trace, for compare and history"),
    .text(
      "--against-output", to: \.otherOutput, metavar: "FILE",
      help: "also write the launches of --against as a trace"
    ).needing("--against"),
    .flag("--show-output", \.showsOutput, help: "show what the program prints"),
    .flag("--ignore-failure", \.ignoresFailure, help: "also measure launches that fail"),
    .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
    .flag("--quiet", \.quiet, help: "no progress on a terminal"),
  ]

  var count: Int?
  var isCold = false
  var dropped: [String] = []
  var marker: String?
  var waitsForFrame = false
  var other: String?
  var failOn: [String] = []
  var limit: Double?
  var output: String?
  var otherOutput: String?
  var showsOutput = false
  var ignoresFailure = false
  var format = OutputFormat.text
  var quiet = false

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    try checkOptions()
    var sides = [try harness(operands, console)]
    if let other {
      guard let words = ShellWords.split(other), !words.isEmpty else {
        throw CommandError(.usage, "--against: expected a command, found \(other)")
      }
      sides.append(try harness(words, console))
      // If the command is compared with itself, the sides still need different names.
      if sides[0].name == sides[1].name { sides[1].name += " (before)" }
    }
    let records = try launch(&sides, console)
    let recordings = zip(records, sides).map { recording($0, $1) }
    var traces: [Trace] = []
    for (recording, side) in zip(recordings, sides) {
      traces.append(try Self.read(recording, as: "launches of \(side.name)"))
    }
    let analysis = LaunchAnalysis(traces)
    let comparison = Result { () throws(CommandError) in
      traces.count == 2 ? try compare(before: traces[1], after: traces[0]) : nil
    }
    // Print the measurements first, so that a later error does not lose them.
    try console.print(
      Writers.write(analysis, try? comparison.get(), as: format, look: console.look))
    for (recording, path) in zip(recordings, [output, otherOutput]) {
      if let path { try Output.write(to: path, on: console) { $0(recording.bytes) } }
    }
    return try comparison.get().map { Compare.status($0.overall, failOn: failOn) } ?? .success
  }

  private func checkOptions() throws(CommandError) {
    if isCold, !PageCache.canDrop {
      throw CommandError(
        .unavailable, "--cold: this system cannot drop single files from the page cache",
        help: "on macOS 'sudo purge' drops all of them")
    }
    for file in dropped
    where PageCache.file(named: "./\(file)") == nil && PageCache.file(named: file) == nil {
      throw CommandError(.usage, "--drop: there is no file \(file)")
    }
    if other != nil, let count, count < Comparison.fewestLaunches {
      throw CommandError(
        .usage,
        "-n: expected at least \(Comparison.fewestLaunches) launches to compare, found \(count)")
    }
    if let output, output == otherOutput {
      throw CommandError(.usage, "-o and --against-output both name \(output)")
    }
    let hasCompositor = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET"].contains {
      LaunchedProcess.variable($0) != nil
    }
    if waitsForFrame, !hasCompositor {
      throw CommandError(
        .unavailable, "--first-frame: there is no Wayland compositor, WAYLAND_DISPLAY is not set",
        help: "run it in a Wayland session, or measure --until a line that the program prints")
    }
  }

  private func harness(
    _ words: [String], _ console: Console
  ) throws(CommandError) -> LaunchHarness {
    LaunchHarness(
      words, until: try until(), isCold: isCold, dropped: dropped,
      limit: Nanoseconds.seconds(limit ?? 60).count, showsOutput: showsOutput,
      ignoresFailure: ignoresFailure,
      console: console)
  }

  private func until() throws(CommandError) -> LaunchHarness.Until {
    if waitsForFrame { return .firstFrame }
    guard let marker else { return .exit }
    guard let pattern = LinePattern(marker) else {
      throw CommandError(
        .usage,
        "--until: expected a regular expression without back references, found \(marker)",
        help: "escape characters such as ( and [ with a backslash")
    }
    return .marker(pattern)
  }

  /// Launches both sides alternately: first the warm-up launches, then pairs with alternating
  /// order.
  private func launch(
    _ sides: inout [LaunchHarness], _ console: Console
  ) throws(CommandError) -> [[LaunchRecord]] {
    let count = count ?? 5
    let progress = Progress(console, isShown: console.showsProgress && !quiet)
    defer { progress.end() }
    var records = [[LaunchRecord]](repeating: [], count: sides.count)
    for side in sides.indices {
      progress.update("launching \(sides[side].name) to warm up")
      records[side].append(try sides[side].launch(isThrowaway: true))
    }
    for number in 0..<count {
      let order = number % 2 == 0 ? Array(sides.indices) : sides.indices.reversed()
      for side in order {
        progress.update("launching \(sides[side].name), \(number + 1) of \(count)")
        records[side].append(try sides[side].launch(isThrowaway: false))
      }
    }
    return records
  }

  private func recording(_ records: [LaunchRecord], _ side: LaunchHarness) -> LaunchRecording {
    var recording = LaunchRecording()
    for record in records { recording.append(record) }
    for words in side.conditions { recording.note(words, count: records.count - 1) }
    return recording
  }

  private static func read(
    _ recording: LaunchRecording, as path: String
  ) throws(CommandError) -> Trace {
    do throws(ParseError) {
      return try Importers.read(InputFile(bytes: recording.bytes, path: path))
    } catch {
      throw CommandError(error)
    }
  }

  private func compare(before: Trace, after: Trace) throws(CommandError) -> Comparison {
    var options = ComparisonOptions()
    options.kind = .launch
    do throws(ComparisonRefusal) {
      return try Comparison(
        [RunTimes.of(Study(of: before)).summary], [RunTimes.of(Study(of: after)).summary],
        options: options)
    } catch {
      throw CommandError(error)
    }
  }
}
