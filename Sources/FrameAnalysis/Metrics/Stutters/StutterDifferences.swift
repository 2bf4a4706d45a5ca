public import FrameStatistics
import FrameTrace

/// How sensor and counter readings, marks and threads differ around stutters from other moments near them.
///
/// A difference is a coincidence in time and does not prove a cause.
public struct StutterDifferences: Sendable {
  /// A series that differs.
  public struct Finding: Sendable {
    /// The series as its source names it.
    public let name: String
    /// The unit of the series' values; `nil` if the source states none.
    public let unit: String?
    /// How the series differs, and on which side of the stutters.
    public let difference: MomentDifference
    /// All readings of the series.
    package let readings: MomentDifferences.Series
  }

  /// The series that differ, the least probable difference first.
  public let findings: [Finding]
  /// How many series were compared.
  public let series: Int
  /// The number of tests for which probabilities are adjusted.
  public let tests: Int

  /// The minimum number of readings of a series that can show a difference.
  private static let fewestReadings = 20

  /// - Returns: `nil` where there is no series, or no stutter.
  init?(_ surface: MeasuredSurface) {
    guard let stutters = surface.stutters, !stutters.stutters.isEmpty else { return nil }
    let named = Self.series(of: surface)
    guard !named.isEmpty else { return nil }
    let events = stutters.stutters.map { stutter in
      stutter.time.nanoseconds..<(stutter.time + stutter.length).nanoseconds
    }
    let found = MomentDifferences.find(named.map(\.values), events: events)
    findings = zip(named, found.findings).compactMap { series, difference in
      difference.map {
        Finding(name: series.name, unit: series.unit, difference: $0, readings: series.values)
      }
    }
    .sorted { ($0.difference.probability, $0.name) < ($1.difference.probability, $1.name) }
    (series, tests) = (named.count, found.tests)
  }

  /// A series with its name in the source.
  struct Named {
    let name: String
    let unit: String?
    let values: MomentDifferences.Series
  }

  /// The sensors and counters, the numbers that the source has for each frame, marks, and thread states.
  private static func series(of surface: MeasuredSurface) -> [Named] {
    let telemetry = surface.pipeline.trace.telemetry.compactMap { series in
      named(
        series.name, series.unit,
        zip(series.times, series.values).filter { surface.range.contains($0.0) })
    }
    let frames = surface.frames
    let extras = frames.extras.compactMap { extra -> Named? in
      guard extra.isNumeric else { return nil }
      return named(
        extra.name, extra.unit,
        (0..<frames.count).compactMap { row in
          extra.number(row).map { (frames.reference(row), $0) }
        })
    }
    guard let first = surface.stutters?.start, let last = surface.stutters?.end, first < last
    else { return telemetry + extras }
    return telemetry + extras + marks(of: surface, in: first..<last)
      + threads(of: surface, in: first..<last)
  }

  private static func named(
    _ name: String, _ unit: String?, _ readings: [(Timestamp, Double)]
  ) -> Named? {
    let known = readings.filter { $0.1.isFinite }.sorted { $0.0 < $1.0 }
    guard known.count >= fewestReadings else { return nil }
    return Named(
      name: name, unit: unit,
      values: MomentDifferences.Series(
        times: known.map(\.0.nanoseconds), values: known.map(\.1)))
  }
}
