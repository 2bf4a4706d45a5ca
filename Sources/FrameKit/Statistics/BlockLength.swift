/// How long the blocks of a bootstrap have to be for values that depend on those before them.
///
/// D. Politis and H. White, "Automatic block-length selection for the dependent bootstrap",
/// Econometric Reviews 23 (2004), with the correction of A. Patton, D. Politis and H. White,
/// Econometric Reviews 28 (2009).
public struct BlockLength: Hashable, Sendable {
  /// For blocks of random length, and for blocks of one length in a circle.
  public let stationary, circular: Double

  /// - Precondition: There are at least two values.
  public init(_ values: [Double]) {
    let n = Double(values.count)
    let autocovariances = Autocovariances(values)
    let lags = autocovariances.lagsThatMatter
    var g = 0.0
    var spectrum = autocovariances.values[0]
    for lag in 1...max(1, lags) where lag < autocovariances.values.count {
      let share = Double(lag) / Double(lags)
      let window = share <= 0.5 ? 1 : 2 * (1 - share)
      g += 2 * window * Double(lag) * autocovariances.values[lag]
      spectrum += 2 * window * autocovariances.values[lag]
    }
    guard spectrum != 0 else {
      (stationary, circular) = (1, 1)
      return
    }
    let most = min(3 * n.squareRoot(), n / 3).rounded(.up)
    let length = { (factor: Double) in
      min(Elementary.power(2 * g * g * n / (factor * spectrum * spectrum), 1 / 3), most)
    }
    stationary = length(2)
    circular = length(4 / 3)
  }
}

/// How values vary together with those behind them.
private struct Autocovariances {
  /// By the distance.
  private(set) var values: [Double] = []
  /// Twice the distance from which on values are no longer seen to depend on each other.
  let lagsThatMatter: Int

  init(_ series: [Double]) {
    let n = series.count
    let mean = series.reduce(0, +) / Double(n)
    let centered = series.map { $0 - mean }
    let inARow = max(5, Int(Elementary.log10(Double(n))))
    let most = Int(Double(n).squareRoot().rounded(.up)) + inARow
    let limit = 2 * (Elementary.log10(Double(n)) / Double(n)).squareRoot()
    var correlations: [Double] = []
    var found: Int?
    var values: [Double] = []
    for lag in 0...most where n - lag - 1 > 0 {
      let head = centered[..<(n - lag - 1)].reduce(0) { $0 + $1 * $1 }
      let tail = centered[(lag + 1)...].reduce(0) { $0 + $1 * $1 }
      let product = zip(centered[lag...], centered).reduce(0) { $0 + $1.0 * $1.1 }
      values.append(product / Double(n))
      correlations.append(head * tail > 0 ? abs(product) / (head * tail).squareRoot() : 0)
      if found == nil, lag >= inARow,
        correlations[(lag - inARow)..<lag].allSatisfy({ $0 < limit })
      {
        found = lag - inARow
      }
    }
    self.values = values
    lagsThatMatter = min(found.map { 2 * max($0, 1) } ?? most, most)
  }
}
