import FrameKit

/// Runs two commands in turns until it is decided whether one is slower.
struct Bench: Command {
  static let name = "bench"
  static let summary = "runs two commands in turns until it is decided whether one is slower"
  static let operands = "[-- COMMAND…]"
  static let operandCount = 0...Int.max
  static let examples = [
    (
      command: "frametool bench --a './old --bench' --b './new --bench' --result 'out/*.csv'",
      does: "runs both in turns, reads the trace each run leaves, and stops when it is decided"
    ),
    (
      command: "frametool bench --a ./old --b ./new",
      does: "the same by the time that each run takes"
    ),
    (
      command:
        "frametool bench --checkout main..HEAD --build make --capture vulkan --duration 20 -- ./game",
      does: "builds two commits in folders of their own, and records each run"
    ),
    (command: "frametool bench --resume bench-1.jsonl", does: "goes on after Ctrl-C or a crash"),
  ]
  static let options: [CommandOption<Bench>] =
    [
      .text("--a", to: \.a, metavar: "COMMAND", help: "the first command, the baseline"),
      .text("--b", to: \.b, metavar: "COMMAND", help: "the second command"),
      .text(
        "--checkout", to: \.checkout, metavar: "A..B",
        help: "run COMMAND in worktrees of these two commits"),
      .text(
        "--build", to: \.build, metavar: "COMMAND",
        help: "with --checkout: a shell command that builds each commit"),
      .number(
        "--warm-up", to: \.warmUps, metavar: "N", in: 0...1000,
        help: "how many runs of each command to throw away first (default: 1)"),
      .list(
        "--threshold", to: \.thresholds, metavar: "METRIC=N",
        help: "the smallest change worth acting on, such as p95=3 (in %, pp or ms/s)"),
      .text(
        "--output", "-o", to: \.output, metavar: "FILE",
        help: "write the runs here (default: bench-1.jsonl, or the first free number)"),
      .text(
        "--resume", to: \.resumed, metavar: "FILE",
        help: "go on with the runs in this file, with the options that it was begun with"),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
      .words(
        "--fail-on", to: \.failOn, among: Compare.failures, metavar: "WHAT",
        help: "regression (exit with 1), or inconclusive (also exit with 3 if undecided)"),
    ]
    + MeasuringOptions.options(
      \.measuring, runs: "how many runs each command has at most (default: 40)")

  var a: String?
  var b: String?
  var checkout: String?
  var build: String?
  var warmUps: Int?
  var thresholds: [String] = []
  var output: String?
  var resumed: String?
  var format = OutputFormat.text
  var failOn: [String] = []
  var measuring = MeasuringOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if let resumed { return try resume(resumed, on: console) }
    let terms = try terms(operands)
    let arguments = Array(console.arguments.drop { $0 == Self.name })
    let path = output ?? Self.freePath()
    let worktrees = try checkout.map { text throws(CommandError) in
      try Worktrees(text, beside: path, on: console)
    }
    let sides = try sides(operands, worktrees)
    let journal = try RunJournal(path, header: Writers.header(terms, arguments: arguments))
    return try measure(sides, terms, journal, nil, worktrees, on: console)
  }

  /// Goes on with a file: its own options come first, then those given now.
  private func resume(_ path: String, on console: Console) throws(CommandError) -> ExitStatus {
    let file: PairedRunsFile
    do throws(ParseError) {
      file = try PairedRunsFile(reading: InputFile(path: path))
    } catch {
      throw CommandError(error)
    }
    var first = Self()
    let operands = try ArgumentParser.parse(
      file.arguments, into: &first, options: Self.options, command: Self.name)
    let given = Array(console.arguments.drop { $0 == Self.name })
    _ = try ArgumentParser.parse(given, into: &first, options: Self.options, command: Self.name)
    first.resumed = nil
    let terms = try first.terms(operands)
    guard terms == file.runs.terms else {
      throw CommandError(
        .usage, "--resume: the options given now change what is measured",
        help: "begin a new file, or give only --max-runs, --max-time, --timeout and --format")
    }
    let worktrees = try first.checkout.map { text throws(CommandError) in
      try Worktrees(text, beside: path, on: console)
    }
    let journal = try RunJournal(path, keeping: file.usableBytes)
    return try first.measure(
      first.sides(operands, worktrees), terms, journal, file.runs, worktrees, on: console)
  }

  private static func freePath() -> String {
    let free = (1...).first { !ByteSink.exists("bench-\($0).jsonl") } ?? 1
    return "bench-\(free).jsonl"
  }

  /// What is measured.
  private func terms(_ operands: [String]) throws(CommandError) -> PairedRuns.Terms {
    if checkout == nil {
      guard a != nil, b != nil, operands.isEmpty else {
        throw CommandError(
          .usage,
          "bench: expected --a COMMAND and --b COMMAND, or --checkout A..B and a command after --",
          help: "usage: \(CommandHelp.usage(of: Self.self))")
      }
      if build != nil { throw CommandError(.usage, "--build has no effect without --checkout") }
    } else {
      guard a == nil, b == nil, !operands.isEmpty else {
        throw CommandError(
          .usage,
          "--checkout: expected one command after --, which runs in both checkouts, and no --a or --b",
          help: "frametool bench --checkout main..HEAD --build make -- ./program")
      }
    }
    var terms = PairedRuns.Terms()
    terms.kind = try measuring.measurement().kind
    terms.metrics = measuring.metrics
    terms.thresholds = thresholds
    _ = try Compare.thresholds(thresholds)
    if let checkout, let names = Worktrees.names(checkout) {
      terms.names = SideNames(before: names.0, after: names.1)
    }
    return terms
  }

  private func sides(
    _ operands: [String], _ worktrees: Worktrees?
  ) throws(CommandError) -> [MeasuredCommand] {
    let measurement = try measuring.measurement()
    if let worktrees {
      return worktrees.commits.map { commit in
        MeasuredCommand(
          name: commit.name, words: operands, folder: commit.folder,
          variables: commit.variables, measurement: measurement)
      }
    }
    var sides: [MeasuredCommand] = []
    for (name, text) in [("--a", a), ("--b", b)] {
      guard let words = ShellWords.split(text ?? ""), !words.isEmpty else {
        throw CommandError(.usage, "\(name): expected a command, found \(text ?? "")")
      }
      sides.append(
        MeasuredCommand(name: sides.isEmpty ? "A" : "B", words: words, measurement: measurement))
    }
    return sides
  }

  private func measure(
    _ sides: [MeasuredCommand], _ terms: PairedRuns.Terms, _ journal: RunJournal,
    _ before: PairedRuns?,
    _ worktrees: Worktrees?, on console: Console
  ) throws(CommandError) -> ExitStatus {
    let wish = StopWish()
    defer { worktrees?.remove() }
    try worktrees?.build(build, wish, showsOutput: measuring.showsOutput)
    var limits = PairedMeasurement.Limits()
    limits.runs = measuring.mostRuns ?? limits.runs
    limits.time = measuring.mostTime.map { Nanoseconds.seconds($0).count }
    limits.warmUps = warmUps ?? limits.warmUps
    limits.seed = measuring.seed.map { UInt64($0) } ?? limits.seed
    let setting = measuring.setsMachine ? try GovernorSetting() : nil
    defer { setting?.restore() }
    let progress = Progress(console, isShown: console.showsProgress && !measuring.traces.quiet)
    var measurement = PairedMeasurement(
      sides, terms, limits, to: journal, after: before, machine: MachineWatch(), progress: progress,
      on: console)
    let ending: PairedMeasurement.Ending
    do throws(CommandError) {
      ending = try measurement.measure(wish)
    } catch {
      progress.end()
      if measurement.lines.isEmpty, before == nil { journal.discard() }
      throw error
    }
    progress.end()
    let report = BenchReport(
      measurement.runs, file: journal.path, ending: (ending.rawValue, words(ending, journal.path)),
      warmUps: limits.warmUps, seed: limits.seed, machine: measurement.machine.findings)
    try console.print(Writers.write(report, as: format, look: console.look))
    if ending == .failing {
      throw CommandError(
        .badData, measurement.runs.failures.last ?? "runs failed",
        help: "--show-output shows what the program prints; --resume \(journal.path) goes on")
    }
    return Compare.status(report.overall, failOn: failOn)
  }

  /// Why measuring ended, in words.
  private func words(_ ending: PairedMeasurement.Ending, _ path: String) -> String {
    let more = "; 'frametool bench --resume \(path)' goes on"
    switch ending {
    case .decided: return "decided"
    case .mostRuns:
      return "not decided when --max-runs was reached; more with '--resume \(path) --max-runs N'"
    case .mostTime: return "not decided when --max-time was over\(more)"
    case .stopped: return "stopped by the user\(more)"
    case .failing: return "ended because runs failed\(more)"
    }
  }
}
