import FrameStatistics
import FrameTrace

/// The identity of a run, independent of where its trace is stored and which runs it is summed with: a hash of the
/// first bytes of the trace, of its counts, and of its tags.
public struct RunIdentity: Hashable, Comparable, Sendable {
  let value: UInt64

  /// The identity of a run that has no stored identity: a hash of its line in a summary.
  package init(ofLine text: String) { value = StableHash(text).value }

  /// Parses the form used in summaries, sixteen hexadecimal digits; `nil` for other strings.
  package init?(_ text: String) {
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
    self.value = value
  }

  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Whether the first identity sorts before the other.
  public static func < (one: RunIdentity, other: RunIdentity) -> Bool { one.value < other.value }
}

extension RunIdentity {
  /// - Parameter head: The first bytes of the trace.
  fileprivate init(_ tally: RunTally, _ run: SummarizedRun, head: some Sequence<UInt8>) {
    var hash = StableHash()
    hash.add(head)
    for (tag, value) in run.tags.sorted(by: { $0.key < $1.key }) {
      hash.add("\(tag)=\(value)\n".utf8)
    }
    hash.add("\(run.process ?? "")\n\(run.surface ?? "")\n".utf8)
    hash.add(Int128(tally.frames.count))
    for (key, values) in tally.values.sorted(by: { $0.key < $1.key }) {
      hash.add("\(key.metric)\n\(key.definition ?? "")\n".utf8)
      hash.add(Int128(values.counts.count))
      hash.add(values.counts.sum)
    }
    for (figure, values) in tally.figures.sorted(by: { $0.key < $1.key }) {
      hash.add(figure.name.utf8)
      hash.add(values.sum)
    }
    value = hash.value
  }
}

extension SummarizedRun {
  /// The same run with its identity.
  /// - Parameter head: The first bytes of its trace; only as many as a header may take are used.
  public func identified(by head: [UInt8]) -> SummarizedRun {
    guard let tally else { return self }
    var run = self
    run.identities = [RunIdentity(tally, self, head: head.prefix(1 << 16))]
    return run
  }
}

/// The runs that were already counted, which ensures that no run counts twice.
package struct SeenRuns: Sendable {
  private var seen: Set<RunIdentity> = []
  /// The number of runs that were repeated.
  package private(set) var repeated = 0

  package init() {}

  /// Whether the runs of a line must be counted: all of them if none was counted before, otherwise none.
  /// - Throws: If only some of the runs were counted before, because a sum cannot be split.
  package mutating func admit(_ run: SummarizedRun) throws(RunsCountedTwice) -> Bool {
    let known = run.identities.count { seen.contains($0) }
    guard known > 0 else {
      seen.formUnion(run.identities)
      return true
    }
    guard known == run.identities.count else {
      throw RunsCountedTwice(known: known, of: run.identities.count)
    }
    repeated += known
    return false
  }
}

/// An error: a line of added-up runs includes runs that were already counted.
public struct RunsCountedTwice: Error, Hashable, Sendable {
  let known, all: Int

  init(known: Int, of all: Int) { (self.known, self.all) = (known, all) }

  /// The problem, in one line.
  public var message: String {
    "expected runs not counted yet, found a line that aggregates \(all) runs, \(known) of them already counted"
  }

  /// A suggested remedy.
  public var help: String {
    "aggregated runs cannot be separated: give aggregated summaries before single runs, and each run in only one of them"
  }
}
