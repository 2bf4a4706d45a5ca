import FrameAnalysis
import FrameTrace

/// The readings of a sensor or counter over time, for an interactive page.
struct ExploredCounter: Sendable {
  let name, unit: String
  /// The readings with their times in microseconds from the start of the trace, in order of time.
  let readings: [(time: Int64, value: Double)]
  /// The number of readings in the trace; a page keeps only the lowest and the highest reading of each part.
  let count: Int

  /// The maximum number of counters with a band, and the maximum number of readings of each counter in all surfaces of
  /// a page. A band is at most a thousand pixels wide.
  private static let most = 6
  static let mostReadings = 4_000
  private static let fewestReadings = 200

  /// The counters of a trace that have a unit and that changed, in the trace's order.
  /// - Parameter count: The number of surfaces that share the room of the page.
  static func all(
    _ trace: Trace, in range: Range<Timestamp>, from origin: Timestamp, oneOf count: Int
  ) -> [Self] {
    let room = max(fewestReadings, mostReadings / max(count, 1))
    let counters = trace.telemetry.lazy.compactMap { series -> ExploredCounter? in
      ExploredCounter(series, in: range, from: origin, room: room)
    }
    return Array(counters.prefix(most))
  }

  /// - Returns: `nil` if nothing changed, or if it is unknown what was measured.
  private init?(
    _ series: TelemetrySeries, in range: Range<Timestamp>, from origin: Timestamp, room: Int
  ) {
    guard let unit = series.unit else { return nil }
    let known = zip(series.times, series.values).filter { range.contains($0.0) && $0.1.isFinite }
      .sorted { $0.0 < $1.0 }
    guard let low = known.map(\.1).min(), let high = known.map(\.1).max(), low < high else {
      return nil
    }
    (name, self.unit, count) = (series.name, unit, known.count)
    readings = Self.thinned(
      known.map { (time: ($0.0 - origin).count / 1000, value: $0.1) }, to: room)
  }

  /// The lowest and the highest reading of each part if there are more readings than a page keeps.
  static func thinned(
    _ all: [(time: Int64, value: Double)], to room: Int = mostReadings
  ) -> [(time: Int64, value: Double)] {
    guard all.count > room else { return all }
    let parts = room / 2
    return (0..<parts).flatMap { part -> [(time: Int64, value: Double)] in
      let own = all[all.count * part / parts..<all.count * (part + 1) / parts].enumerated()
      guard let low = own.min(by: { $0.element.value < $1.element.value }),
        let high = own.max(by: { $0.element.value < $1.element.value })
      else { return [] }
      return low.offset == high.offset
        ? [low.element]
        : low.offset < high.offset ? [low.element, high.element] : [high.element, low.element]
    }
  }
}
