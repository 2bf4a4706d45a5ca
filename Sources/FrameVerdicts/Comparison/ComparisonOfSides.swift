/// The runs of one side of a comparison.
public struct ComparedSide: Sendable {
  /// The name of the side.
  public let name: String
  /// The runs of the side, in the order in which they were measured.
  public let runs: [RunSummary]

  /// Creates a side from these runs.
  public init(_ name: String, _ runs: [RunSummary]) { (self.name, self.runs) = (name, runs) }
}

/// Several sides, each compared with the first one, which is the baseline.
public struct ComparisonOfSides: Sendable {
  /// The comparisons, one for each side after the baseline, in order.
  public let comparisons: [Comparison]

  /// A comparison of two sides.
  public init(_ comparison: Comparison) { comparisons = [comparison] }

  /// Compares each side with the first one. The comparisons share the level, so that a false alarm is as rare as with
  /// two sides.
  /// - Parameter sides: The sides; with fewer than two, nothing is compared.
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
      comparisons.append(try Comparison(baseline.runs, side.runs, options: options))
    }
    self.comparisons = comparisons
  }

  /// The verdict over all sides: the worst one.
  public var overall: Verdict { Comparison.worst(comparisons.map(\.overall)) }
}
