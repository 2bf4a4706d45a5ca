import FrameStatistics

/// A search for the commit that changed a figure. First, the two ends are compared in pairs; then commits in between
/// are measured until one is certain enough.
public struct Bisection: Sendable {
  /// A run that was measured.
  public struct Step: Hashable, Sendable {
    /// The commit's position: 0 is the good one.
    public let position: Int
    /// The figure, in its unit.
    public let value: Double
  }

  /// The next action.
  public enum Next: Hashable, Sendable {
    /// Measure both ends, in this order.
    case pair(goodFirst: Bool)
    /// Measure a commit.
    case run(Int)
    case end(Ending)
  }

  /// How a search ends.
  public enum Ending: Hashable, Sendable {
    /// The change is at one of these positions, with a probability.
    case found(ClosedRange<Int>, chance: Double)
    /// The ends do not differ by the threshold or more.
    case noChange
    /// The limit of runs was reached.
    case undecided
  }

  /// The position of the bad end.
  public let last: Int
  /// The figure that is searched for the change.
  public let figure: SearchedFigure
  /// The stated probability of a wrong answer.
  public let error: Double
  /// The seed that determines the order of the ends.
  public let seed: UInt64
  /// The maximum number of runs.
  public var mostRuns: Int
  /// The cost of a build, in runs.
  public var buildCost: Double {
    didSet { search?.buildCost = buildCost }
  }
  /// The runs so far, in order.
  public private(set) var steps: [Step] = []
  /// Positions that cannot be measured.
  public private(set) var skipped: Set<Int> = []
  /// The runs of the ends before the search, in pairs.
  private var good: [Double] = []
  private var bad: [Double] = []
  private var search: CommitSearch?
  private var areEqual = false

  /// - Parameter last: The position of the bad end, at least 1.
  public init(
    last: Int, figure: SearchedFigure, error: Double, seed: UInt64, mostRuns: Int, buildCost: Double
  ) {
    (self.last, self.figure, self.error, self.seed) = (last, figure, error, seed)
    (self.mostRuns, self.buildCost) = (mostRuns, buildCost)
  }

  /// Whether the ends are known to differ.
  public var areEndsCompared: Bool { search != nil || areEqual }

  /// The next action.
  public var next: Next {
    guard let search else {
      if areEqual { return .end(.noChange) }
      guard steps.count + 2 <= mostRuns else { return .end(.undecided) }
      return .pair(
        goodFirst: MeasuringPlan.isBeforeFirst(inPair: good.count + 1, seed: seed))
    }
    if let answer = search.answer(error: error) {
      if let position = search.confirmation(of: answer) {
        return steps.count < mostRuns ? .run(position) : .end(.undecided)
      }
      return .end(.found(answer.positions, chance: answer.chance))
    }
    guard steps.count < mostRuns, let position = search.next else { return .end(.undecided) }
    return .run(position)
  }

  /// Records a run of each end.
  public mutating func add(good goodValue: Double, bad badValue: Double, goodFirst: Bool) {
    let pair = [Step(position: 0, value: goodValue), Step(position: last, value: badValue)]
    steps += goodFirst ? pair : pair.reversed()
    good.append(figure.scaled(goodValue))
    bad.append(figure.scaled(badValue))
    if search == nil { compareEnds() }
  }

  /// Records a run, once the ends are known to differ.
  public mutating func add(_ value: Double, at position: Int) {
    steps.append(Step(position: position, value: value))
    search?.add(figure.scaled(value), at: position)
  }

  /// Records that a position cannot be measured.
  public mutating func skip(_ position: Int) {
    skipped.insert(position)
    search?.skip(position)
  }

  /// Begins the search once the ends differ. The rule is the same as for sequential comparisons, applied to both sides.
  private mutating func compareEnds() {
    let evidence = PairedEvidence(zip(good, bad).map { $1 - $0 })
    let needed = -Elementary.log(min(ComparisonConstants.sequentialLevel, error / 2))
    if max(evidence.log(above: 0), evidence.log(below: 0)) >= needed {
      search = CommitSearch(
        last: last, buildCost: buildCost,
        ends: steps.map { .init(position: $0.position, value: figure.scaled($0.value)) })
      for position in skipped { search?.skip(position) }
    } else if evidence.canRuleOut(error: ComparisonConstants.doubt),
      let low = evidence.lowerBound(error: ComparisonConstants.doubt),
      let high = evidence.upperBound(error: ComparisonConstants.doubt),
      low > -figure.threshold, high < figure.threshold
    {
      areEqual = true
    }
  }
}

extension Bisection {
  /// The probability that each position after the first is the one that changed the figure; empty before the search.
  public var chances: [Double] { search?.chances ?? [] }

  /// The median of the runs at a position, in the figure's unit; `nil` without runs.
  public func level(at position: Int) -> Double? { level { $0 == position } }

  /// The median of the runs at the positions that meet a condition.
  public func level(where condition: (Int) -> Bool) -> Double? {
    let values = steps.filter { condition($0.position) }.map(\.value)
    return values.isEmpty ? nil : RealQuantile.type7(values, 0.5)
  }

  /// A change between two levels in the unit of changes.
  public func effect(from before: Double, to after: Double) -> Double {
    figure.effect(figure.scaled(after) - figure.scaled(before))
  }

  /// How far the ends differ, with bounds that hold at every look, in the unit of changes; `nil` with too few pairs.
  public var ends: (effect: Double, interval: ClosedRange<Double>)? {
    let evidence = PairedEvidence(zip(good, bad).map { $1 - $0 })
    let doubt = ComparisonConstants.doubt
    guard let low = evidence.lowerBound(error: doubt), let high = evidence.upperBound(error: doubt)
    else { return nil }
    let bounds = (figure.effect(low), figure.effect(high))
    return (figure.effect(evidence.center), bounds.0...max(bounds.0, bounds.1))
  }

  /// Positions between which there may be another change, because runs on the same side of the found change differ.
  public func otherChanges(besides found: ClosedRange<Int>) -> [ClosedRange<Int>] {
    guard let before = level(where: { $0 < found.lowerBound }),
      let after = level(where: { $0 >= found.upperBound })
    else { return [] }
    let least = abs(figure.scaled(after) - figure.scaled(before)) / 4
    let positions = Set(steps.map(\.position)).sorted()
    let sides = [
      positions.filter { $0 < found.lowerBound }, positions.filter { $0 >= found.upperBound },
    ]
    return sides.compactMap { otherChange(among: $0, ofAtLeast: least) }
  }

  /// The neighbors among some positions between which runs differ most, if they differ by more than random variation.
  private func otherChange(among positions: [Int], ofAtLeast least: Double) -> ClosedRange<Int>? {
    let found = positions.indices.dropFirst().compactMap {
      split -> (range: ClosedRange<Int>, p: Double)? in
      let sides = [positions[..<split], positions[split...]].map { side in
        steps.filter { side.contains($0.position) }.map { figure.scaled($0.value) }
      }
      guard sides.allSatisfy({ $0.count >= 2 }) else { return nil }
      let test = TwoSampleT.welch(sides[0], sides[1])
      guard abs(test.difference) >= least else { return nil }
      return (positions[split - 1]...positions[split], test.pTwoSided)
    }
    guard let best = found.min(by: { $0.p < $1.p }) else { return nil }
    return best.p * Double(positions.count - 1) < Self.muchDifference ? best.range : nil
  }

  /// The probability below which runs of one side differ by more than random variation.
  private static let muchDifference = 0.005
}
