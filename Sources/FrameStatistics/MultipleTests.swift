/// Adjusts the probabilities of several simultaneous tests for their number.
package enum MultipleTests {
  /// Adjusts probabilities so that, of the findings at a level, on average at most that share is false.
  ///
  /// Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B
  /// 57 (1995).
  package static func benjaminiHochberg(_ probabilities: [Double]) -> [Double] {
    var adjusted = probabilities
    var smallest = 1.0
    for (rank, position) in ranked(probabilities).enumerated().reversed() {
      smallest = min(
        smallest, probabilities[position] * Double(probabilities.count) / Double(rank + 1))
      adjusted[position] = smallest
    }
    return adjusted
  }

  private static func ranked(_ probabilities: [Double]) -> [Int] {
    probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
  }
}
