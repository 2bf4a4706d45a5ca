import FrameStatistics

/// How the runs of two sides were made, as far as this is known.
public enum RunDesign: String, Hashable, Sendable, CaseIterable {
  /// One run of each side belongs together, as stated by the user or as shown by names or order.
  case pairs
  /// The order is known, and neither side was completely measured first.
  case turns
  /// All runs of one side came before the runs of the other, so that a drift looks like a change.
  case blocks
  /// The order is not known.
  case unknown
}

/// The runs of two sides, in the order in which they are compared.
struct DesignedRuns {
  private(set) var before, after: [RunSummary]
  let design: RunDesign
  /// The index of each run of both sides in the order in which the runs were made, or in an order in which a drift
  /// would explain the difference of the sides; `nil` if neither is known.
  private(set) var positions: [Int]?
  /// The share by which runs seem to get slower from one to the next, if their order is unknown.
  private(set) var drift: Double?
  /// The first run of each side, if both differ from the other runs in the same way.
  private(set) var firstRuns: FirstRuns?

  init(_ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions) {
    let given =
      options.isPaired
      ? RunPairs.given(before, after)
      : options.history.isEmpty && !options.isSequential ? RunPairs.named(before, after) : nil
    if options.isSequential {
      (self.before, self.after) = (before, after)
    } else {
      (self.before, self.after) =
        given ?? (Comparison.inOrder(before), Comparison.inOrder(after))
    }
    positions = RunOrder.positions(self.before, self.after)
    let shown = positions.map { RunPairs.areShown(by: $0, of: before.count) } ?? false
    if given != nil || options.isSequential || shown {
      design = .pairs
    } else if let positions {
      design = Self.areApart(positions, before.count) ? .blocks : .turns
    } else {
      design = .unknown
    }
    guard options.history.isEmpty, !options.isSequential, options.kind == .frames else { return }
    // The first pair by name, or in the given order, is not necessarily the first one made.
    firstRuns = given == nil ? FirstRuns(self.before, self.after) : nil
    if firstRuns?.areLeftOut == true {
      self.before.removeFirst()
      self.after.removeFirst()
      positions = RunOrder.positions(self.before, self.after)
    }
    guard design == .unknown, let named = NamedDrift(self.before, self.after) else { return }
    (positions, drift) = (named.positions, named.share)
  }

  private static func areApart(_ positions: [Int], _ count: Int) -> Bool {
    let (one, other) = (positions.prefix(count), positions.dropFirst(count))
    guard let (first, last) = one.range, let (start, end) = other.range else { return false }
    return last < start || end < first
  }
}

extension ArraySlice<Int> {
  fileprivate var range: (first: Int, last: Int)? {
    self.min().flatMap { least in self.max().map { (least, $0) } }
  }
}

/// A drift over runs whose order is suggested only by their names.
private struct NamedDrift {
  /// The change from one run to the next, as a share.
  let share: Double
  /// The positions of the runs of both sides if one side came first: the side for which the drift explains the
  /// difference.
  let positions: [Int]

  /// - Returns: `nil` if there are too few runs to show a drift, or if they show none.
  init?(_ before: [RunSummary], _ after: [RunSummary]) {
    let sides = [before, after].map { runs in
      runs.map { RunMetric.mean.scaled($0.value(.mean)) }
    }
    guard sides.allSatisfy({ $0.count >= 3 }), sides.joined().allSatisfy(\.isFinite) else {
      return nil
    }
    let ranks = [before, after].map(Self.ranks)
    var (squares, products, rest) = (0.0, 0.0, 0.0)
    for (values, positions) in zip(sides, ranks) {
      let (own, middle) = (Moments(values), Double(values.count - 1) / 2)
      rest += own.squares
      for (value, position) in zip(values, positions) {
        let distance = Double(position) - middle
        squares += distance * distance
        products += distance * (value - own.mean)
      }
    }
    let slope = products / squares
    let degrees = Double(sides[0].count + sides[1].count - 3)
    let error = (max(0, rest - slope * products) / degrees / squares).squareRoot()
    guard
      2 * StudentsT.above(abs(slope) / max(error, 1e-9), degrees: degrees) <= Self.level
    else { return nil }
    share = Elementary.exp(slope) - 1
    let difference = Moments(sides[1]).mean - Moments(sides[0]).mean
    let isBeforeFirst = slope * difference > 0
    positions =
      isBeforeFirst
      ? ranks[0] + ranks[1].map { $0 + before.count }
      : ranks[0].map { $0 + after.count } + ranks[1]
  }

  /// The probability of such a slope without a drift.
  private static let level = 0.02

  private static let digits: ClosedRange<Character> = "0"..."9"

  /// The position of each run on its side, by file name, with numbers in names compared as numbers.
  private static func ranks(_ runs: [RunSummary]) -> [Int] {
    let keys = runs.map { run in
      run.file.split(omittingEmptySubsequences: false) { !digits.contains($0) }
        .map { String(repeating: "0", count: max(0, 20 - $0.count)) + $0 }
        + [run.file.filter { !digits.contains($0) }]
    }
    let order = keys.indices.sorted { one, other in
      keys[one].lexicographicallyPrecedes(keys[other])
    }
    var ranks = Array(repeating: 0, count: runs.count)
    for (rank, position) in order.enumerated() { ranks[position] = rank }
    return ranks
  }
}

/// First runs of both sides that differ from the other runs in the same direction, as when a program warms up.
public struct FirstRuns: Hashable, Sendable {
  /// The names of the runs' files.
  package let files: [String]
  /// How much longer the mean frame time of the first runs is than that of the others, as a share.
  package let share: Double
  /// Whether enough other runs remain without the first runs.
  package let areLeftOut: Bool

  package init(files: [String], share: Double, areLeftOut: Bool) {
    (self.files, self.share, self.areLeftOut) = (files, share, areLeftOut)
  }

  /// - Returns: `nil` if the difference of the first runs is likely to be random.
  init?(_ before: [RunSummary], _ after: [RunSummary]) {
    let sides = [before, after].map { runs in
      runs.map { RunMetric.mean.scaled($0.value(.mean)) }
    }
    guard let least = sides.map(\.count).min(), least >= 3,
      sides.joined().allSatisfy(\.isFinite)
    else { return nil }
    let rests = sides.map { Moments(Array($0.dropFirst())) }
    let distances = zip(sides, rests).map { $0[0] - $1.mean }
    let degrees = Double(sides[0].count + sides[1].count - 4)
    let spread = (rests.map(\.squares).reduce(0, +) / degrees).squareRoot()
    let error = sides.map { 1 + 1 / Double($0.count - 1) }.reduce(0, +).squareRoot() / 2 * spread
    let mean = (distances[0] + distances[1]) / 2
    let sizes = distances.map(abs).sorted()
    // A first run that is much slower than the other side's is a change caused by the side.
    guard distances[0] * distances[1] > 0, sizes[0] >= Self.leastDistance,
      sizes[1] <= 2 * sizes[0],
      2 * StudentsT.above(abs(mean) / max(error, 1e-9), degrees: degrees) <= Self.level
    else { return nil }
    files = [before[0].file, after[0].file]
    share = Elementary.exp(mean) - 1
    areLeftOut = least > Self.fewestLeft
  }

  /// The minimum distance of both first runs from the others: a smaller one does not matter, whatever its cause.
  private static let leastDistance = 0.01
  /// The probability of such first runs where none is special.
  private static let level = 0.02
  /// The minimum number of remaining runs: with fewer, a side has no meaningful noise.
  private static let fewestLeft = 3
}
