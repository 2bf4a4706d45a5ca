import FrameTrace
public import FrameVerdicts

/// The result of runs in pairs, and how the runs were made.
public struct BenchReport: Sendable {
  /// The schema of its JSON.
  static let schema = "frametool.bench/1"

  let runs: PairedRuns
  /// The comparison; or why there is none.
  let comparison: Result<Comparison, ComparisonRefusal>
  /// The file of the runs.
  let file: String
  /// Why measuring ended: one word, and a sentence.
  let ending: (word: String, text: String)
  /// How many runs of each side were discarded at the start.
  let warmUps: Int
  let seed: UInt64
  /// Notes on the machine.
  let machine: [String]

  /// A report on runs that were made in pairs.
  /// - Parameters:
  ///   - file: The file of the runs.
  ///   - ending: Why measuring ended: one word, and a sentence.
  ///   - warmUps: How many runs of each side were discarded at the start.
  ///   - seed: The seed of the order of the pairs.
  ///   - machine: Notes on the machine, in sentences.
  public init(
    _ runs: PairedRuns, file: String, ending: (word: String, text: String), warmUps: Int,
    seed: UInt64,
    machine: [String]
  ) {
    self.runs = runs
    comparison = Result { () throws(ComparisonRefusal) in try runs.compared() }
    (self.file, self.ending) = (file, ending)
    (self.warmUps, self.seed, self.machine) = (warmUps, seed, machine)
  }

  /// The verdict; with too few pairs, it is inconclusive.
  public var overall: Verdict { (try? comparison.get().overall) ?? .inconclusive }

  /// The verdict in a sentence.
  var sentence: String {
    switch comparison {
    case .success(let comparison): ComparisonSentence(comparison).text
    case .failure(.fewPairs(let found, let needed)):
      "\(Verdict.inconclusive.word): \(Self.count(found, "pair")), at least \(needed) are needed"
    case .failure(let refusal): "\(Verdict.inconclusive.word): \(refusal.message)"
    }
  }

  /// How the runs were made, in a sentence.
  private var method: String {
    let failed =
      runs.failures.isEmpty ? "" : ", \(Self.count(runs.failures.count, "failed run"))"
    let alone =
      runs.unpaired == 0 ? "" : ", \(Self.count(runs.unpaired, "run")) without a partner left out"
    return
      "\(ending.text): \(Self.count(runs.pairs.count, "pair")) in random order (seed \(seed)), after \(Self.count(warmUps, "warm-up run")) a side\(failed)\(alone)"
  }

  private static func count(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  var document: Document {
    var document = Document()
    switch comparison {
    case .success(let comparison): document.add(Document(comparison))
    case .failure: document.add(.title(sentence))
    }
    document.add(.remarks([method, "runs: \(file)"]))
    document.add(Document.Block.warnings, runs.failures + machine)
    return document
  }

  static let fields: [ResultColumn<BenchReport>] = [
    .schema(schema), .verdict("overall", "the verdict on all figures", \.overall),
    .state(\.overall), .text("sentence", "the state and the reason", \.sentence),
    .words(
      "ended", ["decided", "max_runs", "max_time", "stopped", "failing"], "why measuring ended",
      \.ending.word),
    .integer("pairs", "how many complete pairs there are", \.runs.pairs.count),
    .integer("warm_ups", "how many runs a side were thrown away first", \.warmUps),
    .integer("seed", "what the order of the pairs depends on") { Int64(clamping: $0.seed) },
    .text("file", "where the runs are", \.file),
    .texts("failures", "why runs failed", \.runs.failures),
    .texts("machine", "what to know about the machine", \.machine),
    .object("comparison", Comparison.fields, as: "comparison", "the comparison of the pairs") {
      try? $0.comparison.get()
    }.otherwise { report in
      if case .failure(let refusal) = report.comparison { refusal.message } else { nil }
    },
  ]

  var record: FieldRecord { FieldRecord(Self.fields, of: self) }

  var rows: [[String]] {
    (try? comparison.get()).map { ComparisonRows(ComparisonOfSides($0)).cells } ?? []
  }
}

extension Writers {
  /// The verdict of a comparison in a sentence.
  public static func sentence(_ comparison: Comparison) -> String {
    ComparisonSentence(comparison).text
  }
}
