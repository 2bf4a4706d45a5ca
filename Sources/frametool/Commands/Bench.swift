import FrameKit

/// Runs two commands alternately until it is decided whether one is slower.
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
      does: "builds two commits in separate folders, and records each run"
    ),
    (command: "frametool bench --resume bench-1.jsonl", does: "continues after Ctrl-C or a crash"),
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
        help: "a shell command that builds each commit"
      ).needing("--checkout"),
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
        help: "continue the runs in this file with the original options"
      ).alone(besides: MeasuringOptions.resumable),
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
    if let resumed { return try resume(resumed, operands, on: console) }
    let terms = try terms(operands)
    let path = output ?? Self.freePath()
    var beginning = PairedRunsFile.Beginning(
      arguments: Array(console.arguments.drop { $0 == Self.name }),
      folder: PageCache.file(named: "./."), seed: measuring.seedByChance)
    beginning.commits = try checkout.map(Worktrees.commits) ?? []
    let journal = try RunJournal(path, header: Writers.header(terms, beginning))
    return try measure(operands, terms, journal, beginning, nil, on: console)
  }

  /// Resumes a measurement from its file, with the options in the file.
  private func resume(
    _ path: String, _ operands: [String], on console: Console
  ) throws(CommandError) -> ExitStatus {
    let given = Array(console.arguments.drop { $0 == Self.name })
    try MeasuringOptions.checkResumption(operands)
    let file: PairedRunsFile
    do throws(ParseError) {
      file = try PairedRunsFile(reading: InputFile(path: path))
    } catch {
      throw CommandError(error)
    }
    if let folder = file.beginning.folder, folder != PageCache.file(named: "./.") {
      throw CommandError(
        .usage, "--resume: \(path) was begun in \(folder), where its commands are",
        help: "run it in that folder")
    }
    var first = Self()
    let kept = try ArgumentParser.parse(
      file.beginning.arguments, into: &first, options: Self.options, command: Self.name
    ).operands
    _ = try ArgumentParser.parse(given, into: &first, options: Self.options, command: Self.name)
    let journal = try RunJournal(path, keeping: file.usableBytes)
    return try first.measure(
      kept, file.runs.terms, journal, file.beginning, file.runs, on: console)
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
    if checkout == nil { _ = try commands() }
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
    return try zip(["A", "B"], commands()).map { name, words in
      MeasuredCommand(name: name, words: words, measurement: measurement)
    }
  }

  /// The words of both commands.
  private func commands() throws(CommandError) -> [[String]] {
    var commands: [[String]] = []
    for (name, text) in [("--a", a), ("--b", b)] {
      guard let words = ShellWords.split(text ?? ""), !words.isEmpty else {
        throw CommandError(.usage, "\(name): expected a command, found \(text ?? "")")
      }
      commands.append(words)
    }
    return commands
  }

  private func measure(
    _ operands: [String], _ terms: PairedRuns.Terms, _ journal: RunJournal,
    _ beginning: PairedRunsFile.Beginning, _ before: PairedRuns?, on console: Console
  ) throws(CommandError) -> ExitStatus {
    let progress = Progress(console, isShown: console.showsProgress && !measuring.traces.quiet)
    defer { progress.end() }
    let wish = StopWish()
    var limits = PairedMeasurement.Limits()
    limits.runs = measuring.mostRuns ?? limits.runs
    limits.until = measuring.mostTime.map { LaunchedProcess.now + Nanoseconds.seconds($0).count }
    limits.warmUps = warmUps ?? limits.warmUps
    limits.seed = beginning.seed
    var measurement: PairedMeasurement?
    let ending: PairedMeasurement.Ending
    do throws(CommandError) {
      let setting = measuring.setsMachine ? try GovernorSetting() : nil
      defer { setting?.restore() }
      let names = [terms.names.before, terms.names.after]
      let worktrees =
        beginning.commits.isEmpty
        ? nil : try Worktrees(beginning.commits, named: names, beside: journal.path)
      defer { worktrees?.remove() }
      progress.update("building")
      try worktrees?.build(
        build, wish, showsOutput: measuring.showsOutput, duration: measuring.mostTime)
      var made = PairedMeasurement(
        try sides(operands, worktrees), terms, limits, to: journal, after: before,
        machine: MachineWatch(), progress: progress, on: console)
      defer { measurement = made }
      ending = try made.measure(wish)
    } catch {
      // Nothing was measured, so there is nothing to resume.
      if measurement?.lines.isEmpty != false, before == nil { journal.discard() }
      throw error
    }
    progress.end()
    guard let measurement else { return .undecided }
    let report = BenchReport(
      measurement.runs, file: journal.path, ending: (ending.rawValue, words(ending, journal.path)),
      warmUps: measurement.warmUps, seed: limits.seed, machine: measurement.machine.findings)
    try console.print(Writers.write(report, as: format, look: console.look))
    if ending == .failing {
      throw CommandError(
        .badData, measurement.runs.failures.last ?? "runs failed",
        help: "--show-output shows what the program prints; --resume continues")
    }
    let status = Compare.status(report.overall, failOn: failOn)
    // A user who stopped the measurement did not wait for a verdict.
    return ending == .stopped && status == .success ? .undecided : status
  }

  /// Why measuring ended, in words.
  private func words(_ ending: PairedMeasurement.Ending, _ path: String) -> String {
    let resumption = ShellWords.quoted(["frametool", "bench", "--resume", path])
    let more = "; '\(resumption)' continues"
    switch ending {
    case .decided: return "decided"
    case .mostRuns:
      return "not decided when --max-runs was reached; more with '\(resumption) --max-runs N'"
    case .mostTime: return "not decided when --max-time was over\(more)"
    case .stopped: return "stopped by the user\(more)"
    case .failing: return "ended because runs failed\(more)"
    }
  }
}
