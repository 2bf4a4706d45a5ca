public import FrameAnalysis
public import FrameStatistics

/// The counts of one run, or of several runs together.
///
/// Every part is an integer or a count of values in fixed bins, so that tallies add up to the same
/// bits in any order and grouping. A part that no run recorded is `nil` or absent, never 0.
public struct RunTally: Hashable, Sendable {
  /// The number of runs.
  public package(set) var runs: Int64 = 1
  /// The outcomes of the frames.
  public package(set) var frames = Frames()
  /// Dropped refreshes; `nil` if no run's trace shows them.
  public package(set) var drops: Drops?
  /// Hitches; `nil` if no run's trace shows them.
  public package(set) var hitches: Hitches?
  /// The values of all runs by metric and definition, in millionths of the metric's unit.
  public package(set) var values: [TallyKey: Values] = [:]
  /// The figures of the runs: one value for each run that has the figure, in millionths of the
  /// metric's unit.
  public package(set) var figures: [RunFigure: FigureValues] = [:]
  /// The number of runs with frame times bound to the display's refreshes, so that quantiles stay
  /// constant until they jump.
  public package(set) var bound: Int64 = 0

  /// The outcomes of frames.
  public struct Frames: Hashable, Sendable {
    /// The number of frames, and of frames with each outcome.
    public package(set) var count, displayed, replaced, discarded, unresolved: Int64

    package init() { (count, displayed, replaced, discarded, unresolved) = (0, 0, 0, 0, 0) }

    init(_ outcomes: FrameOutcomes) {
      (count, displayed) = (Int64(outcomes.count), Int64(outcomes.displayed))
      (replaced, discarded) = (Int64(outcomes.replaced), Int64(outcomes.discarded))
      unresolved = Int64(outcomes.unresolved)
    }

    /// Frames that were never shown.
    public var neverShown: Int64 { replaced + discarded }

    /// The share of these frames among the frames with a known outcome; `nil` if no frame is known to have been shown.
    public var neverShownShare: Double? {
      displayed > 0 ? Double(neverShown) / Double(displayed + neverShown) : nil
    }
  }

  /// Dropped refreshes.
  public struct Drops: Hashable, Sendable {
    /// The number of runs with data about dropped refreshes.
    public package(set) var runs: Int64 = 1
    /// The number of refreshes while surfaces were active.
    public package(set) var active: Int64
    /// The number of dropped refreshes by the stage that caused them.
    public package(set) var byStage: [PipelineStage: Int64]

    package init(
      runs: Int64 = 1, active: Int64, byStage: [PipelineStage: Int64]
    ) {
      self.runs = runs
      self.active = active
      self.byStage = byStage
    }

    /// The number of dropped refreshes.
    public var refreshes: Int64 { byStage.values.reduce(0, +) }
    /// The share of dropped refreshes; `nil` without an active refresh.
    public var share: Double? { active > 0 ? Double(refreshes) / Double(active) : nil }
  }

  /// Hitches.
  public struct Hitches: Hashable, Sendable {
    /// The number of runs with data about hitches.
    public package(set) var runs: Int64 = 1
    /// The number of hitches.
    public package(set) var count: Int64
    /// The total hitch time, and the time over which the hitches were observed, in nanoseconds.
    public package(set) var total, span: Int64

    package init(
      runs: Int64 = 1, count: Int64, total: Int64, span: Int64
    ) {
      self.runs = runs
      self.count = count
      self.total = total
      self.span = span
    }

    /// The hitch time per second, in milliseconds; `nil` without observed time.
    public var ratio: Double? { span > 0 ? Double(total) / Double(span) * 1000 : nil }
  }

  /// Values of one metric.
  public struct Values: Hashable, Sendable {
    /// The values, with the number of occurrences of each.
    public package(set) var counts: ValueCounts
    /// The number of frames that should have a value but have none.
    public package(set) var missing: Int64 = 0
    /// The number of runs with values.
    public package(set) var runs: Int64 = 1
    /// The number of those runs in which values were inferred instead of recorded.
    public package(set) var inferred: Int64 = 0

    package init(
      counts: ValueCounts, missing: Int64 = 0, runs: Int64 = 1, inferred: Int64 = 0
    ) {
      self.counts = counts
      self.missing = missing
      self.runs = runs
      self.inferred = inferred
    }
  }

  package init() {}
}

extension RunTally {
  /// A tally of no runs, to which others are added.
  package static var empty: RunTally {
    var tally = RunTally()
    tally.runs = 0
    return tally
  }

  /// Adds the runs of another tally.
  public mutating func merge(_ other: RunTally) {
    runs += other.runs
    bound += other.bound
    frames.merge(other.frames)
    drops = Self.sum(drops, other.drops) { $0.merge($1) }
    hitches = Self.sum(hitches, other.hitches) { $0.merge($1) }
    // Updates in place: a copy of the data that thousands of runs added would cost more than the sum.
    for (key, own) in other.values {
      if values[key] == nil { values[key] = own } else { values[key]?.merge(own) }
    }
    for (figure, own) in other.figures {
      if figures[figure] == nil { figures[figure] = own } else { figures[figure]?.merge(own) }
    }
  }

  private static func sum<Part>(_ one: Part?, _ other: Part?, _ merge: (inout Part, Part) -> Void)
    -> Part?
  {
    guard var sum = one, let other else { return one ?? other }
    merge(&sum, other)
    return sum
  }
}

extension RunTally.Frames {
  fileprivate mutating func merge(_ other: Self) {
    count += other.count
    displayed += other.displayed
    replaced += other.replaced
    discarded += other.discarded
    unresolved += other.unresolved
  }
}

extension RunTally.Drops {
  fileprivate mutating func merge(_ other: Self) {
    runs += other.runs
    active += other.active
    byStage.merge(other.byStage, uniquingKeysWith: +)
  }
}

extension RunTally.Hitches {
  fileprivate mutating func merge(_ other: Self) {
    runs += other.runs
    count += other.count
    total += other.total
    span += other.span
  }
}

extension RunTally.Values {
  fileprivate mutating func merge(_ other: Self) {
    counts.merge(other.counts)
    missing += other.missing
    runs += other.runs
    inferred += other.inferred
  }
}
