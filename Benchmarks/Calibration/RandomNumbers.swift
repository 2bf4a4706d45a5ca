import Foundation
import FrameKit

/// Random numbers of the distributions that generated content needs.
extension SplitMix64 {
  /// A uniform number from `range`.
  mutating func uniform(_ range: Range<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * nextUnit()
  }

  /// A number whose logarithm is uniform between those of both ends.
  mutating func logUniform(_ range: Range<Double>) -> Double {
    exp(uniform(log(range.lowerBound)..<log(range.upperBound)))
  }

  /// A normal number with mean 0. G. Box and M. Muller, "A note on the generation of random normal
  /// deviates", Annals of Mathematical Statistics 29 (1958).
  mutating func normal(_ deviation: Double = 1) -> Double {
    let radius = (2 * exponential()).squareRoot()
    return deviation * radius * cos(2 * .pi * nextUnit())
  }

  /// An exponential number with mean 1.
  mutating func exponential() -> Double { -log(1 - nextUnit()) }

  /// The number of events in a time with `mean` of them on average.
  mutating func poisson(_ mean: Double) -> Int {
    var count = 0
    var time = exponential()
    while time < mean {
      count += 1
      time += exponential()
    }
    return count
  }

  /// A gamma number with mean `shape`. G. Marsaglia and W. Tsang, "A simple method for generating
  /// gamma variables", ACM Transactions on Mathematical Software 26 (2000).
  mutating func gamma(_ shape: Double) -> Double {
    if shape < 1 { return gamma(shape + 1) * pow(1 - nextUnit(), 1 / shape) }
    let scale = shape - 1 / 3
    while true {
      let number = normal()
      let root = 1 + number / (9 * scale).squareRoot()
      guard root > 0 else { continue }
      let cube = root * root * root
      if log(1 - nextUnit()) < number * number / 2 + scale * (1 - cube + log(cube)) {
        return scale * cube
      }
    }
  }

  /// Normal numbers with a standard deviation, each of which depends on the one before.
  mutating func dependent(_ count: Int, correlation: Double, deviation: Double) -> [Double] {
    var last = normal(deviation)
    let rest = deviation * (1 - correlation * correlation).squareRoot()
    return (0..<count).map { _ in
      last = correlation * last + normal(rest)
      return last
    }
  }
}
