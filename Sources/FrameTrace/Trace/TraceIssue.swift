/// Something in an input that was skipped, repaired or assumed, with its count and first position.
/// It is stored in the trace and printed with every result.
public struct TraceIssue: Hashable, Sendable {
  /// How much the issue matters.
  public enum Severity: String, Sendable, CaseIterable {
    /// Nothing is lost; the issue is for information only.
    case info
    /// Something was repaired or assumed; figures may depend on it.
    case repaired
    /// Something in the input is not in the trace.
    case dataLoss
  }

  /// The kind of issue, as named in files and scripts.
  public enum Kind: String, Sendable, CaseIterable {
    /// A row with fewer or more cells than the header.
    case rowWidth
    /// A last line or row that stops in the middle.
    case cutOff
    /// A value that does not fit its column.
    case malformedValue
    /// An implausibly large number.
    case absurdValue
    /// A line that is not a record of the format.
    case malformedLine
    /// A key that the format does not define.
    case unknownKey
    /// A kind of record that the format does not define.
    case unknownRecord
    /// A record that refers to a surface, display or frame that does not exist.
    case brokenReference
    /// Rows that come after rows with later times.
    case disorder
    /// Records that occur twice in the input.
    case repeatedRecord
    /// A clock that jumped back.
    case clockJump
    /// Times that were computed from other values.
    case timeRebuilt
    /// A clock's rate or zero that the input does not state.
    case clockAssumed
    /// A column with values that contradict others and were recomputed.
    case columnRecomputed
    /// A column without information, such as one that is always zero.
    case columnUnused
    /// A time that the source withholds if it falls outside of its frame.
    case timeWithheld
    /// Frames that a dialect of the format does not list.
    case framesWithheld
    /// Combined records that the input does not declare to belong together.
    case joinAssumed
    /// Inputs of a frame that was never shown, credited to the next frame that was.
    case inputCarried
    /// The conditions of a measurement.
    case conditions
    /// Compressed data that is broken or truncated.
    case brokenCompression
  }

  /// The kind of issue.
  public let kind: Kind
  /// Whether data was lost, was repaired, or the issue is merely informative.
  public let severity: Severity
  /// What happened, in words, without the count.
  public let message: String
  /// How often the issue occurred.
  public package(set) var count: Int
  /// The first position in the input; `nil` if the issue concerns the whole input.
  public let first: Position?

  package init(
    kind: Kind, severity: Severity, message: String, count: Int, first: Position?
  ) {
    self.kind = kind
    self.severity = severity
    self.message = message
    self.count = count
    self.first = first
  }
}

/// The issues of an input as they are found; issues with the same kind and message are counted together.
package struct IssueLog: Sendable {
  package private(set) var issues: [TraceIssue] = []
  private var positions: [Key: Int] = [:]

  package init() {}

  /// The common properties of issues that are counted together.
  private struct Key: Hashable {
    let kind: TraceIssue.Kind
    let message: String
  }

  package mutating func note(
    _ kind: TraceIssue.Kind, _ severity: TraceIssue.Severity, _ message: String,
    count: Int = 1, at position: Position? = nil
  ) {
    guard count > 0 else { return }
    let key = Key(kind: kind, message: message)
    if let known = positions[key] {
      issues[known].count += count
    } else {
      positions[key] = issues.count
      issues.append(
        TraceIssue(kind: kind, severity: severity, message: message, count: count, first: position))
    }
  }
}

extension IssueLog {
  /// Sorts the issues by their first line, and puts issues without a line last.
  ///
  /// A reader of blocks finds issues column by column, so the order of issues depends on where blocks end, which is
  /// random for a pipe.
  package mutating func sortByLine() {
    let lines = issues.map { issue in
      if case .line(let line) = issue.first { line } else { Int.max }
    }
    issues = issues.indices.sorted { (lines[$0], $0) < (lines[$1], $1) }.map { issues[$0] }
    for (position, issue) in issues.enumerated() {
      positions[Key(kind: issue.kind, message: issue.message)] = position
    }
  }
}

/// Records in an input that were not read; reported if the input contains nothing else.
package struct UnreadRecords {
  private var counts: [String: Int] = [:]

  package init() {}

  /// Counts records.
  /// - Parameter kind: Their description, in the plural.
  package mutating func note(_ kind: String, count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += count }
  }

  /// The maximum number of kinds named.
  private static let mostKinds = 4

  /// The kinds with their counts, the most frequent first; `nil` if there are none.
  package var words: String? {
    guard !counts.isEmpty else { return nil }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let named = sorted.prefix(Self.mostKinds).map { "\($0.value) × \($0.key)" }
    let rest = sorted.dropFirst(Self.mostKinds)
    let others = rest.reduce(0) { $0 + $1.value }
    return (named + (others > 0 ? ["\(others) × other kinds"] : []))
      .joined(separator: ", ")
  }
}
