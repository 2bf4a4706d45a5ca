/// Many runs, grouped by their tags.
public struct Fleet: Sendable {
  /// How runs are grouped and compared.
  public struct Options: Sendable {
    /// The tags by which runs are grouped.
    public var by: [String] = []
    /// The two values of a tag that are compared.
    public var comparing: Sides?
    /// The metric that is shown and compared.
    public var metric = ComparedFigures.usual
    /// The tag that identifies a unit of repetition, such as `device`; `nil` for single runs.
    public var unit: String?
    /// The tags whose mix may differ between the sides; such a difference must not look like a
    /// change.
    public var mix: [String] = ["device"]
    /// The accepted share of false positives among the groups called changed.
    public var level = 0.05

    /// No grouping by tags and no comparison.
    public init() {}
  }

  /// The two values of a tag that are compared.
  public struct Sides: Hashable, Sendable {
    /// The tag that distinguishes the sides, and its value on each side.
    public let tag, before, after: String

    /// Parses a string such as `version=1.2..1.3`; `nil` for any other form.
    public init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let dots = parts[1].firstRange(of: "..") else { return nil }
      (tag, before, after) = (
        String(parts[0]), String(parts[1][..<dots.lowerBound]), String(parts[1][dots.upperBound...])
      )
      guard !tag.isEmpty, !before.isEmpty, !after.isEmpty, before != after else { return nil }
    }
  }

  /// The runs with the same values of the grouping tags.
  public struct Group: Sendable {
    /// The values of these tags, in the order of the tags; `nil` for a tag that the runs do not have.
    public let values: [String?]
    /// The runs by the values of the other relevant tags.
    package var cells: [Cell: RunTally] = [:]

    /// The tally of all runs of the group.
    public var tally: RunTally { cells.values.reduce(into: .empty) { $0.merge($1) } }
  }

  /// The values of the relevant tags other than those of the group.
  package struct Cell: Hashable {
    package let side: String?
    let unit: String?
    let mix: [String?]
  }

  /// How runs are grouped: as requested, and by refresh rate if runs have different ones.
  public let options: Options
  /// The groups, ordered by their values; those without a value come last.
  public private(set) var groups: [Group] = []
  /// A trace that could not be read.
  public struct Failure: Hashable, Sendable {
    /// The trace's file; empty where it has no name.
    public let file: String
    /// Why it could not be read.
    public let reason: String
  }

  /// The traces that failed, with the reason, in order.
  public private(set) var failures: [Failure] = []
  /// The number of runs.
  public private(set) var runs: Int64 = 0
  /// The tags of the runs, with the number of values of each.
  public private(set) var tags: [String: Int] = [:]

  /// Builds a fleet from the lines of summaries.
  public struct Builder {
    private let options: Options
    /// The tags by which runs are separated: those of the options, and the refresh rate.
    private let by: [String]
    private let mix: [String]
    private var groups: [[String?]: Group] = [:]
    private var failures: [Failure] = []
    private var values: [String: Set<String>] = [:]
    private var runs: Int64 = 0
    private var seen = SeenRuns()

    /// The number of runs that were given more than once; each is counted once.
    public var repeated: Int { seen.repeated }

    /// An empty fleet.
    public init(_ options: Options) {
      self.options = options
      let isRefreshAsked =
        options.by.contains(SummarizedRun.refreshTag)
        || options.comparing?.tag == SummarizedRun.refreshTag
      by = options.by + (isRefreshAsked ? [] : [SummarizedRun.refreshTag])
      mix = options.mix.filter { !options.by.contains($0) && $0 != options.comparing?.tag }
    }

    /// - Throws: If some of the runs of a line were already counted.
    public mutating func add(_ run: SummarizedRun) throws(RunsCountedTwice) {
      guard let tally = run.tally else {
        if case .failed(let reason) = run.outcome {
          failures.append(Failure(file: run.file ?? "", reason: reason))
        }
        return
      }
      guard try seen.admit(run) else { return }
      runs += tally.runs
      for (tag, value) in run.tags { values[tag, default: []].insert(value) }
      let key = by.map { run.tags[$0] }
      let cell = Cell(
        side: options.comparing.flatMap { run.tags[$0.tag] },
        unit: options.unit.flatMap { run.tags[$0] },
        mix: mix.map { run.tags[$0] })
      groups[key, default: Group(values: key)].cells[cell, default: .empty].merge(tally)
    }

    /// The fleet of the runs added so far.
    public var fleet: Fleet {
      var options = options
      var groups = Array(groups.values)
      if by.count > options.by.count {
        if Set(groups.map { $0.values.last }).count > 1 {
          options.by = by
        } else {
          groups = groups.map { Group(values: $0.values.dropLast(), cells: $0.cells) }
        }
      }
      var fleet = Fleet(options: options)
      fleet.groups = groups.sorted { one, other in
        for (first, second) in zip(one.values, other.values) where first != second {
          guard let first, let second else { return second == nil }
          return first < second
        }
        return false
      }
      fleet.failures = failures.sorted { ($0.file, $0.reason) < ($1.file, $1.reason) }
      fleet.runs = runs
      fleet.tags = values.mapValues(\.count)
      return fleet
    }
  }

  private init(options: Options) { self.options = options }
}

extension RunTally {
  /// The values of a metric under its most common definition; `nil` if there are none.
  package func values(of metric: String) -> (key: TallyKey, values: Values)? {
    values.filter { $0.key.metric == metric }
      .max { ($0.value.runs, $1.key) < ($1.value.runs, $0.key) }.map { ($0.key, $0.value) }
  }
}
