import Foundation
import FrameKit

/// Random values of jobs over time, like those of machines that run measurements.
struct GeneratedSeries {
  /// How jobs vary by chance.
  enum Kind: String, Sendable, CaseIterable {
    case normal
    case heavyTails = "heavy tails (t, 3 degrees)"
    case dependent = "each depends on the one before (0.4)"
    case skewed
    case outliers = "5 % outliers"
    case machines = "two machines in turns"
    case moreDependent = "each depends on the one before (0.7)"
    case blocks = "a machine of many for some jobs each"
  }

  /// How a level changes.
  struct Change: Sendable {
    /// The jobs that it affects.
    let jobs: Range<Int>
    let share: Double
    /// The number of jobs over which it grows to its full size.
    var creeps = 1

    func factor(_ job: Int) -> Double {
      guard jobs.contains(job) else { return 1 }
      return 1 + share * min(1, Double(job - jobs.lowerBound + 1) / Double(creeps))
    }
  }

  /// The standard deviation from job to job.
  private let spread: Double
  /// How much slower one machine is, and how many jobs run on one machine before the other takes
  /// over.
  private static let machines = (share: 0.03, jobs: 8)

  private var random: SplitMix64

  init(seed: UInt64, spread: Double = 0.02) {
    random = SplitMix64(seed: seed)
    self.spread = spread
  }

  mutating func values(_ kind: Kind, jobs: Int, _ change: Change?) -> [Double] {
    var before = normal()
    var machine = normal()
    return (0..<jobs).map { job in
      let noise: Double
      switch kind {
      case .normal: noise = normal()
      case .heavyTails:
        let squares = (0..<3).reduce(0) { sum, _ in
          let number = normal()
          return sum + number * number
        }
        noise = normal() / squares.squareRoot()
      case .dependent:
        before = 0.4 * before + (1 - 0.16).squareRoot() * normal()
        noise = before
      case .skewed: noise = -log(1 - random.nextUnit()) - 1
      case .outliers:
        let isOutlier = random.nextUnit() < 0.05
        noise = normal() + (isOutlier ? 4 + 8 * random.nextUnit() : 0)
      case .machines: noise = normal()
      case .moreDependent:
        before = 0.7 * before + (1 - 0.49).squareRoot() * normal()
        noise = before
      case .blocks:
        // Machines differ as much as jobs on one machine do; each is used for about eight jobs.
        if random.nextUnit() < 0.125 { machine = normal() }
        noise = (normal() + machine) * 0.5.squareRoot()
      }
      let isSlow = kind == .machines && job / Self.machines.jobs % 2 == 1
      return 16.7 * exp(spread * noise) * (isSlow ? 1 + Self.machines.share : 1)
        * (change?.factor(job) ?? 1)
    }
  }

  /// A standard normal number, as the sum of twelve uniform ones.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }
  }
}
