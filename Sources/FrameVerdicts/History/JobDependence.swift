import FrameStatistics

/// How much jobs depend on the ones before, and what that does to the errors of means.
struct JobDependence {
  /// The correlations of jobs that are one, two and more apart, as long as neighboring ones are positive together
  /// (C. J. Geyer, "Practical Markov chain Monte Carlo", Statistical Science 7, 1992); none where they could be chance.
  private let correlations: [Double]
  private static let mostApart = 12

  init(_ level: [Double], _ moments: Moments) {
    let rest = level.map { $0 - moments.mean }
    let count = Double(level.count)
    let found = { (apart: Int) -> Double in
      let products = zip(rest.dropFirst(apart), rest).reduce(0) { $0 + $1.0 * $1.1 }
      // A short level underestimates them.
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

  /// Whether none was found.
  var isNone: Bool { correlations.isEmpty }

  /// By what the variance of the mean of so many jobs is larger.
  func ofMean(_ count: Int) -> Double {
    let factor = correlations.prefix(count - 1).enumerated().reduce(1.0) { sum, item in
      sum + 2 * (1 - Double(item.offset + 1) / Double(count)) * item.element
    }
    return correlations.isEmpty ? factor : 1.2 * factor
  }

  /// By what that of the level's mean is larger.
  var ofLevel: Double { 1 + 2 * correlations.reduce(0, +) }

  /// How many degrees of freedom the variance of so many jobs has: as many as there are jobs that do not depend on
  /// each other.
  func degrees(_ count: Int) -> Double { max(4, Double(count) / ofLevel - 1) }
}
