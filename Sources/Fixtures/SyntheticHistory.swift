package import FrameKit

/// A scene's jobs over time, with known changes of level.
package struct SyntheticHistory {
  /// A change of level: the first job at the new level, and the size of the change.
  package struct Step: Hashable, Sendable {
    package let job: Int
    package let factor: Double

    package init(job: Int, factor: Double) {
      self.job = job
      self.factor = factor
    }
  }

  /// The jobs in the order in which they are added.
  package let additions: [HistoryStore.Addition]

  /// - Parameters:
  ///   - metrics: The metrics of every run, each with its value before any step, in ms.
  ///   - noise: The standard deviation from job to job, and from run to run, as a share.
  package init(
    jobs: Int, runs: Int = 3, seed: UInt64, steps: [Step] = [], noise: Double = 0.012,
    metrics: [(name: String, value: Double)] = [("p95(frameTime)", 17.2)]
  ) {
    var random = SplitMix64(seed: seed)
    var level = 1.0
    additions = (0..<jobs).map { number in
      for step in steps where step.job == number { level *= step.factor }
      var job = HistoryJob(
        date: JobDate(seconds: 1_767_225_600 + Int64(number) * 86400), scene: "scroll")
      job.commit = String(UInt64.random(in: 0...(.max), using: &random), radix: 16)
      job.version = "3.\(number / 50)"
      job.device = "Pixel 8"
      let own = 1 + noise * Self.normal(&random)
      return HistoryStore.Addition(
        job: job,
        runs: (0..<runs).map { _ in
          metrics.map { metric in
            let run = 1 + noise * Self.normal(&random)
            return HistoryValue(
              metric: metric.name, unit: "ms", value: metric.value * level * own * run, n: 3600)
          }
        })
    }
  }

  /// A nearly normal number: the sum of twelve uniform numbers, which needs no logarithm and is the same on every
  /// machine.
  private static func normal(_ random: inout SplitMix64) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }
}
