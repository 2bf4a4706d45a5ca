import FrameTrace

/// Summaries put together: the same lines come out in whatever order and grouping they went in.
///
/// Runs are kept apart, or added up by some of their tags. A run that is there twice, as after work that was done
/// again, counts once, whatever its trace is called and whatever it was added up with.
package struct SummaryMerge {
  /// The tags by which runs are added up; `nil` where they are kept apart.
  private let tags: [String]?
  /// Runs that are kept apart, and traces that failed, as lines by what tells them apart.
  private var lines: [RunIdentity: String] = [:]
  /// Runs that were added up, by their tags.
  private var sums: [[String: String]: Sum] = [:]
  private var seen = SeenRuns()
  private var repeatedLines = 0

  private struct Sum {
    var tally = RunTally.empty
    var identities: [RunIdentity] = []
  }

  /// How many runs were there before.
  package var repeated: Int { seen.repeated + repeatedLines }

  package init(by tags: [String]? = nil) { self.tags = tags }

  /// - Parameter line: The run as it is written.
  package mutating func add(_ run: SummarizedRun, line: String) throws(RunsCountedTwice) {
    var run = run
    if run.identities.isEmpty { run.identities = [RunIdentity(value: StableHash(line).value)] }
    guard let tally = run.tally, run.file == nil || tags != nil else {
      keep(line, as: run.identities[0])
      return
    }
    guard try seen.admit(run) else { return }
    let kept = tags.map { tags in run.tags.filter { tags.contains($0.key) } } ?? run.tags
    sums[kept, default: Sum()].tally.merge(tally)
    sums[kept]?.identities += run.identities
  }

  /// Of the same run under several names the first one stays, so that the order does not show.
  private mutating func keep(_ line: String, as identity: RunIdentity) {
    guard let before = lines[identity] else {
      lines[identity] = line
      return
    }
    lines[identity] = min(line, before)
    repeatedLines += 1
  }

  /// The lines of runs that are kept apart and of traces that failed, in order.
  package var linesApart: [String] { lines.values.sorted() }

  /// The runs that were added up, in order of their tags.
  package var added: [SummarizedRun] {
    sums.sorted { Self.text($0.key).lexicographicallyPrecedes(Self.text($1.key)) }
      .map { tags, sum in
        var run = SummarizedRun(sum.tally, tags: tags)
        run.identities = sum.identities.sorted()
        return run
      }
  }

  private static func text(_ tags: [String: String]) -> [String] {
    tags.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
  }
}
