import FrameStatistics

/// The dependence of jobs on earlier ones, and its effect on the errors of means.
struct JobDependence {
  /// The autocorrelations at distance one, two and so on, as long as the sums of adjacent pairs are positive (C. J.
  /// Geyer, "Practical Markov chain Monte Carlo", Statistical Science 7, 1992); empty if they could be random.
  private let correlations: [Double]
  private static let mostApart = 12

  init(_ level: [Double], _ moments: Moments) {
    let rest = level.map { $0 - moments.mean }
    let count = Double(level.count)
    let found = { (apart: Int) -> Double in
      let products = zip(rest.dropFirst(apart), rest).reduce(0) { $0 + $1.0 * $1.1 }
      // Corrects the bias: a short level underestimates correlations.
      return products / max(moments.squares, 1e-300) + 1 / count
    }
    var correlations: [Double] = []
    if found(1) - 1 / count > 1 / count.squareRoot() {
      for apart in stride(from: 1, to: min(Self.mostApart, level.count / 3), by: 2) {
        let pair = [found(apart), found(apart + 1)]
        guard pair[0] + pair[1] > 0 else { break }
        correlations += pair.map { min(0.9, max(0, 1.15 * $0)) }
      }
    }
    self.correlations = correlations
  }

  /// Whether no dependence was found.
  var isNone: Bool { correlations.isEmpty }

  /// The factor by which dependence increases the variance of the mean of a number of jobs.
  func ofMean(_ count: Int) -> Double {
    let factor = correlations.prefix(count - 1).enumerated().reduce(1.0) { sum, item in
      sum + 2 * (1 - Double(item.offset + 1) / Double(count)) * item.element
    }
    return correlations.isEmpty ? factor : 1.2 * factor
  }

  /// The factor by which dependence increases the variance of the level's mean.
  var ofLevel: Double { 1 + 2 * correlations.reduce(0, +) }

  /// The degrees of freedom of the variance of a number of jobs: the effective number of
  /// independent jobs, minus one.
  func degrees(_ count: Int) -> Double { max(4, Double(count) / ofLevel - 1) }
}
