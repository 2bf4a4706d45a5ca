/// The runs of one side of a comparison.
public struct ComparedSide: Sendable {
  /// What the side is called.
  public let name: String
  /// Its runs, in the order in which they were measured.
  public let runs: [RunSummary]

  /// A side of these runs.
  public init(_ name: String, _ runs: [RunSummary]) { (self.name, self.runs) = (name, runs) }
}

/// Several sides, each compared with the first, which is the baseline.
public struct ComparisonOfSides: Sendable {
  /// One for each side after the baseline, in order.
  public let comparisons: [Comparison]

  /// A comparison of two sides.
  public init(_ comparison: Comparison) { comparisons = [comparison] }

  /// Compares sides with the first of them. They share the level, so that a false alarm is as rare as
  /// between two sides.
  /// - Parameter sides: With fewer than two there is nothing to compare.
  public init(
    _ sides: [ComparedSide], _ options: ComparisonOptions = .init()
  ) throws(ComparisonRefusal) {
    guard let baseline = sides.first else {
      comparisons = []
      return
    }
    var comparisons: [Comparison] = []
    var options = options
    options.sidesCompared = max(1, sides.count - 1)
    for side in sides.dropFirst() {
      options.names = SideNames(before: baseline.name, after: side.name)
      comparisons.append(try Comparison(baseline.runs, side.runs, options))
    }
    self.comparisons = comparisons
  }

  /// The verdict of all sides: that of the worst.
  public var overall: Verdict { Comparison.worst(comparisons.map(\.overall)) }
}
