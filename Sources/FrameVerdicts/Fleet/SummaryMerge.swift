package import FrameTrace

/// Merges summaries: the output lines do not depend on the order and grouping of the input.
///
/// Runs are kept separate, or added up by some of their tags. A run that appears twice, for example
/// after repeated work, counts once, regardless of the name of its trace and of the runs it was
/// added up with.
package struct SummaryMerge {
  /// The tags by which runs are added up; `nil` to keep runs separate.
  private let tags: [String]?
  /// The lines of separate runs and of failed traces, by identity.
  private var positions: [RunIdentity: SpooledLines.Position] = [:]
  private let lines: SpooledLines
  /// Why a line could not be compared with the previous one.
  private var failure: ParseError?
  /// The sums of runs, by their tags.
  private var sums: [[String: String]: Sum] = [:]
  private var seen = SeenRuns()
  private var repeatedLines = 0
  private var failed: Set<RunIdentity> = []

  private struct Sum {
    var tally = RunTally.empty
    var identities: [RunIdentity] = []
  }

  /// The number of runs that were repeated.
  package var repeated: Int { seen.repeated + repeatedLines }

  /// The number of traces that failed.
  package var failures: Int { failed.count }

  /// The number of different runs, not counting failed ones.
  package var runs: Int {
    positions.count - failed.count + sums.values.reduce(0) { $0 + $1.identities.count }
  }

  /// - Throws: If there is no space for a temporary file.
  package init(by tags: [String]? = nil) throws(ParseError) {
    self.tags = tags
    lines = try SpooledLines(for: "merged runs")
  }

  /// - Parameter line: The text of the run's line, which most sums do not need.
  package mutating func add(
    _ run: SummarizedRun, line: @autoclosure () -> String
  ) throws(RunsCountedTwice) {
    var run = run
    if run.identities.isEmpty { run.identities = [RunIdentity(ofLine: line())] }
    if run.tally == nil { failed.insert(run.identities[0]) }
    guard let tally = run.tally, run.file == nil || tags != nil else {
      keep(line(), as: run.identities[0])
      return
    }
    guard try seen.admit(run) else { return }
    let kept =
      tags.map { $0 + [SummarizedRun.refreshTag] }
      .map { tags in run.tags.filter { tags.contains($0.key) } } ?? run.tags
    sums[kept, default: Sum()].tally.merge(tally)
    sums[kept]?.identities += run.identities
  }

  /// If the same run appears under several names, the name that sorts first is kept, so that the
  /// order of the input does not matter.
  private mutating func keep(_ line: String, as identity: RunIdentity) {
    let position = lines.append(line)
    guard let before = positions[identity] else {
      positions[identity] = position
      return
    }
    repeatedLines += 1
    do throws(ParseError) {
      if try lines.isBefore(position, before) { positions[identity] = position }
    } catch {
      failure = error
    }
  }

  /// Passes on the lines of separate runs and of failed traces, in order.
  package func forEachLine(_ body: (String) throws(ParseError) -> Void) throws(ParseError) {
    if let failure { throw failure }
    var failure: ParseError?
    let sorted = positions.values.sorted { one, other in
      do throws(ParseError) {
        return try lines.isBefore(one, other)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    for position in sorted { try body(try lines.line(position)) }
  }

  /// The sums of runs, in order of their tags.
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
