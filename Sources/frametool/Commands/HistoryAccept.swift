import FrameKit

/// Accepts the changes of a history up to given jobs.
struct HistoryAccept: Command {
  static let name = "history accept"
  static let summary =
    "accepts the level of a job, so that changes up to it are no longer reported"
  static let operands = "JOB…"
  static let operandCount = 1...1000
  static let examples = [
    (
      command: "frametool history accept 52 --note 'the new renderer costs this'",
      does:
        "accepts changes up to job 52, for all figures of its scene and device"
    ),
    (
      command: "frametool history accept 2f398401 --metric 'p95(frameTime)'",
      does: "accepts changes up to a commit's jobs, for one figure"
    ),
  ]
  static let options: [CommandOption<HistoryAccept>] =
    [
      .text("--note", to: \.note, metavar: "TEXT", help: "the reason, which later checks show")
    ] + HistoryChoice.options(\.choice)

  var note: String?
  var choice = HistoryChoice()

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    var filter = try choice.filter()
    let metrics = filter.metrics
    filter.metrics = []
    let all = try choice.ask { store throws(ParseError) in try store.jobs(filter) }
    var accepted: [HistoryJob] = []
    for name in operands {
      let found = all.filter { Self.isNamed($0, name) }
      guard !found.isEmpty else {
        throw CommandError(
          .badData, "\(choice.path): there is no job \(name)",
          help: "name a job by its number or by its commit; 'frametool history list' shows both")
      }
      accepted += found
    }
    try choice.ask { store throws(ParseError) in
      try store.accept(
        accepted, metrics: metrics, note: note,
        on: JobDate(seconds: LaunchedProcess.secondsSince1970))
    }
    let figures = metrics.isEmpty ? "all figures" : metrics.joined(separator: ", ")
    let lines = accepted.map { job in
      let scene = [job.scene, job.device.map { "on \($0)" }].compactMap(\.self)
      return
        "\(choice.path): accepted up to job \(job.number)\(job.commit.map { ", \($0)" } ?? ""): \(figures) of \(scene.joined(separator: " "))"
    }
    try console.print(lines.joined(separator: "\n") + "\n")
    return .success
  }

  /// Whether a job has this number, or a commit with this prefix.
  private static func isNamed(_ job: HistoryJob, _ name: String) -> Bool {
    if let number = Int64(name), job.number == number { return true }
    return name.count >= 4 && job.commit?.hasPrefix(name) == true
  }
}
