import FrameKit

/// Adds results to a history.
struct HistoryAdd: Command {
  static let name = "history add"
  static let summary = "adds a job's results to a history: output of analyze, compare or launch"
  static let operands = "RESULT…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command:
        "frametool history add run1.json run2.json --scene scroll --device 'Pixel 8' --commit $SHA",
      does: "two runs of a job, as output of 'analyze --format json' or as traces"
    ),
    (
      command: "frametool launch app.jsonl --format json | frametool history add - --scene launch",
      does: "the launches of a job"
    ),
  ]
  static let options: [CommandOption<HistoryAdd>] =
    [
      HistoryChoice.storeOption(\.store),
      .text(
        "--scene", to: \.scene, metavar: "NAME",
        help: "what was measured, such as scroll (default: default)"),
      .text(
        "--commit", to: \.commit, metavar: "ID",
        help: "the commit that was built (default: from CI variables or git)"),
      .text(
        "--date", to: \.date, metavar: "DATE",
        help:
          "the job's date, such as 2026-11-21 or 2026-11-21T08:30:00Z (default: the commit's, or now)"
      ),
      .text("--device", to: \.device, metavar: "NAME", help: "the device it ran on"),
      .text(
        "--system", to: \.system, metavar: "NAME", help: "the device's operating system and version"
      ),
      .text("--app-version", to: \.version, metavar: "V", help: "the app's version"),
      .list(
        "--tag", to: \.tags, metavar: "NAME=VALUE", help: "any other property, to select jobs by"),
      .choice(
        "--side", to: \.side,
        help: "for a comparison or runs of 'bench', the side to add (default: after)"),
    ] + TraceChoice.options(\.choice, TraceChoice.figures)

  var store: String?
  var scene: String?
  var commit: String?
  var date: String?
  var device: String?
  var system: String?
  var version: String?
  var tags: [String] = []
  var side = HistoryResultReader.Side.after
  var choice = TraceChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let path = store ?? HistoryChoice.defaultStore
    try Output.keep(operands, from: path)
    let origin =
      commit == nil ? JobOrigin.find(variable: console.variable, log: console.gitLog) : nil
    let job = try job(origin, on: console)
    let results = try read(operands, console)
    let additions = additions(job, results)
    guard !additions.isEmpty else {
      throw CommandError(
        .badData, "\(operands.joined(separator: ", ")): there are no figures to add",
        help:
          "launches under a profiler do not count; 'frametool analyze' shows what was measured")
    }
    let jobs: [HistoryJob]
    do throws(ParseError) {
      jobs = try HistoryStore(path: path, isMade: true).add(additions)
    } catch {
      throw CommandError(error)
    }
    for (job, addition) in zip(jobs, additions) {
      let figures = Set(addition.runs.flatMap { $0.map(\.metric) }).count
      let parts = [
        addition.runs.isEmpty
          ? nil : Self.count(addition.runs.count, "run"),
        addition.runs.isEmpty ? nil : Self.count(figures, "figure"),
        addition.histograms.isEmpty ? nil : Self.count(addition.histograms.count, "histogram"),
        origin.map { "commit \($0.commit.prefix(10)) from \($0.source)" },
      ]
      let what = parts.compactMap { $0 }.joined(separator: ", ")
      try console.print(
        PrintableText.line("\(path): job \(job.number), \(job.scene), \(what)") + "\n")
    }
    return .success
  }

  private static func count(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  private func job(_ origin: JobOrigin?, on console: Console) throws(CommandError) -> HistoryJob {
    let known = origin?.date ?? commit.flatMap { JobOrigin.date(of: $0, console.gitLog) }
    var when = known ?? JobDate(seconds: LaunchedProcess.secondsSince1970)
    if let date {
      guard let known = JobDate(date) else {
        throw CommandError(
          .usage,
          "--date: expected a date such as 2026-11-21 or 2026-11-21T08:30:00Z, found \(date)")
      }
      when = known
    }
    var job = HistoryJob(date: when, scene: scene ?? "default")
    // An empty name means that there is no commit.
    job.commit = commit.map { $0.isEmpty ? nil : $0 } ?? origin?.commit
    (job.version, job.device, job.system) = (version, device, system)
    job.tags = try RunTags.tags(tags)
    return job
  }

  private func read(
    _ files: [String], _ console: Console
  ) throws(CommandError) -> [HistoryResult] {
    var runs = choice.runs(on: console)
    runs.side = side
    return try runs.results(files) { input throws(ParseError) in
      guard HistoryResultReader.schema(of: input) != nil else { return nil }
      return try HistoryResultReader.read(input, side: side, choice.surfaces)
    }
  }

  /// Groups the results into jobs: all runs of the same scene form one job. Each file from the field forms a separate
  /// job, because such a file describes itself.
  private func additions(
    _ job: HistoryJob, _ results: [HistoryResult]
  ) -> [HistoryStore.Addition] {
    let scenes = Set(results.compactMap(\.scene))
    var additions: [HistoryStore.Addition] = []
    var positions: [HistoryJob: Int] = [:]
    for result in results where !result.runs.allSatisfy(\.isEmpty) || !result.histograms.isEmpty {
      var own = job
      own.scene = scene(of: result, among: scenes)
      own.version = version ?? result.version
      own.device = device ?? result.device
      own.system = system ?? result.system
      let runs = result.runs.filter { !$0.isEmpty }
      if date == nil, let known = result.date { own.date = known }
      if result.isField {
        own.source = .field
        additions.append(.init(job: own, runs: runs, histograms: result.histograms))
      } else if !result.histograms.isEmpty {
        additions.append(.init(job: own, runs: runs, histograms: result.histograms))
      } else if let position = positions[own] {
        additions[position].runs += runs
      } else {
        positions[own] = additions.count
        additions.append(.init(job: own, runs: runs))
      }
    }
    return additions
  }

  /// The scene of a result: the user's, the result's, or both if the results contain several
  /// scenes.
  private func scene(of result: HistoryResult, among scenes: Set<String>) -> String {
    guard let own = result.scene else { return scene ?? "default" }
    guard let scene else { return own }
    return scenes.count == 1 ? scene : "\(scene): \(own)"
  }
}
