import FrameKit

/// Merges summaries.
struct MergeCommand: Command {
  static let name = "merge"
  static let summary = "merges summaries; the result does not depend on their order"
  static let operands = "SUMMARY…"
  static let operandCount = 1...Int.max
  static let examples = [
    (
      command: "frametool merge monday.jsonl tuesday.jsonl -o week.jsonl",
      does: "the runs of both, each once"
    ),
    (
      command: "frametool merge night.jsonl --format csv -o night.csv",
      does: "a table for data frames: file, tags, and the statistics of each metric"
    ),
    (
      command: "frametool merge --by device,version night/*.jsonl -o night.jsonl",
      does: "a line for each device and version, however many runs there are"
    ),
    (
      command: "frametool merge night.jsonl --into runs",
      does: "adds the runs to a store: Parquet files by date, device and version"
    ),
  ]
  static let options: [CommandOption<MergeCommand>] = [
    .list(
      "--by", to: \.by, metavar: "TAG,…",
      help: "combine runs with the same values of these tags; other tags are dropped"),
    .text(
      "--into", to: \.store, metavar: "STORE",
      help:
        "add the runs to this folder, with a subfolder and a Parquet file for each value of the tags in --by (default: \(SummaryStore.usualTags.joined(separator: ",")))"
    ),
    .choice(
      "--format", to: \.format,
      help: "how it is written: as a summary, or as a table with a row for each metric of each run"
    ).conflicting(with: "--into"),
    .text(
      "-o", "--output", to: \.output, metavar: "FILE",
      help: "write here (default: standard output)"
    ).conflicting(with: "--into"),
    .choice("--formulas", to: \.formulas, help: Formulas.help).conflicting(with: "--into"),
  ]

  /// The formats of merged summaries.
  enum Form: String, CaseIterable { case jsonl, csv }

  var by: [String] = []
  var store: String?
  var format = Form.jsonl
  var output: String?
  var formulas: Formulas?

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    if let store { return try add(operands, to: store, on: console) }
    let output = output ?? "-"
    try Output.keep(operands, from: output)
    var merge: SummaryMerge
    do throws(ParseError) {
      merge = try SummaryMerge(by: by.isEmpty ? nil : SummaryInputs.names(by))
    } catch {
      throw CommandError(error)
    }
    try SummaryInputs(console: console).read(operands) { run, line throws(RunsCountedTwice) in
      try merge.add(run, line: SummaryReader.current(line))
    }
    SummaryInputs.tell(merge.repeated, on: console)
    if format == .csv {
      let table = Writers.table(try merge.runs)
      try Output.write(to: output, on: console) { sink in
        Formulas.sink(formulas, for: output, sink)(Array(table.utf8))
      }
      return .success
    }
    var failure: ParseError?
    try Output.writeUnlessGivenUp(to: output, on: console) { sink in
      sink(Array(Writers.summaryHeader.utf8))
      do throws(ParseError) {
        try merge.forEachLine { sink(Array($0.utf8)) }
      } catch {
        failure = error
        return false
      }
      for run in merge.added { sink(Array(Writers.line(run).utf8)) }
      return true
    }
    if let failure { throw CommandError(failure) }
    return .success
  }

  /// A store keeps individual runs, because some runs of a combined line may already be in the store.
  private static func checkIsSingle(_ run: SummarizedRun) throws(CommandError) {
    guard run.file == nil else { return }
    throw CommandError(
      .usage, "--into: expected single runs, found a line that combines \(run.tally?.runs ?? 0)",
      help: "give the summaries that 'frametool analyze --summary' wrote, without 'merge --by'")
  }

  /// Adds the runs to a store.
  private func add(
    _ operands: [String], to path: String, on console: Console
  ) throws(CommandError) -> ExitStatus {
    guard !path.isEmpty, !path.contains(where: { "*?[]~".contains($0) || $0.isNewline }) else {
      throw CommandError(
        .usage,
        "--into: expected a folder without *, ?, [, ] and ~, found \(PrintableText.line(path))")
    }
    let duckDB = try DuckDB(console)
    let tags = SummaryInputs.names(by)
    let plan = try SummaryStore(path, by: tags)
    let spool: SpooledLines
    do throws(ParseError) { spool = try SpooledLines(for: "merged runs") } catch {
      throw CommandError(error)
    }
    var lines: [String: [SpooledLines.Position]] = [:]
    var known: Set<String> = []
    var failure: CommandError?
    try SummaryInputs(console: console).read(operands) { run, line throws(RunsCountedTwice) in
      guard failure == nil else { return }
      do throws(CommandError) {
        try Self.checkIsSingle(run)
        known.formUnion(run.tags.keys)
        let position = spool.append(SummaryReader.current(line))
        lines[try plan.partition(of: run.tags), default: []].append(position)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    guard !lines.isEmpty else { throw CommandError(.badData, "the summaries have no runs") }
    // In a new store, a tag that no run has is a mistake; a value that is missing from some runs is not.
    if plan.isNew, let missing = plan.layout.tags.first(where: { !known.contains($0) }) {
      throw CommandError(
        .usage, "no run has the tag \(missing), by which the store is divided",
        help: "'analyze --summary … --tag \(missing)=VALUE' sets it, --by chooses other tags")
    }
    // Nothing is written until the runs are known to fit.
    let lock = try SummaryStore.lock(path)
    defer { withExtendedLifetime(lock) {} }
    var store = try SummaryStore(path, by: tags.isEmpty ? plan.layout.tags : tags)
    do throws(ParseError) { if !store.isNew { try store.complete() } } catch {
      throw CommandError(error)
    }
    let added = try store.merge(lines, of: spool, duckDB)
    try console.print(
      "\(path): \(added.runs) run\(added.runs == 1 ? "" : "s") added, \(added.partitions) of \(store.count) partition\(store.count == 1 ? "" : "s") written, \(added.repeated) already there\n"
    )
    return .success
  }
}

extension SummaryMerge {
  /// All runs and failed traces, in the order of the merged summary.
  fileprivate var runs: [SummarizedRun] {
    get throws(CommandError) {
      var runs: [SummarizedRun] = []
      do throws(ParseError) {
        try forEachLine { line throws(ParseError) in
          if let run = try SummaryReader.run(in: line) { runs.append(run) }
        }
      } catch {
        throw CommandError(error)
      }
      return runs + added
    }
  }
}

/// Reads summaries line by line.
struct SummaryInputs {
  let console: Console

  /// - Parameter operands: Summaries, and folders of summaries.
  func read(
    _ operands: [String], _ body: (SummarizedRun, [UInt8]) throws(RunsCountedTwice) -> Void
  ) throws(CommandError) {
    var files: [String] = []
    for path in operands {
      if SummaryStore.isStore(path) {
        files += try SummaryStore(path).summaries
      } else if let summary = SummaryStore.summary(in: path) {
        files.append(summary)
      } else {
        files += try TraceInputs.files([path])
      }
    }
    for path in files {
      do throws(ParseError) {
        try SummaryReader.read(try console.open(path)) { run, number, line throws(ParseError) in
          do throws(RunsCountedTwice) {
            try body(run, line)
          } catch {
            throw ParseError(
              path: path, position: .line(number), problem: error.message, help: error.help)
          }
        }
      } catch {
        throw CommandError(error)
      }
    }
  }

  /// Whether a path is the path of a summary, or of a store of summaries.
  static func isSummary(_ path: String, on console: Console) -> Bool {
    if SummaryStore.isStore(path) || SummaryStore.summary(in: path) != nil { return true }
    guard path == "-" || FileDescriptor.isRegular(path), let input = try? console.peek(path) else {
      return false
    }
    return SummaryReader.recognizes(input)
  }

  /// Prints how many runs were given more than once.
  static func tell(_ repeated: Int, on console: Console) {
    guard repeated > 0 else { return }
    console.note(
      "note: \(repeated) run\(repeated == 1 ? "" : "s") given more than once, counted once")
  }

  /// The names in comma-separated lists, without duplicates.
  static func names(_ lists: [String]) -> [String] {
    var names: [String] = []
    for name in lists.flatMap({ $0.split(separator: ",") }).map(String.init)
    where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
