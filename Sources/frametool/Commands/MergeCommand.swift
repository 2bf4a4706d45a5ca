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
  ]
  static let options: [CommandOption<MergeCommand>] = [
    .list(
      "--by", to: \.by, metavar: "TAG,…",
      help: "combine runs with the same values of these tags; other tags are dropped"),
    .choice(
      "--format", to: \.format,
      help: "how it is written: as a summary, or as a table with a row for each metric of each run"),
    .text(
      "-o", "--output", to: \.output, metavar: "FILE",
      help: "write here (default: standard output)"),
    .choice("--formulas", to: \.formulas, help: Formulas.help),
  ]

  /// The forms of merged summaries.
  enum Form: String, CaseIterable { case jsonl, csv }

  var by: [String] = []
  var format = Form.jsonl
  var output: String?
  var formulas: Formulas?

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    let output = output ?? "-"
    try Output.keep(operands, from: output)
    var merge: SummaryMerge
    do throws(ParseError) {
      merge = try SummaryMerge(by: by.isEmpty ? nil : SummaryInputs.names(by))
    } catch {
      throw CommandError(error)
    }
    try SummaryInputs(console: console).read(operands) { run, line throws(RunsCountedTwice) in
      try merge.add(run, line: String(decoding: line, as: UTF8.self) + "\n")
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
    _ operands: [String], _ take: (SummarizedRun, [UInt8]) throws(RunsCountedTwice) -> Void
  ) throws(CommandError) {
    for path in try TraceInputs.files(operands) {
      do throws(ParseError) {
        try SummaryReader.read(try console.open(path)) { run, number, line throws(ParseError) in
          do throws(RunsCountedTwice) {
            try take(run, line)
          } catch {
            throw ParseError(
              path: path, place: .line(number), problem: error.message, help: error.help)
          }
        }
      } catch {
        throw CommandError(error)
      }
    }
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
