/// Summaries put together: the same lines come out in whatever order and grouping they went in.
///
/// Runs are kept apart, or added up by some of their tags. A run that is there twice, as after work that was done
/// again, counts once; one that was added up with others before is not known any more.
public struct SummaryMerge {
  /// The tags by which runs are added up; `nil` where they are kept apart.
  private let tags: [String]?
  /// Runs that are kept apart, and traces that failed, as lines.
  private var lines: Set<String> = []
  /// Runs that were added up, by their tags.
  private var sums: [[String: String]: RunTally] = [:]
  private var seen: Set<RunIdentity> = []
  /// How many runs were there before.
  public private(set) var repeated = 0

  /// What tells a run from all others.
  private struct RunIdentity: Hashable {
    let file: String?
    let process: String?
    let surface: String?
    /// Of its whole line: two runs have the same with a probability of 1 in 2⁶⁴.
    let hash: Int
  }

  public init(by tags: [String]? = nil) { self.tags = tags }

  /// - Parameter line: The run as it is written.
  public mutating func add(_ run: SummarizedRun, line: String) {
    guard let tally = run.tally, run.file == nil || tags != nil else {
      if !lines.insert(line).inserted { repeated += 1 }
      return
    }
    if run.file != nil {
      let identity = RunIdentity(
        file: run.file, process: run.process, surface: run.surface, hash: line.hashValue)
      guard seen.insert(identity).inserted else {
        repeated += 1
        return
      }
    }
    let kept = tags.map { tags in run.tags.filter { tags.contains($0.key) } } ?? run.tags
    sums[kept, default: .empty].merge(tally)
  }

  /// The lines of runs that are kept apart and of traces that failed, in order.
  public var linesApart: [String] { lines.sorted() }

  /// The runs that were added up, in order of their tags.
  public var added: [SummarizedRun] {
    sums.sorted { Self.text($0.key).lexicographicallyPrecedes(Self.text($1.key)) }
      .map { SummarizedRun($0.value, tags: $0.key) }
  }

  private static func text(_ tags: [String: String]) -> [String] {
    tags.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
  }
}
