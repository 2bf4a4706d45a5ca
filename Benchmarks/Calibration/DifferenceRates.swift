import FrameKit

/// Measures how often a series is said to differ at stutters when it does not, and how often a
/// real difference is found.
enum DifferenceRates {
  /// The tables, in Markdown.
  /// - Parameter runs: How many recordings to make for each rate.
  static func tables(runs: Int) -> String {
    "\(falseFindings(runs))\n"
  }

  private static let unrelated: [(name: String, GeneratedSensor, GeneratedStutters.Pattern)] = [
    ("white noise", .dependent(0), .even),
    ("each value depends on the one before (0.9)", .dependent(0.9), .even),
    ("each value depends on the one before (0.99)", .dependent(0.99), .even),
    ("each value depends on the one before (0.999)", .dependent(0.999), .even),
    ("random walk", .dependent(1), .even),
    ("trend and noise", .trend, .even),
    ("steps", .steps, .even),
    ("three levels", .threeLevels, .even),
    ("once a second, held", .held, .even),
    ("once a second", .second(0), .even),
    ("once a second, random walk", .second(1), .even),
    ("only changes", .changes, .even),
    ("constant", .constant, .even),
    ("constant with rare spikes", .spikes, .even),
    ("periodic", .periodic, .even),
    ("white noise, stutters in bursts", .dependent(0), .bursts),
    ("random walk, stutters in bursts", .dependent(1), .bursts),
    ("once a second, stutters in bursts", .second(0), .bursts),
    ("another level in the scene with stutters", .level, .oneScene),
    ("another level in scenes with stutters", .level, .scenes),
    ("more noise in scenes with stutters", .noise, .scenes),
    ("random walk, stutters in scenes", .dependent(1), .scenes),
    ("periodic, stutters with another period", .periodic, .rhythm),
    ("once a second, stutters with a period", .second(0), .rhythm),
  ]

  private static func falseFindings(_ runs: Int) -> String {
    let sizes = [1, 5, 20]
    let rows = unrelated.map { name, sensor, pattern in
      [name]
        + sizes.map { size in
          let found = InParallel.map(runs, named: "\(name), \(size)") { run in
            isAnyFound(sensor, pattern, size, seed: UInt64(run * 31 + size))
          }
          return Percent.text(Double(found.count { $0 }) / Double(runs))
        }
    }
    return MarkdownTable(["nothing differs"] + sizes.map { "\($0) series" }, rows).text
  }

  private static func isAnyFound(
    _ sensor: GeneratedSensor, _ pattern: GeneratedStutters.Pattern, _ size: Int, seed: UInt64
  ) -> Bool {
    var random = SplitMix64(seed: seed)
    let recording = GeneratedStutters(
      pattern, seconds: [60, 120, 240, 600][Int(random.nextUnit() * 4)],
      count: [5, 10, 20, 40, 60][Int(random.nextUnit() * 5)], random: &random)
    let series = (0..<size).map { _ in sensor.series(recording, &random) }
    return MomentDifferences.find(series, events: recording.events).findings.contains {
      $0 != nil
    }
  }
}
