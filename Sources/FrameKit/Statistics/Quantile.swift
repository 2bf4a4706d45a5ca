/// Quantiles of a sample by linear interpolation between the two nearest values.
///
/// Type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
/// Statistician 50 (1996): for n values in order x₀ … xₙ₋₁ and h = (n − 1)p it is
/// x⌊h⌋ + (h − ⌊h⌋)(x⌊h⌋₊₁ − x⌊h⌋). The default of R, NumPy and spreadsheets.
public enum Quantile {
  /// The quantiles at `probabilities`, from 0 to 1 and in order, in time linear in the
  /// number of values; `nil` for a sample without values.
  public static func type7(_ values: [Int64], _ probabilities: [Double]) -> [Double]? {
    RankSelection.limits(values).flatMap { type7(values, probabilities, limits: $0) }
  }

  /// The same, for values whose ends are known already.
  static func type7(
    _ values: [Int64], _ probabilities: [Double], limits: (low: Int64, high: Int64)
  ) -> [Double]? {
    guard !values.isEmpty else { return nil }
    let positions = probabilities.map { Double(values.count - 1) * $0 }
    var ranks: [Int] = []
    for position in positions {
      let rank = Int(position)
      ranks.append(rank)
      ranks.append(min(rank + 1, values.count - 1))
    }
    let found = RankSelection.select(ranks.sorted(), of: values, limits: limits)
    let byRank = Dictionary(zip(ranks.sorted(), found)) { first, _ in first }
    return positions.map { position in
      let rank = Int(position)
      let lower = Double(byRank[rank] ?? 0)
      let upper = Double(byRank[min(rank + 1, values.count - 1)] ?? 0)
      return lower + (position - Double(rank)) * (upper - lower)
    }
  }
}
