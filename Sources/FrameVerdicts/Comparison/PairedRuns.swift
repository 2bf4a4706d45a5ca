import FrameAnalysis
import FrameStatistics
import FrameTrace

/// Alternating runs of two sides: each pair has one run of each side, in random order.
public struct PairedRuns: Sendable {
  /// What was measured, and how it is judged.
  public struct Terms: Hashable, Sendable {
    /// The names of the sides.
    public var names = SideNames(before: "A", after: "B")
    /// What is compared.
    public var kind = ComparisonOptions.Kind.frames
    /// The metrics or figures to compare, as the user named them.
    public var metrics: [String] = []
    /// The smallest changes worth acting on, as the user gave them.
    public var thresholds: [String] = []

    /// Frame times of A and B, with their default figures.
    public init() {}
  }

  /// The tags of a run's line: its side and its pair number.
  public static let (sideTag, pairTag) = ("side", "pair")
  /// The numbers that pairs may have.
  private static let numbers = 1...1_000_000_000
  /// The values of the first tag.
  public static let (firstSide, secondSide) = ("a", "b")

  /// What was measured, and how it is judged.
  public let terms: Terms
  /// The lines of the file, in order.
  package let lines: [SummarizedRun]
  /// The complete pairs, in order.
  public let pairs: [(before: RunSummary, after: RunSummary)]
  /// Why runs failed, in order.
  public let failures: [String]
  /// The number of the last pair that was begun; 0 if none was.
  public let lastPair: Int
  /// The number of runs that have no partner.
  public let unpaired: Int

  /// - Parameter lines: The lines of a file, in order. A later run of the same side and pair replaces the previous one.
  package init(_ terms: Terms, _ lines: [SummarizedRun]) {
    (self.terms, self.lines) = (terms, lines)
    var runs: [Int: (before: RunSummary?, after: RunSummary?)] = [:]
    var failures: [String] = []
    var last = 0
    for line in lines {
      guard let side = line.tags[Self.sideTag], [Self.firstSide, Self.secondSide].contains(side),
        let pair = line.tags[Self.pairTag].flatMap({ Int($0) }), Self.numbers.contains(pair)
      else { continue }
      last = max(last, pair)
      if case .failed(let reason) = line.outcome { failures.append(reason) }
      guard let run = line.run else { continue }
      var both = runs[pair] ?? (nil, nil)
      if side == Self.firstSide { both.before = run } else { both.after = run }
      runs[pair] = both
    }
    let sorted = runs.sorted { $0.key < $1.key }.map(\.value)
    pairs = sorted.compactMap { both in
      both.before.flatMap { before in both.after.map { (before, $0) } }
    }
    unpaired = sorted.count - pairs.count
    self.failures = failures
    lastPair = last
  }

  /// Compares the sides by a rule that may be applied after each pair.
  /// - Parameter options: The options that the terms do not set.
  public func compared(_ options: ComparisonOptions = .init()) throws(ComparisonRefusal)
    -> Comparison
  {
    let fewest = PairedEvidence.fewest(error: ComparisonConstants.doubt)
    guard pairs.count >= fewest else {
      throw ComparisonRefusal.fewPairs(found: pairs.count, needed: fewest)
    }
    var options = options
    options.isSequential = true
    options.names = terms.names
    options.kind = terms.kind
    if options.thresholds.isEmpty {
      options.thresholds = try RunMetric.thresholds(terms.thresholds)
    }
    // The figures of frames do not apply to launches.
    if !options.figures.isChosen, terms.kind != .launch {
      options.figures = try ComparedFigures(terms.metrics)
    }
    return try Comparison(pairs.map(\.before), pairs.map(\.after), options: options)
  }
}

extension Comparison {
  /// Whether more pairs would not give more information: a change is shown, or a change for the worse is ruled out, and
  /// no change in the opposite direction is likely.
  package var isDecided: Bool {
    let gating = metrics.filter(\.isGating)
    return switch overall {
    case .regressed: true
    case .improved: !gating.contains { $0.verdict == .inconclusive && $0.effect >= $0.threshold }
    case .noChange: !gating.contains { $0.effect <= -$0.threshold }
    default: false
    }
  }
}

extension RunMetric {
  /// The thresholds given by strings such as `p95=3`.
  public static func thresholds(_ texts: [String]) throws(ComparisonRefusal) -> [RunMetric: Double]
  {
    var thresholds: [RunMetric: Double] = [:]
    for text in texts {
      let parts = text.split(separator: "=").map(String.init)
      // A run's launch time has one figure, its median.
      let name = parts.first.map { LaunchMeasure(named: $0) == nil ? $0 : RunMetric.p50.rawValue }
      guard parts.count == 2, let metric = name.flatMap(RunMetric.init),
        let size = Double(parts[1]), size > 0, size < 1e6
      else { throw ComparisonRefusal.badThreshold(text) }
      thresholds[metric] = metric.effectUnit == "%" ? size / 100 : size
    }
    return thresholds
  }
}
