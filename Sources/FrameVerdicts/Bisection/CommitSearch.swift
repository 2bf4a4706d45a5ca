package import FrameStatistics

/// A search for the commit at which a figure changed its level, among ordered commits.
///
/// Position 0 is a commit with the old level, and the last position is one with the new level. The next position to
/// measure depends on where the change may be: the run that is expected to give the most information for its cost.
package struct CommitSearch: Sendable {
  /// The last position.
  package let last: Int
  /// The values measured so far, in order.
  package private(set) var values: [ChangePosterior.Value]
  /// The positions that cannot be measured, because they cannot be built or run.
  package private(set) var skipped: Set<Int> = []
  /// The cost of a build, in runs.
  package var buildCost: Double
  /// The probability that each position after the first is the first with the new level.
  package private(set) var chances: [Double]
  /// The probability that consecutive runs deviate together.
  package private(set) var togetherness = 0.0

  /// - Parameter ends: Values of position 0 and of the last position, at least two for each, in order.
  package init(last: Int, buildCost: Double = 1, ends: [ChangePosterior.Value]) {
    self.last = last
    self.buildCost = buildCost
    values = ends
    chances = [Double](repeating: 1 / Double(max(1, last)), count: last)
  }

  /// Records a value.
  package mutating func add(_ value: Double, at position: Int) {
    values.append(ChangePosterior.Value(position: position, value: value))
    let posterior = ChangePosterior(last: last, values: values, floor: floor)
    (chances, togetherness) = (posterior.chances, posterior.togetherness)
  }

  /// Records that a position cannot be measured.
  package mutating func skip(_ position: Int) { skipped.insert(position) }

  /// The median of the values at a position; `nil` if there are none.
  package func level(at position: Int) -> Double? {
    let found = values.filter { $0.position == position }.map(\.value)
    return found.isEmpty ? nil : RealQuantile.type7(found, 0.5)
  }

  /// A hundredth of the difference between the ends, or of the range of their values: less noise makes no difference.
  private var floor: Double {
    let ends = values.filter { $0.position == 0 || $0.position == last }.map(\.value)
    guard let least = ends.min(), let most = ends.max() else { return 1e-9 }
    return max((most - least) / 100, 1e-9)
  }

  /// The positions that have values.
  package var measured: Set<Int> { Set(values.map(\.position)) }

  /// The most probable position.
  package var best: Int { 1 + (chances.indices.max { chances[$0] < chances[$1] } ?? 0) }

  /// The answer: one position, or several consecutive ones that skipped positions keep together.
  package struct Answer: Hashable, Sendable {
    package let positions: ClosedRange<Int>
    package let chance: Double
  }

  /// The answer if it is certain enough; `nil` if more runs are needed.
  /// - Parameter error: The probability with which the answer may be wrong.
  package func answer(error: Double) -> Answer? {
    let best = self.best
    if chances[best - 1] >= 1 - error {
      return Answer(positions: best...best, chance: chances[best - 1])
    }
    // Skipped positions before the best one cannot be distinguished from it, nor can it be distinguished from the next
    // ones if it is skipped.
    let range = together(with: best)
    let chance = range.reduce(0) { $0 + chances[$1 - 1] }
    return range.count > 1 && chance >= 1 - error ? Answer(positions: range, chance: chance) : nil
  }

  /// The minimum number of runs on either side of an answer: a single stray run at a position looks like the change
  /// itself.
  private static let fewestBeside = 3

  /// A position that has to be measured before an answer counts; `nil` if there is none. The positions on either side
  /// of the answer need a few runs each. Then both ends need one more run, which shows whether the machine became
  /// slower during the search.
  package func confirmation(of answer: Answer) -> Int? {
    let measured = measured
    let beside = [
      measured.filter { $0 < answer.positions.lowerBound }.max(),
      measured.filter { $0 >= answer.positions.upperBound }.min(),
    ]
    for case let position? in beside where !skipped.contains(position) {
      if values.count(where: { $0.position == position }) < Self.fewestBeside { return position }
    }
    let recent = values.reversed().prefix { $0.position == 0 || $0.position == last }
    return [0, last].first { end in !recent.contains { $0.position == end } }
  }

  /// The positions that cannot be distinguished from a position, because those in between are skipped.
  private func together(with position: Int) -> ClosedRange<Int> {
    var (low, high) = (position, position)
    while low > 1, skipped.contains(low - 1) { low -= 1 }
    while high < last, skipped.contains(high) { high += 1 }
    return low...high
  }

  /// The maximum number of consecutive runs without a run of an end: a machine that became slower in that time looks
  /// like a slow commit. If runs deviate together, the maximum is one.
  private var mostApart: Int { togetherness > 0.5 ? 1 : 3 }

  /// The position to measure next; `nil` if none can be measured.
  package var next: Int? {
    let measured = measured
    let runs = runsToTell
    var bad = 0.0
    var found: (position: Int, gain: Double)?
    for position in 0...last {
      if position > 0 { bad += chances[position - 1] }
      guard !skipped.contains(position) else { continue }
      let cost = 1 + (measured.contains(position) ? 0 : buildCost / runs)
      let gain = Self.entropy(bad) / cost
      if gain > found?.gain ?? 0 { found = (position, gain) }
    }
    guard let found else { return nil }
    return reference(after: found.position) ?? found.position
  }

  /// An end to measure instead of a position, because its level is less well known than that of the position, or
  /// because no end was measured for a while.
  private func reference(after position: Int) -> Int? {
    guard position != 0, position != last else { return nil }
    let known = [0, last].map { end in
      (end: end, runs: values.count { isSurely($0.position, with: end) })
    }
    guard let least = known.min(by: { $0.runs < $1.runs }) else { return nil }
    if values.count(where: { $0.position == position }) > least.runs { return least.end }
    let apart = values.reversed().prefix { $0.position != 0 && $0.position != last }.count
    guard apart >= mostApart else { return nil }
    let ends = [0, last].map { end in (end: end, runs: values.count { $0.position == end }) }
    return ends.min { $0.runs < $1.runs }?.end
  }

  /// Whether a position very probably has the level of an end.
  private func isSurely(_ position: Int, with end: Int) -> Bool {
    let bad = chances[..<position].reduce(0, +)
    return end == 0 ? bad < 0.05 : bad > 0.95
  }

  /// The number of runs needed to show on which side of the change a position is, from 1 to 10. A build's cost is
  /// spread over these runs.
  private var runsToTell: Double {
    guard let good = level(at: 0), let bad = level(at: last), bad != good else { return 10 }
    let own = [0, last].map { position in values.filter { $0.position == position }.map(\.value) }
    let spread = own.map { Moments($0).variance }.reduce(0, +) / 2
    return min(max(6 * spread / ((bad - good) * (bad - good)), 1), 10)
  }

  /// The entropy of a coin with this probability.
  private static func entropy(_ p: Double) -> Double {
    guard p > 1e-12, p < 1 - 1e-12 else { return 0 }
    return -p * Elementary.log(p) - (1 - p) * Elementary.log(1 - p)
  }
}
