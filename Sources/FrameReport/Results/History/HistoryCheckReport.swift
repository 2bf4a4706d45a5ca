import FrameTrace
public import FrameVerdicts

extension HistoryReport {
  /// The verdicts on the newest jobs of series.
  /// - Parameters:
  ///   - recent: The number of newest jobs in which a change of level counts.
  ///   - listsAll: Whether earlier changes are listed too.
  public init(
    checks: [HistoryCheck], recent: Int, listsAll: Bool, of store: String
  ) {
    let overall = Self.overall(checks, recent: recent)
    let worst = checks.filter { $0.verdict(recent: recent) == overall }
    let isWorse = overall == .regressed || overall == .suspected
    let reasons =
      isWorse || overall == .improved
      ? Self.reasons(worst, recent) : Self.open(checks, recent, overall)
    let jobs = Set(checks.flatMap { $0.series.points.map(\.job.number) }).count
    let rows = checks.flatMap(HistoryShiftRow.found)
    self.init(
      store: store,
      headlines: [
        "\(overall.word): \(reasons)",
        "\(store): \(checks.count) series, \(jobs) jobs",
      ] + Self.machine(worst, overall) + Self.searches(worst, recent, overall),
      tables: [
        HistoryShiftRow.newest(checks, recent),
        HistoryShiftRow.changes(checks, recent, listsAll: listsAll),
      ],
      footnotes: Self.notes(checks, recent),
      rows: ResultRows(columns: HistoryShiftRow.columns, rows: rows).cells(),
      details: FieldRecord(
        Self.checkFields,
        of: Checked(
          overall: overall, reason: reasons, checks: checks, recent: recent,
          warnings: checks.flatMap(\.warnings) + Self.machine(worst, overall))),
      testCases: checks.map { $0.testCase(recent) })
  }

  /// What became worse: the first series with its figures, and the names of the others.
  private static func reasons(_ checks: [HistoryCheck], _ recent: Int) -> String {
    guard let first = checks.first else { return "" }
    let others = Set(checks.dropFirst().map(\.series.key.metric.name))
      .subtracting([first.series.key.metric.name]).sorted()
    let also = others.isEmpty ? "" : ", also \(others.joined(separator: ", "))"
    return "\(first.series.key.metric.name) \(first.words(recent))\(also)"
  }

  /// What else may have changed with the level, if the jobs do not name their device.
  private static func machine(_ checks: [HistoryCheck], _ overall: Verdict) -> [String] {
    let areUnnamed = checks.contains {
      $0.series.key.device == nil && $0.series.key.source == .measured
    }
    guard areUnnamed, [.regressed, .suspected, .improved].contains(overall) else { return [] }
    return [
      "the jobs do not name their device: another machine would look the same ('history add --device NAME' keeps machines apart)"
    ]
  }

  /// The commands that find the commit of a change of level, one for each pair of commits around the change.
  private static func searches(
    _ checks: [HistoryCheck], _ recent: Int, _ overall: Verdict
  ) -> [String] {
    guard overall == .regressed || overall == .improved else { return [] }
    var known: Set<String> = []
    let commands = checks.compactMap { check in
      check.change(recent).flatMap { CommitSearchCommand($0, check.series.key) }
    }
    return commands.filter { known.insert($0.range).inserted }
      .map { "to find the commit: \($0.text)" }
  }

  /// The size of the worsening that is ruled out if nothing became worse, or the worsening that is not ruled out.
  private static func open(_ checks: [HistoryCheck], _ recent: Int, _ overall: Verdict) -> String {
    let judged = checks.filter { $0.direction != nil }
    let series = "\(judged.count) series"
    guard overall == .inconclusive else {
      return
        "a regression of the newest jobs by the threshold or more is ruled out for each of \(series), with 95 % confidence"
    }
    let open = judged.filter { $0.verdict(recent: recent) == .inconclusive }
    let widest = open.max { ($0.newest?.boundShare ?? 0) < ($1.newest?.boundShare ?? 0) }
    let words = widest.flatMap { check in
      check.newest.map {
        "; \(check.series.key.metric.name) up to \(signed($0.bound)) \(check.effectUnit) worse is not ruled out (95 % confidence)"
      }
    }
    let few = open.count { $0.newest == nil }
    let reason = few > 0 ? "; \(few) with too few jobs" : ""
    return "\(open.count) of \(series)\(words ?? "")\(reason)"
  }

  /// The verdict on all series.
  public static func overall(_ checks: [HistoryCheck], recent: Int) -> Verdict {
    let directed = checks.filter { $0.direction != nil }
    let verdicts = (directed.isEmpty ? checks : directed).map { $0.verdict(recent: recent) }
    return Comparison.worst(verdicts)
  }

  private static func notes(_ checks: [HistoryCheck], _ recent: Int) -> [String] {
    [
      "level changes: energy-distance permutation test, 1 % false positives per series; reported if within the newest \(recent) jobs",
      "newest jobs: the last two or three must deviate from the 12 to 50 jobs of their level. Of 1000 checks without a change, about 4 fail if jobs are independent, 9 if successive jobs correlate at 0.4, 18 at 0.7, and 23 if each of many machines runs several jobs in a row. At 2 % noise, +5 % is found by the second job in 55 % of cases, by the third in 88 %, by the fifth in 98 %. A single bad job is only suspected: measure it again",
      "first job of a worse level: the most probable one, with its probability",
      "standing change: the level before it was better than the current one, p at most 0.0005; reported until 'history accept JOB' accepts it",
      "creep: the last ten jobs differ from the first twenty since the last step by at least 1.5 times the smallest change worth acting on",
      "effect of a change: Hodges–Lehmann, over up to 200 jobs on either side of the point where the difference is greatest",
    ]
      + checks.compactMap { check in
        check.series.accepted.map { accepted in
          let job = check.series.points[accepted.position].job
          let note = accepted.note.map { ": \($0)" } ?? ""
          return
            "accepted: \(check.series.key.metric.name) of \(check.series.key.owner) up to \(job.name)\(note)"
        }
      } + checks.flatMap(\.warnings).map { "warning: \($0)" }
  }

  /// The bounds of an effect, as shown in tables.
  static func bounds(_ interval: ClosedRange<Double>) -> String {
    "[\(signed(interval.lowerBound)), \(signed(interval.upperBound))]"
  }

  static func number(_ value: Double) -> String {
    FixedNumber.text(value, decimals: 2)
  }

  static func signed(_ value: Double) -> String {
    let text = FixedNumber.text(value, decimals: 1)
    return value > 0 && text != "0.0" ? "+" + text : text
  }
}

extension HistoryCheck.Newest {
  /// The largest possible worsening, relative to the threshold for acting on it.
  fileprivate var boundShare: Double { bound / max(abs(threshold), 1e-12) }
}

/// The command that searches for a commit between two jobs.
struct CommitSearchCommand {
  /// The command up to the commits.
  let range: String
  /// The complete command, with words to fill in.
  let text: String

  /// - Returns: `nil` if the jobs do not name two commits.
  init?(_ change: HistoryCheck.Change, _ key: HistorySeries.Key) {
    guard let good = change.last.commit, let bad = change.first.commit, good != bad else {
      return nil
    }
    range = "frametool bisect \(ShellWords.quoted(["--good", good, "--bad", bad])) "
    let name = key.metric.name
    let isOfFrames = (try? ComparedFigures([name]))?.isChosen == true
    let measured = isOfFrames ? "\(ShellWords.quoted(["--metric", name])) --result FILE " : ""
    text = "\(range)\(measured)--build COMMAND -- PROGRAM"
  }
}

extension HistoryCheck {
  /// The change of level on which the verdict is based; `nil` if it is based on something else.
  fileprivate func change(_ recent: Int) -> Change? {
    switch judgment(recent: recent).reason {
    case .level(let change): change
    case .standing(let standing): standing.change
    default: nil
    }
  }

  /// The figures on which the verdict is based, in one line, and the reason for the verdict.
  fileprivate func words(_ recent: Int) -> String {
    guard let shown = judged(recent) else { return reason(recent) }
    let values = [shown.before, shown.after].map { HistoryReport.number($0) }
    let bounds = shown.interval.map { " \(HistoryReport.bounds($0))" } ?? ""
    return
      "\(values[0]) → \(values[1]) \(series.key.metric.unit), \(HistoryReport.signed(shown.effect)) \(effectUnit)\(bounds), \(reason(recent))"
  }

  /// The verdict as a test case.
  fileprivate func testCase(_ recent: Int) -> TestCase {
    let verdict = verdict(recent: recent)
    return TestCase(
      name: "\(series.key.owner): \(series.key.metric.name)",
      outcome: direction == nil ? .passed : verdict.outcome,
      text: "\(verdict.word): \(words(recent))")
  }

  /// The reason for the verdict.
  func reason(_ recent: Int) -> String {
    switch judgment(recent: recent).reason {
    case .level(let change):
      return "its level changed at \(Self.names(change.firsts) ?? change.first.name)"
    case .standing(let standing):
      let first = Self.names(standing.change.firsts) ?? standing.change.first.name
      return
        "worse since \(first), \(standing.jobs) jobs ago, and not accepted ('frametool history accept' accepts it)"
    case .recovered: return "its level is back where it was before the newest changes"
    case .noDirection: return "neither direction is better"
    case .creep(let slow):
      let p = slow.p < 0.0001 ? "< 0.0001" : FixedNumber.text(slow.p, decimals: 4)
      return "the last 10 jobs have crept away from the first 20, p \(p)"
    case .fewJobs:
      return "fewer than \(NewestJobs.levelJobs.lowerBound) jobs at this level before the newest"
    case .newest(let newest):
      let threshold = FixedNumber.text(newest.threshold, decimals: effectUnit == "%" ? 0 : 2)
      let p = newest.p < 0.0001 ? "< 0.0001" : FixedNumber.text(newest.p, decimals: 4)
      switch newest.verdict {
      case .noChange:
        return
          "more than \(FixedNumber.roundedUp(max(newest.bound, 0.1), decimals: 1)) \(effectUnit) worse than \(newest.count) jobs is ruled out"
      case .inconclusive:
        return
          "up to \(HistoryReport.signed(newest.bound)) \(effectUnit) worse than \(newest.count) jobs is not ruled out, threshold \(threshold) \(effectUnit)"
      case .suspected: return "only the newest job deviates: measure it again"
      default:
        let since = Self.names(newest.firsts).map { ", since \($0)" } ?? ""
        return
          "\(newest.newCount) newest jobs against \(newest.count), p \(p), threshold \(threshold) \(effectUnit)\(since)"
      }
    }
  }

  /// The jobs that may be the first of a level, with their probabilities; `nil` if unknown.
  private static func names(_ firsts: [JobChance]) -> String? {
    let named = firsts.prefix(3).map { chance in
      let percent = min(99, Int((chance.probability * 100).rounded()))
      return "\(chance.job.name) (\(percent) %)"
    }
    guard let first = named.first else { return nil }
    return ([first] + named.dropFirst().map { "or \($0)" }).joined(separator: ", ")
  }
}

extension HistoryReport {
  /// The results of a check of several series.
  struct Checked {
    let overall: Verdict
    let reason: String
    let checks: [HistoryCheck]
    let recent: Int
    let warnings: [String]
  }

  static let checkFields: [ResultColumn<Checked>] = [
    .verdict("overall", "the verdict on all series", \.overall), .state(\.overall),
    .text("reason", "why that is the verdict", \.reason),
    .integer("recent", "how many of the newest jobs a change may be in to count", \.recent),
    .rows("checks", HistoryCheck.fields, "each series") { checked in
      checked.checks.map { (check: $0, recent: checked.recent) }
    },
    .texts("warnings", "what a reader must know before trusting the verdict", \.warnings),
  ]
}

extension HistoryCheck {
  static let fields: [ResultColumn<(check: HistoryCheck, recent: Int)>] = [
    .object("series", HistorySeries.Key.columns, "the series", \.check.series.key),
    .integer("jobs", "how many jobs it has", \.check.series.points.count),
    .verdict("verdict", "the verdict on it") { $0.check.verdict(recent: $0.recent) },
    .state { $0.check.verdict(recent: $0.recent) },
    .object(
      "accepted",
      [
        .object("job", HistoryJob.fields, as: "job", "the job", \.job),
        .text("note", "why it was accepted", \.note).ifAny,
      ], "the job up to which its level was accepted"
    ) { row in
      row.check.series.accepted.map {
        (job: row.check.series.points[$0.position].job, note: $0.note)
      }
    }.ifAny,
    .object(
      "standing",
      [
        .object(
          "first", HistoryJob.fields, as: "job", "the first job of the worse level",
          \.standing.change.first),
        .integer("jobs", "how many jobs ago that is", \.standing.jobs),
      ] + HistoryShift.columns.map { $0.on { HistoryShift($0.standing, in: $0.check) } },
      "a worse level that was not accepted"
    ) { row in row.check.standing.map { (standing: $0, check: row.check) } }.ifAny,
    .text("effect_unit", "the unit of effects", \.check.effectUnit),
    .object("creep", HistoryShift.columns, "a slow change") { row in
      row.check.creep.map { HistoryShift($0, in: row.check) }
    }.ifAny,
    .object(
      "newest",
      [.object("job", HistoryJob.fields, as: "job", "the newest job", \.newest.job)]
        + HistoryShift.columns.map { $0.on { HistoryShift($0.newest, in: $0.check) } } + [
          .integer("new_jobs", "how many of the newest jobs were judged", \.newest.newCount),
          .integer("level_jobs", "against how many of their level", \.newest.count),
          .real("threshold", "the smallest change worth acting on", \.newest.threshold),
          .real("worse_by_at_most", "the largest worsening that is not ruled out", \.newest.bound),
          .rows(
            "firsts", JobChance.fields, "jobs that may be the first of a new level",
            \.newest.firsts),
        ], "the newest jobs against their level"
    ) { row in row.check.newest.map { (newest: $0, check: row.check) } }.otherwise { row in
      row.check.direction == nil
        ? "neither direction is better"
        : "its level has fewer than \(NewestJobs.levelJobs.lowerBound) jobs before the newest"
    },
    .rows(
      "changes",
      [
        .object(
          "last", HistoryJob.fields, as: "job", "the last job before it", \.change.last),
        .object(
          "first", HistoryJob.fields, as: "job", "the first job after it", \.change.first),
        .rows(
          "firsts", JobChance.fields, "jobs that may be the first of the level", \.change.firsts),
      ] + HistoryShift.columns.map { $0.on { HistoryShift($0.change, in: $0.check) } } + [
        .text("search", "the command that finds the commit") {
          CommitSearchCommand($0.change, $0.check.series.key)?.text
        }.ifAny,
        .flag("worse", "whether it is for the worse", \.change.isWorse)
          .otherwise("neither direction is better for this metric"),
      ], "each change of level"
    ) { row in row.check.changes.map { (change: $0, check: row.check) } },
  ]
}

extension HistoryCheck.JobChance {
  fileprivate static let fields: [ResultColumn<HistoryCheck.JobChance>] = [
    .object("job", HistoryJob.fields, as: "job", "the job", \.job),
    .real("probability", "the probability that it is the first", \.probability),
  ]
}
