/// Probabilities of several tests made at once, put right for their number.
public enum MultipleTests {
  /// So that the chance of any false finding at all keeps to the level.
  ///
  /// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
  /// of Statistics 6 (1979).
  public static func holm(_ probabilities: [Double]) -> [Double] {
    let order = ranked(probabilities)
    var adjusted = probabilities
    var largest = 0.0
    for (rank, place) in order.enumerated() {
      largest = max(largest, probabilities[place] * Double(order.count - rank))
      adjusted[place] = min(largest, 1)
    }
    return adjusted
  }

  /// So that the share of false findings among all findings keeps to the level.
  ///
  /// Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", Journal of the
  /// Royal Statistical Society B 57 (1995).
  public static func benjaminiHochberg(_ probabilities: [Double]) -> [Double] {
    let order = ranked(probabilities)
    var adjusted = probabilities
    var smallest = 1.0
    for (rank, place) in order.enumerated().reversed() {
      smallest = min(smallest, probabilities[place] * Double(order.count) / Double(rank + 1))
      adjusted[place] = smallest
    }
    return adjusted
  }

  private static func ranked(_ probabilities: [Double]) -> [Int] {
    probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
  }
}
