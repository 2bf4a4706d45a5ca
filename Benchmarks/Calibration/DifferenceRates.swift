import FrameKit

/// Measures how often a series is said to differ at stutters when it does not, and how often a
/// real difference is found.
enum DifferenceRates {
  /// The tables, in Markdown.
  /// - Parameter runs: How many recordings to make for each rate.
  static func tables(runs: Int) -> String {
    """
    Nothing differs: recordings of 60 to 600 s with 5 to 60 stutters that have any finding.

    \(falseFindings(runs))

    The first of 5 series differs: recordings with a finding before / after the stutters.

    \(power(runs))
    """
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
    ("marks", .marks(inGroups: false), .even),
    ("marks in groups", .marks(inGroups: true), .even),
    ("marks in groups, stutters in bursts", .marks(inGroups: true), .bursts),
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

  private static let effects: [(name: String, GeneratedSensor, GeneratedEffect)] = [
    (
      "drop to a third 0.2 s before 90 %", .dependent(0.9),
      .drop(before: 0.2, share: 0.9, after: 0)
    ),
    (
      "drop to a third 0.2 s before 50 %", .dependent(0.9),
      .drop(before: 0.2, share: 0.5, after: 0)
    ),
    (
      "drop to a third from 0.2 s before 90 % to 3 s after", .dependent(0.9),
      .drop(before: 0.2, share: 0.9, after: 3)
    ),
    ("rise by one standard deviation 0.2 s before", .dependent(0), .shift),
    (
      "once a second, drop to a third 1.2 s before 90 %", .second(0.9),
      .drop(before: 1.2, share: 0.9, after: 0)
    ),
    (
      "once a second, held, drop to a third 1.2 s before 90 %", .held,
      .drop(before: 1.2, share: 0.9, after: 0)
    ),
    ("rise after, falls in 1 s", .dependent(0.9), .rise(1)),
    ("rise after, falls in 10 s", .dependent(0.9), .rise(10)),
    ("once a second, rise after, falls in 3 s", .second(0.5), .rise(3)),
    ("rise 2 s after, falls in 5 s", .dependent(0.9), .laterRise(2)),
    ("once a second, rise 3 s after, falls in 5 s", .second(0.5), .laterRise(3)),
    ("growth after that stays", .dependent(0.9), .growth),
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
    return MarkdownTable(["series"] + sizes.map { "\($0) series" }, rows).text
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

  private static let recordings: [(seconds: Double, count: Int)] = [
    (60, 5), (60, 20), (60, 60), (300, 10), (300, 60),
  ]

  private static func power(_ runs: Int) -> String {
    let rows = effects.map { name, sensor, effect in
      [name]
        + recordings.map { seconds, count in
          sides(sensor, effect, seconds, count, runs)
        }
    }
    let heads = recordings.map { "\($0.count) in \(Int($0.seconds)) s" }
    return MarkdownTable(["difference"] + heads, rows).text
  }

  private static func sides(
    _ sensor: GeneratedSensor, _ effect: GeneratedEffect, _ seconds: Double, _ count: Int,
    _ runs: Int
  ) -> String {
    let found = InParallel.map(runs, named: "\(count) in \(seconds) s") { run in
      var random = SplitMix64(seed: UInt64(run))
      let recording = GeneratedStutters(.even, seconds: seconds, count: count, random: &random)
      var series = (0..<5).map { _ in GeneratedSensor.dependent(0.9).series(recording, &random) }
      series[0] = effect.apply(
        to: sensor.series(recording, &random), readEvery: sensor.isHeld ? 1_000_000_000 : 1,
        recording, &random)
      return MomentDifferences.find(series, events: recording.events).findings[0]?.side
    }
    return MomentDifference.Side.allCases.map { side in
      Percent.text(Double(found.count { $0 == side }) / Double(runs), decimals: 0)
    }.joined(separator: " / ")
  }
}
