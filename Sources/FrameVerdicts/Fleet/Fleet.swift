/// Many runs in groups by their tags.
public struct Fleet: Sendable {
  /// How runs are grouped and compared.
  public struct Options: Sendable {
    /// The tags whose values make a group.
    public var by: [String] = []
    /// Two values of a tag that are compared.
    public var comparing: Sides?
    /// The metric whose values are shown and compared.
    public var metric = ComparedFigures.usual
    /// The tag whose values repeat, as `device`; `nil` for runs.
    public var unit: String?
    /// The tags whose mix may differ between the sides and must not pass for a change.
    public var mix: [String] = ["device"]
    /// The share of groups called changed that may be called so falsely.
    public var level = 0.05

    /// Every run alone, without a tag to compare by.
    public init() {}
  }

  /// Two values of a tag.
  public struct Sides: Hashable, Sendable {
    /// The tag that tells the sides apart, and its value on each.
    public let tag, before, after: String

    /// As `version=1.2..1.3`; `nil` for what is no such text.
    public init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let dots = parts[1].firstRange(of: "..") else { return nil }
      (tag, before, after) = (
        String(parts[0]), String(parts[1][..<dots.lowerBound]), String(parts[1][dots.upperBound...])
      )
      guard !tag.isEmpty, !before.isEmpty, !after.isEmpty, before != after else { return nil }
    }
  }

  /// The runs with the same values of the tags that were asked for.
  public struct Group: Sendable {
    /// The values of these tags, in their order; `nil` where runs have none.
    public let values: [String?]
    /// The runs by the other tags that matter.
    package var cells: [Cell: RunTally] = [:]

    /// All of them.
    public var tally: RunTally { cells.values.reduce(into: .empty) { $0.merge($1) } }
  }

  /// The values of the tags that matter beside those of the group.
  package struct Cell: Hashable {
    package let side: String?
    let unit: String?
    let mix: [String?]
  }

  /// How runs are grouped.
  public let options: Options
  /// In order of their values, those without a value last.
  public private(set) var groups: [Group] = []
  /// The traces that failed, with the reason, in order.
  public private(set) var failures: [(file: String, reason: String)] = []
  /// How many runs there are.
  public private(set) var runs: Int64 = 0
  /// The tags that runs have, with how many values each has.
  public private(set) var tags: [String: Int] = [:]

  /// Takes the lines of summaries one by one.
  public struct Builder {
    private let options: Options
    private let mix: [String]
    private var groups: [[String?]: Group] = [:]
    private var failures: [(file: String, reason: String)] = []
    private var values: [String: Set<String>] = [:]
    private var runs: Int64 = 0
    private var seen = SeenRuns()

    /// How many runs were given more than once, and counted once.
    public var repeated: Int { seen.repeated }

    /// An empty fleet.
    public init(_ options: Options) {
      self.options = options
      mix = options.mix.filter { !options.by.contains($0) && $0 != options.comparing?.tag }
    }

    /// - Throws: Where some of the runs that a line is of were counted before.
    public mutating func add(_ run: SummarizedRun) throws(RunsCountedTwice) {
      guard let tally = run.tally else {
        if case .failed(let reason) = run.outcome { failures.append((run.file ?? "", reason)) }
        return
      }
      guard try seen.admit(run) else { return }
      runs += tally.runs
      for (tag, value) in run.tags { values[tag, default: []].insert(value) }
      let key = options.by.map { run.tags[$0] }
      let cell = Cell(
        side: options.comparing.flatMap { run.tags[$0.tag] },
        unit: options.unit.flatMap { run.tags[$0] },
        mix: mix.map { run.tags[$0] })
      groups[key, default: Group(values: key)].cells[cell, default: .empty].merge(tally)
    }

    /// The runs that were added so far.
    public var fleet: Fleet {
      var fleet = Fleet(options: options)
      fleet.groups = groups.values.sorted { one, other in
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
  /// The values of a metric under the definition that most runs have; `nil` without any.
  public func values(of metric: String) -> (key: TallyKey, values: Values)? {
    values.filter { $0.key.metric == metric }
      .max { ($0.value.runs, $1.key) < ($1.value.runs, $0.key) }.map { ($0.key, $0.value) }
  }
}
