import Testing

@testable import FrameStatistics

/// Where a level changed.
@Suite struct ChangePosteriorTests {
  typealias Value = ChangePosterior.Value

  /// Values without noise at some positions of 0 to 16, in turns, with the change at 7.
  private static func clear(_ positions: [Int], change: Int = 7, runs: Int = 4) -> [Value] {
    (0..<runs).flatMap { run in
      positions.map { Value(position: $0, value: ($0 >= change ? 5 : 0) + 0.01 * Double(run % 2)) }
    }
  }

  /// Values of positions with these levels, in turns and with a little noise.
  private static func turns(_ runs: Int, _ levels: KeyValuePairs<Int, Double>) -> [Value] {
    (0..<runs).flatMap { run in
      let noise = 0.1 * Double(run % 3)
      return levels.map { Value(position: $0.key, value: $0.value + noise) }
    }
  }

  @Test func theChangeIsBetweenTheMeasuredPositions() {
    let posterior = ChangePosterior(last: 16, values: Self.clear([0, 4, 8, 16]), floor: 0.05)
    #expect(abs(posterior.chances.reduce(0, +) - 1) < 1e-9)
    // Positions 5 to 8 cannot be told apart, and are equally probable.
    #expect(posterior.chances[4...7].allSatisfy { abs($0 - 0.25) < 0.001 })
    let exact = ChangePosterior(last: 16, values: Self.clear([0, 6, 7, 16]), floor: 0.05)
    #expect(exact.chances[6] > 0.99)
  }

  /// Other units, another zero, and the row from its other end change nothing.
  @Test func unitsAndDirectionsDoNotMatter() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<10 {
      let values = (0..<24).map { number in
        Value(
          position: [0, 16, 8, 4, 6][number % 5],
          value: random.nextUnit() + (number % 5 == 1 || number % 5 == 2 ? 1 : 0))
      }
      let chances = ChangePosterior(last: 16, values: values, floor: 0.01).chances
      let scaled = values.map { Value(position: $0.position, value: 50 - 20 * $0.value) }
      let other = ChangePosterior(last: 16, values: scaled, floor: 0.2).chances
      #expect(zip(chances, other).allSatisfy { abs($0 - $1) < 1e-6 })
      let mirrored = values.map { Value(position: 16 - $0.position, value: $0.value) }
      let back = ChangePosterior(last: 16, values: mirrored, floor: 0.01).chances
      #expect(zip(chances, back.reversed()).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  /// A machine that becomes slower by the change itself, after the ends and before position 8 was measured: the ends that
  /// are measured beside it show that.
  @Test func aSlowerMachineIsNoChange() {
    var values = Self.turns(6, [0: 0, 16: 3])
    // Position 8 has the level of the first end, on a machine that is slower by the change.
    values += Self.turns(5, [8: 3])
    let confirmed = values + Self.turns(1, [0: 3, 16: 6])
    let once = ChangePosterior(last: 16, values: confirmed, floor: 0.03)
    #expect(once.chances[..<8].reduce(0, +) < 0.95)
    let beside = Self.turns(6, [0: 3, 8: 3, 16: 6])
    let known = ChangePosterior(last: 16, values: values + beside, floor: 0.03)
    #expect(known.chances[8...].reduce(0, +) > 0.95)
    #expect(known.togetherness > 0.5)
  }

  @Test func oneStrayValueDecidesNothing() {
    let values = Self.clear([0, 4, 16]) + [Value(position: 4, value: 5)]
    #expect(ChangePosterior(last: 16, values: values, floor: 0.05).chances[..<4].reduce(0, +) < 0.2)
  }

  /// Values that are all the same but for the change have no spread.
  @Test func noNoiseIsNoProblem() {
    let values = [0, 16, 0, 16, 8, 8].map { Value(position: $0, value: $0 >= 8 ? 1 : 0) }
    let chances = ChangePosterior(last: 16, values: values, floor: 0.01).chances
    #expect(chances.allSatisfy { $0.isFinite })
    #expect(chances[..<8].reduce(0, +) > 0.9)
  }

  /// Counts of misses lie in heaps: one value in the other heap decides nothing, however near the rest of its heap is.
  @Test func valuesInHeapsAreNotStray() {
    let good = [0.0, 0, 2, 0, 0, 0, 0, 2, 0, 0]
    let bad = [2.0, 2, 0, 2, 2, 2, 0, 2, 2, 2]
    let values = zip(good, bad).flatMap {
      [Value(position: 0, value: $0), Value(position: 16, value: $1)]
    }
    let once = ChangePosterior(
      last: 16, values: values + [Value(position: 8, value: 2)], floor: 0.02)
    #expect(once.chances[..<8].reduce(0, +) < 0.95)
    let often = values + good.map { Value(position: 8, value: $0) }
    #expect(ChangePosterior(last: 16, values: often, floor: 0.02).chances[8...].reduce(0, +) > 0.6)
  }
}
