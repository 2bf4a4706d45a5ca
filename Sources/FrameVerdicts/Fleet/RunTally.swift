public import FrameAnalysis
public import FrameStatistics

/// What is counted of a run, or of several together.
///
/// Every part is a whole number or a count of values in fixed bins, so that tallies add up in any order and in any
/// grouping to the same bits. A part that no run could tell is `nil` or absent, and never 0.
public struct RunTally: Hashable, Sendable {
  /// How many runs it is of.
  public package(set) var runs: Int64 = 1
  /// What became of the frames.
  public package(set) var frames = Frames()
  /// `nil` where no run's trace tells which refreshes were dropped.
  public package(set) var drops: Drops?
  /// `nil` where no run's trace tells them.
  public package(set) var hitches: Hitches?
  /// The values of all runs by what they are of, in millionths of the metric's unit.
  public package(set) var values: [TallyKey: Values] = [:]
  /// The figures of the runs: a value for each run that has one, in millionths of the metric's unit.
  public package(set) var figures: [RunFigure: FigureValues] = [:]
  /// How many runs have frame times that are bound to the display's refreshes, so that quantiles stand still until they
  /// jump.
  public package(set) var bound: Int64 = 0

  /// What became of frames.
  public struct Frames: Hashable, Sendable {
    /// How many frames there are, and how many had each end.
    public package(set) var count, displayed, replaced, discarded, unresolved: Int64

    package init() { (count, displayed, replaced, discarded, unresolved) = (0, 0, 0, 0, 0) }

    init(_ outcomes: FrameOutcomes) {
      (count, displayed) = (Int64(outcomes.count), Int64(outcomes.displayed))
      (replaced, discarded) = (Int64(outcomes.replaced), Int64(outcomes.discarded))
      unresolved = Int64(outcomes.unresolved)
    }

    /// Frames that were never shown.
    public var neverShown: Int64 { replaced + discarded }

    /// Their share of the frames of which it is known; `nil` where none is known to have been shown.
    public var neverShownShare: Double? {
      displayed > 0 ? Double(neverShown) / Double(displayed + neverShown) : nil
    }
  }

  /// Dropped refreshes.
  public struct Drops: Hashable, Sendable {
    /// How many runs tell of them.
    public package(set) var runs: Int64 = 1
    /// How many refreshes there were while surfaces were active.
    public package(set) var active: Int64
    /// How many refreshes were dropped, by the stage that they are charged to.
    public package(set) var byStage: [PipelineStage: Int64]

    package init(
      runs: Int64 = 1, active: Int64, byStage: [PipelineStage: Int64]
    ) {
      self.runs = runs
      self.active = active
      self.byStage = byStage
    }

    /// How many refreshes were dropped.
    public var refreshes: Int64 { byStage.values.reduce(0, +) }
    /// `nil` without an active refresh.
    public var share: Double? { active > 0 ? Double(refreshes) / Double(active) : nil }
  }

  /// Hitches.
  public struct Hitches: Hashable, Sendable {
    /// How many runs tell of them.
    public package(set) var runs: Int64 = 1
    /// How many hitches there are.
    public package(set) var count: Int64
    /// The sum of all, and the time that they are over, in nanoseconds.
    public package(set) var total, span: Int64

    package init(
      runs: Int64 = 1, count: Int64, total: Int64, span: Int64
    ) {
      self.runs = runs
      self.count = count
      self.total = total
      self.span = span
    }

    /// The hitch time of each second, in milliseconds; `nil` without time.
    public var ratio: Double? { span > 0 ? Double(total) / Double(span) * 1000 : nil }
  }

  /// Values of one metric.
  public struct Values: Hashable, Sendable {
    /// The values with how often each comes.
    public package(set) var counts: ValueCounts
    /// How many frames should have a value and have none.
    public package(set) var missing: Int64 = 0
    /// How many runs have values.
    public package(set) var runs: Int64 = 1
    /// In how many of them values were inferred and not recorded.
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
  /// A tally of no run, to add others to.
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
    values.merge(other.values) { one, other in
      var sum = one
      sum.merge(other)
      return sum
    }
    figures.merge(other.figures) { one, other in
      var sum = one
      sum.merge(other)
      return sum
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
