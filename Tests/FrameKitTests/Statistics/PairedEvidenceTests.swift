import Testing

@testable import FrameStatistics

/// Bets on the signs of differences.
@Suite struct PairedEvidenceTests {
  /// With tanh 1.2 = 0.833655 for the first two bets, and 1 for the third, as three equal values have no spread: the
  /// players make 6.2618, 3.0111 and 1.4556 of one, and 0.0021638, 0.170045 and 0.650710 where they lose.
  @Test func equalDifferencesWinWhatTheStakesSay() {
    let won = PairedEvidence([1, 1, 1])
    #expect(abs(Elementary.exp(won.log(above: 0)) - 5.77699) < 1e-4)
    #expect(abs(Elementary.exp(won.log(below: 0)) - 0.043215) < 1e-5)
  }

  /// A small change in much noise is found in the end: high stakes alone would lose on it.
  @Test func aSmallChangeIsFoundInTheEnd() {
    var random = SplitMix64(seed: 12)
    let differences = (0..<2000).map { _ in
      0.2 + (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
    }
    #expect(PairedEvidence(differences).log(above: 0) > 3.7)
  }

  /// Differences of all sizes, with ties, zeros, and one far out.
  private static let sizes: [[Double]] = [
    [1, 1, 1, 1, 1, 1, 1, 1], [0.1, 3, 0.2, 5, 1, 1, 40, 2], [2, 0, 2, 0, 2, 2, 0, 2],
    [1, 2, 4, 8, 16, 32, 64, 128], [5, 4, 3, 2, 1, 0.5, 0.25, 0.1],
  ]

  /// Over all signs that chance may give differences of these sizes, the capital is what it was: the bets are fair,
  /// whatever the sizes. So no more than one in forty of them may ever reach forty.
  @Test(arguments: sizes) func betsAreFair(_ sizes: [Double]) {
    var sum = 0.0
    var reached = 0
    for signs in 0..<(1 << sizes.count) {
      let differences = sizes.enumerated().map { signs >> $0 & 1 == 0 ? $1 : -$1 }
      sum += Elementary.exp(PairedEvidence(differences).log(above: 0))
      let logs = (1...sizes.count).map { PairedEvidence(Array(differences[..<$0])).log(above: 0) }
      if logs.contains(where: { $0 >= Elementary.log(40) }) { reached += 1 }
    }
    let count = Double(1 << sizes.count)
    #expect(abs(sum / count - 1) < 1e-9)
    #expect(Double(reached) / count <= 1.0 / 40)
  }

  /// Both sides of the fewest pairs: five equal ones rule something out at 5 %, and four do not; six show a change at
  /// 2.5 %, and five do not.
  @Test func fewPairsDecideNothing() {
    #expect(PairedEvidence.fewest(error: 0.05) == 5)
    #expect(PairedEvidence.fewest(error: 0.025) == 6)
    for (error, fewest) in [(0.05, 5), (0.025, 6)] {
      let logs = [fewest - 1, fewest].map {
        PairedEvidence([Double](repeating: 1, count: $0)).log(above: 0)
      }
      #expect(logs[0] < -Elementary.log(error) && logs[1] >= -Elementary.log(error))
    }
    #expect(PairedEvidence([1, 2, 3, 4]).upperBound(error: 0.05) == nil)
    #expect(PairedEvidence([1, 2, 3, 4, 5]).upperBound(error: 0.05) != nil)
    #expect(PairedEvidence([]).lowerBound(error: 0.05) == nil)
  }

  private static func differences(_ random: inout SplitMix64) -> [Double] {
    (0..<(5 + Int(random.next() % 20))).map { _ in
      let value = random.nextUnit() - 0.4
      return random.next() % 9 == 0 ? 10 * value : value
    }
  }

  /// The bounds are where the evidence against a typical difference is what the error asks for; they hold the center,
  /// move with the values, and grow with them.
  @Test func boundsAreWhereTheEvidenceIs() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<50 {
      let values = Self.differences(&random)
      let evidence = PairedEvidence(values)
      let high = try #require(evidence.upperBound(error: 0.05))
      let low = try #require(evidence.lowerBound(error: 0.05))
      #expect(low < evidence.center && evidence.center < high)
      // The first two bets are on signs only, so that the evidence may jump there.
      let needed = Elementary.log(20)
      #expect(
        evidence.log(below: high + 1e-6) >= needed && evidence.log(below: high - 1e-6) < needed)
      #expect(evidence.log(above: low - 1e-6) >= needed && evidence.log(above: low + 1e-6) < needed)
      let moved = PairedEvidence(values.map { 3 * $0 + 7 })
      let movedHigh = try #require(moved.upperBound(error: 0.05))
      #expect(abs(movedHigh - (3 * high + 7)) < 1e-6)
      let mirrored = PairedEvidence(values.map { -$0 })
      let mirroredLow = try #require(mirrored.lowerBound(error: 0.05))
      #expect(abs(mirroredLow + high) < 1e-9)
    }
  }

  /// More of a change never gives less evidence of it.
  @Test func moreOfAChangeIsMoreEvidence() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<50 {
      let values = Self.differences(&random)
      let logs = [0, 0.1, 0.3, 1, 5].map { more in
        PairedEvidence(values.map { $0 + more }).log(above: 0)
      }
      #expect(zip(logs, logs.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func theCenterIgnoresAFew() {
    #expect(PairedEvidence([1, 2, 3]).center == 2)
    #expect(PairedEvidence([1, 2, 3, 1000, 2, 1, 3]).center < 3)
  }

  @Test func howManyPairsAreNeeded() {
    let even = PairedEvidence([1.0, 1.1, 0.9, 1.05, 0.95])
    let sizes = even.sizes(toFind: 0.5, error: 0.025, doubt: 0.05)
    #expect(sizes.toDecide.map { (6...9).contains($0) } == true)
    #expect(
      PairedEvidence([1, -1, 1, -1, 1, -1]).sizes(toFind: 0.1, error: 0.025, doubt: 0.05).toFind
        == nil)
  }

  /// Where most differences are the same, twice as many pairs are needed to rule anything out, and nothing that was seen
  /// is ruled out.
  @Test func fewMissesAreNotRuledOut() throws {
    let none = [Double](repeating: 0, count: 9)
    #expect(!PairedEvidence(none).canRuleOut(error: 0.05))
    #expect(PairedEvidence(none + [0]).canRuleOut(error: 0.05))
    #expect(
      PairedEvidence([0, 0, 0, 0, 0]).sizes(toFind: 1, error: 0.025, doubt: 0.05).toDecide == 10)
    let once = PairedEvidence(none + [2])
    let high = try #require(once.upperBound(error: 0.05))
    #expect(once.isTied && high >= 2)
    #expect(!PairedEvidence([1, 2, 3, 4, 5]).isTied)
  }
}
