import FrameKit

/// Searches for the commit that changed a figure.
struct Bisect: Command {
  static let name = "bisect"
  static let summary = "finds the commit that made a program slower, in spite of noise"
  static let operands = "-- COMMAND…"
  static let operandCount = 0...Int.max
  static let examples = [
    (
      command: "frametool bisect --good v1.4 --bad HEAD --build make -- ./program --bench",
      does: "by the time that each run takes"
    ),
    (
      command:
        "frametool bisect --good v1.4 --bad HEAD --build make --capture vulkan --duration 20 --metric 'p95(frameTime)' -- ./game",
      does: "by a figure of recorded frames"
    ),
    (command: "frametool bisect --resume bisect-1", does: "continues after Ctrl-C or a crash"),
  ]
  static let options: [CommandOption<Bisect>] =
    [
      .text("--good", to: \.good, metavar: "REV", help: "a commit before the change"),
      .text("--bad", to: \.bad, metavar: "REV", help: "a commit with the change (default: HEAD)"),
      .text(
        "--build", to: \.build, metavar: "COMMAND",
        help: "a shell command that builds a commit, in a separate worktree"),
      .real(
        "--error", to: \.error, metavar: "SHARE", in: 0.0001...0.5,
        help: "how probable a wrong answer may be (default: 0.05)"),
      .real(
        "--threshold", to: \.threshold, metavar: "N", in: 0.001...1e6,
        help: "the smallest change that matters, in %, pp or ms/s (default: as for compare)"),
      .real(
        "--build-cost", to: \.buildCost, metavar: "RUNS", in: 0...10_000,
        help: "how many runs a build costs (default: as measured)"),
      .text(
        "--output", "-o", to: \.output, metavar: "FOLDER",
        help: "keep the state here (default: bisect-1, or the first free number)"),
      .text(
        "--resume", to: \.resumed, metavar: "FOLDER", help: "continue the search in this folder"
      ).alone(besides: MeasuringOptions.resumable),
      .choice("--format", to: \.format, help: "how the result is printed (default: text)"),
    ]
    + MeasuringOptions.options(\.measuring, runs: "how many runs there are at most (default: 500)")

  var good: String?
  var bad: String?
  var build: String?
  var error: Double?
  var threshold: Double?
  var buildCost: Double?
  var output: String?
  var resumed: String?
  var format = OutputFormat.text
  var measuring = MeasuringOptions()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let arguments = Array(console.arguments.drop { $0 == Self.name })
    guard let resumed else {
      try check(operands)
      let header = try header(arguments)
      let setting = measuring.setsMachine ? try GovernorSetting() : nil
      defer { setting?.restore() }
      let path = output ?? Self.freePath()
      return try search(operands, BisectFolder(path, header), on: console)
    }
    try MeasuringOptions.checkResumption(operands)
    let folder = try BisectFolder(resuming: resumed)
    var first = Self()
    let kept = try ArgumentParser.parse(
      folder.header.arguments, into: &first, options: Self.options, command: Self.name
    ).operands
    _ = try ArgumentParser.parse(
      arguments, into: &first, options: Self.options, command: Self.name)
    try first.check(kept)
    let setting = first.measuring.setsMachine ? try GovernorSetting() : nil
    defer { setting?.restore() }
    return try first.search(kept, folder, on: console)
  }

  private static func freePath() -> String {
    let free = (1...).first { !ByteSink.exists("bisect-\($0)") } ?? 1
    return "bisect-\(free)"
  }

  private func check(_ operands: [String]) throws(CommandError) {
    guard good != nil, !operands.isEmpty else {
      throw CommandError(
        .usage, "bisect: expected --good REV and a command after --",
        help: "usage: \(CommandHelp.usage(of: Self.self))")
    }
    _ = try figure()
  }

  private func figure() throws(CommandError) -> SearchedFigure {
    let kind = try measuring.measurement().kind
    do throws(ComparisonRefusal) {
      return try SearchedFigure(kind, measuring.metrics, threshold: threshold)
    } catch {
      throw CommandError(.usage, error.message, help: error.help)
    }
  }

  /// The commits from the good commit to the bad commit.
  private func header(_ arguments: [String]) throws(CommandError) -> BisectFolder.Header {
    let here = GitRepository(folder: ".")
    // A bare repository has no working tree.
    let top = try? here.ask(["rev-parse", "--show-toplevel"])
    let found = if let top { top } else { try here.ask(["rev-parse", "--absolute-git-dir"]) }
    let root = found.filter { $0 != "\n" }
    let git = GitRepository(folder: root)
    let (good, bad) = (try git.commit(self.good ?? ""), try git.commit(self.bad ?? "HEAD"))
    let list = try git.ask(["rev-list", "--reverse", "--first-parent", "\(good)..\(bad)"])
    let commits = list.split(separator: "\n").map(String.init)
    guard good != bad, let first = commits.first, commits.last == bad else {
      throw CommandError(
        .usage, "no commits between \(self.good ?? "") and \(self.bad ?? "HEAD")",
        help: "--good is the older one, and --bad has to descend from it")
    }
    // Commits of a merged branch do not form a sequence with the commits next to them.
    guard try git.parents(of: first).first == good else {
      throw CommandError(
        .usage, "\(self.bad ?? "HEAD") does not descend from \(self.good ?? "") by first parents",
        help: "give as --good a commit that 'git log --first-parent \(self.bad ?? "HEAD")' lists")
    }
    return BisectFolder.Header(
      arguments: arguments, repository: root, commits: [good] + commits,
      seed: measuring.seedByChance)
  }

  private func search(
    _ operands: [String], _ folder: BisectFolder, on console: Console
  ) throws(CommandError) -> ExitStatus {
    let wish = StopWish()
    let progress = Progress(console, isShown: console.showsProgress && !measuring.traces.quiet)
    let bisection = Bisection(
      last: folder.header.commits.count - 1, figure: try figure(), error: error ?? 0.05,
      seed: folder.header.seed, mostRuns: measuring.mostRuns ?? 500,
      buildCost: buildCost ?? 1)
    var measurement = CommitMeasurement(
      folder, bisection, words: operands, build: build, try measuring.measurement(),
      buildCost: buildCost,
      showsOutput: measuring.showsOutput, progress: progress, on: console)
    let setting = measuring.setsMachine ? try GovernorSetting() : nil
    defer { setting?.restore() }
    let limit =
      measuring.mostTime.map { LaunchedProcess.now + Nanoseconds.seconds($0).count } ?? .max
    let stop = try measurement.search(wish, until: limit)
    progress.end()
    let resumption = ShellWords.quoted(["frametool", "bisect", "--resume", folder.path])
    let goOn = "; '\(resumption)' continues"
    let why: String? =
      switch stop {
      case nil: nil
      case .wish: "stopped by the user\(goOn)"
      case .time: "--max-time was over\(goOn)"
      }
    let report = BisectReport(
      measurement.bisection, commits: Self.commits(folder.header, measurement.git),
      builds: build == nil ? nil : measurement.built.count, merge: try merge(measurement),
      skipped: measurement.skipped, stopped: why,
      machine: measurement.machine.findings, folder: folder.path)
    try console.print(Writers.write(report, as: format, look: console.look))
    // If the search may be resumed, the existing builds are reused.
    if stop == nil { measurement.removeCheckouts() }
    return report.isFound ? .success : .undecided
  }

  /// The command that searches the branch of a merge, if one was found.
  private func merge(_ measurement: CommitMeasurement) throws(CommandError) -> String? {
    guard case .end(.found(let positions, _)) = measurement.bisection.next, positions.count == 1
    else {
      return nil
    }
    let parents = try measurement.git.parents(
      of: measurement.folder.header.commits[positions.lowerBound])
    guard parents.count > 1,
      let base = try? measurement.git.ask(["merge-base", parents[0], parents[1]])
    else { return nil }
    let good = base.filter { $0 != "\n" }
    return "frametool bisect --good \(good.prefix(16)) --bad \(parents[1].prefix(16))"
  }

  /// The commits as shown to users.
  private static func commits(
    _ header: BisectFolder.Header, _ git: GitRepository
  ) -> [BisectReport.Commit] {
    let names = header.commits
    var known: [String: BisectReport.Commit] = [:]
    for start in stride(from: 0, to: names.count, by: 500) {
      let some = Array(names[start..<min(start + 500, names.count)])
      let text = (try? git.ask(["log", "--no-walk=unsorted", "--format=%H %h %s"] + some)) ?? ""
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { continue }
        let name = String(parts[0])
        known[name] = BisectReport.Commit(
          name: name, short: String(parts[1]), subject: PrintableText.line(String(parts[2])))
      }
    }
    return names.map {
      known[$0] ?? BisectReport.Commit(name: $0, short: String($0.prefix(10)), subject: "")
    }
  }
}
