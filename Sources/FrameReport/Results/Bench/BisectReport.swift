import FrameAnalysis
import FrameTrace
public import FrameVerdicts

/// The result of a search for a commit.
public struct BisectReport: Sendable {
  /// The schema of its JSON.
  static let schema = "frametool.bisect/1"

  /// A commit as shown to users.
  public struct Commit: Hashable, Sendable {
    /// The commit's full name and its short name.
    public let name, short: String
    /// The first line of the commit's message.
    public let subject: String

    /// A commit with its names and its message.
    public init(name: String, short: String, subject: String) {
      (self.name, self.short, self.subject) = (name, short, subject)
    }
  }

  let bisection: Bisection
  let commits: [Commit]
  /// How many commits were built; `nil` if no commit needs to be built.
  let builds: Int?
  /// The command that searches the branch of a merge, if the answer is a merge.
  let merge: String?
  /// Why commits were skipped, by position.
  let skipped: [Int: String]
  /// Why the search ended if it has no answer; `nil` if the search's reason already explains it.
  let stopped: String?
  /// Notes on the machine.
  let machine: [String]
  /// The folder of the search.
  let folder: String

  /// - Parameter commits: The commits, from the good end to the bad end.
  public init(
    _ bisection: Bisection, commits: [Commit], builds: Int?, merge: String?,
    skipped: [Int: String], stopped: String?,
    machine: [String], folder: String
  ) {
    (self.bisection, self.commits, self.builds, self.merge) = (bisection, commits, builds, merge)
    (self.skipped, self.stopped, self.machine, self.folder) = (skipped, stopped, machine, folder)
  }

  /// The answer: the positions and their probability; `nil` if there is none.
  private var found: (positions: ClosedRange<Int>, chance: Double)? {
    if case .end(.found(let positions, let chance)) = bisection.next { return (positions, chance) }
    return nil
  }

  /// Whether there is an answer.
  public var isFound: Bool { found != nil }

  private var work: String {
    let built = builds.map { ", \($0) build\($0 == 1 ? "" : "s")" } ?? ""
    return "\(bisection.steps.count) runs\(built)"
  }

  private static func percent(_ chance: Double) -> String {
    // Certainty is impossible.
    "\(FixedNumber.text(min(99.9, 100 * chance), decimals: 1)) %"
  }

  /// The answer in a sentence.
  var sentence: String {
    if let found {
      let names = found.positions.map { commits[$0].short }
      if names.count == 1 {
        return
          "\(names[0]), \(Self.percent(found.chance)) (\(work)): \(commits[found.positions.lowerBound].subject)"
      }
      return
        "one of \(names.count) commits from \(names[0]) to \(names[names.count - 1]), \(Self.percent(found.chance)) (\(work)): those between cannot be measured"
    }
    if let stopped { return "undecided: \(stopped) (\(work))" }
    if bisection.next == .end(.noChange) {
      return "no change between the ends: \(ends ?? "") (\(work))"
    }
    let best =
      bisection.areEndsCompared
      ? "the limit of runs was reached"
      : "the limit of runs was reached before the ends could be distinguished"
    return "undecided: \(best) (\(work))"
  }

  /// How far the ends differ.
  private var ends: String? {
    guard let ends = bisection.ends else { return nil }
    let decimals = bisection.figure.effectUnit == "pp" ? 2 : 1
    let number = { (value: Double) in
      (value > 0 ? "+" : "") + FixedNumber.text(value, decimals: decimals)
    }
    return
      "\(bisection.figure.name) \(number(ends.effect)) \(bisection.figure.effectUnit) [\(number(ends.interval.lowerBound)), \(number(ends.interval.upperBound))] (95 % bounds at every look)"
  }

  /// The most probable positions other than the answer's, the most probable first.
  private var others: [(position: Int, chance: Double)] {
    let positions = found?.positions
    return bisection.chances.enumerated().map { (position: $0 + 1, chance: $1) }
      .filter { positions?.contains($0.position) != true && $0.chance >= 0.001 }
      .sorted { ($1.chance, $0.position) < ($0.chance, $1.position) }
  }

  /// The levels before the answer and from it on, in words.
  private var change: String? {
    guard let levels else { return nil }
    let effect = bisection.effect(from: levels.before, to: levels.after)
    let values = [levels.before, levels.after].map { FixedNumber.text($0, decimals: 2) }
    return
      "\(bisection.figure.name) \(values[0]) → \(values[1]) \(bisection.figure.unit), \(effect > 0 ? "+" : "")\(FixedNumber.text(effect, decimals: 1)) \(bisection.figure.effectUnit), \(effect > 0 ? "worse" : "better"): medians of the runs before it, and from it on"
  }

  private var levels: (before: Double, after: Double)? {
    guard let found, let before = bisection.level(where: { $0 < found.positions.lowerBound }),
      let after = bisection.level(where: { $0 >= found.positions.upperBound })
    else { return nil }
    return (before, after)
  }

  /// Warnings about the answer and the machine.
  private var warnings: [String] {
    let others = found.map { bisection.otherChanges(besides: $0.positions) } ?? []
    return [merge.map { "it is a merge: '\($0) …' searches its branch" }].compactMap(\.self)
      + others.map { positions in
        "there may be another change between \(commits[positions.lowerBound].short) and \(commits[positions.upperBound].short): give these as --good and --bad"
      } + machine
  }

  var document: Document {
    var document = Document()
    document.add(.title(sentence))
    if let next = others.first {
      document.add(
        .sentence(
          "next likely \(commits[next.position].short), \(Self.percent(next.chance)): \(commits[next.position].subject)"
        ))
    }
    document.add(sentence: change)
    if found != nil, let ends { document.add(.sentence("ends: \(ends)")) }
    document.add(table, "Commits that were measured")
    document.add(
      .remarks([
        "stated error \(FixedNumber.text(100 * bisection.error, decimals: bisection.error < 0.01 ? 2 : 1)) %, given that the ends differ",
        "random order (seed \(bisection.seed))",
        "state: \(folder)",
      ]))
    document.add(
      Document.Block.warnings,
      warnings
        + skipped.sorted { $0.key < $1.key }.map {
          "\(commits[$0.key].short) was skipped: \($0.value)"
        })
    return document
  }

  /// A position that was measured or skipped, as a row.
  struct Row: Sendable {
    let position: Int
    let commit: Commit
    let runs: Int
    let level: Double?
    /// The probability that the change is at or before this position.
    let chance: Double?
  }

  private var positions: [Row] {
    let measured = Set(bisection.steps.map(\.position)).union(skipped.keys).sorted()
    return measured.map { position in
      Row(
        position: position, commit: commits[position],
        runs: bisection.steps.count { $0.position == position },
        level: bisection.level(at: position),
        chance: bisection.chances.isEmpty ? nil : bisection.chances[..<position].reduce(0, +))
    }
  }

  /// The columns of a position, as data.
  static let columns: [ResultColumn<Row>] = columns(nil)

  private static func columns(_ figure: SearchedFigure?) -> [ResultColumn<Row>] {
    [
      .text("commit", "the commit's full name") { $0.commit.name }.shown("commit") {
        $0.commit.short
      },
      .integer("place", "its place: 0 is the good end", \.position).shown("place"),
      .integer("runs", "its runs", \.runs).shown("runs"),
      .real("value", "the median of its runs, in the figure's unit", \.level)
        .shown(figure?.name ?? "value", .right) { row in
          row.level.map { "\(FixedNumber.text($0, decimals: 2)) \(figure?.unit ?? "")" }
            ?? "skipped"
        }.otherwise("it was skipped"),
      .real("changed_by_here", "the probability that the change is here or before", \.chance)
        .shown("changed by here", .right) { $0.chance.map(percent) ?? "" }
        .otherwise("the ends are not known to differ"),
      .text("subject", "the first line of its message") { $0.commit.subject }.shown("subject"),
    ]
  }

  private var table: TextTable {
    var table = ResultRows(columns: Self.columns(bisection.figure), rows: positions).table
    table.expendable = ["subject"]
    return table
  }

  var rows: [[String]] {
    ResultRows(columns: Self.columns, rows: positions).cells()
  }

  static let fields: [ResultColumn<BisectReport>] = [
    .schema(schema), .text("sentence", "the answer", \.sentence),
    .flag("found", "whether there is an answer", \.isFound),
    .text("commit", "the commit, or the last of several that cannot be distinguished") { report in
      report.found.map { report.commits[$0.positions.upperBound].name }
    }.otherwise(noAnswer),
    .text("subject", "the first line of its message") { report in
      report.found.map { report.commits[$0.positions.upperBound].subject }
    }.otherwise(noAnswer),
    .real("chance", "the probability of the answer", \.found?.chance).otherwise(noAnswer),
    .texts("candidates", "the commits of the answer") { report in
      report.found?.positions.map { report.commits[$0].name } ?? []
    },
    .real("stated_error", "the probability of a wrong answer that was asked for") {
      $0.bisection.error
    },
    .text("metric", "the figure", \.bisection.figure.name),
    .text("unit", "its unit", \.bisection.figure.unit),
    .real("before", "the median of the runs before the answer", \.levels?.before)
      .otherwise(noAnswer),
    .real("after", "the median of the runs from it on", \.levels?.after).otherwise(noAnswer),
    .real("effect", "the change, in the unit of effects") { report in
      report.levels.map { report.bisection.effect(from: $0.before, to: $0.after) }
    }.otherwise(noAnswer),
    .text("effect_unit", "the unit of effects", \.bisection.figure.effectUnit),
    .integer("runs", "how many runs were made", \.bisection.steps.count),
    .integer("builds", "how many commits were built", \.builds)
      .otherwise("nothing had to be built"),
    .integer("seed", "what the order of the ends depends on") {
      Int64(clamping: $0.bisection.seed)
    },
    .rows(
      "next",
      [
        .text("commit", "a commit", \.commit.name),
        .real("chance", "its probability", \.chance),
      ], "other commits, the most probable first"
    ) { report in
      report.others.map { (commit: report.commits[$0.position], chance: $0.chance) }
    },
    .rows(
      "commits",
      columns.map { $0.on(\.row) } + [.text("skipped", "why it was skipped", \.skipped).ifAny],
      "the commits that were measured or skipped"
    ) { report in
      report.positions.map { (row: $0, skipped: report.skipped[$0.position]) }
    },
    .rows(
      "steps",
      [
        .text("commit", "the commit", \.commit.name),
        .real("value", "the figure of the run", \.value),
      ], "the runs in order"
    ) { report in
      report.bisection.steps.map { (commit: report.commits[$0.position], value: $0.value) }
    },
    .texts("warnings", "what to know about the answer and the machine", \.warnings),
    .text("folder", "where the state is", \.folder),
  ]

  private static let noAnswer = "the search has no answer"

  var record: FieldRecord { FieldRecord(Self.fields, of: self) }
}
