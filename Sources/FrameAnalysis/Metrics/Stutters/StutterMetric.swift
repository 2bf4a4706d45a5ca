package import FrameTrace

/// A figure for the stutters or the stops of a run, available from every source with frame times.
package struct StutterMetric: Metric {
  package let name: String
  package let unit: MetricUnit
  package let summary: String
  package let formula: String
  /// The figure and the number of times that it is computed from, or why there is none.
  private let value: @Sendable (MeasuredSurface) -> Measurement.Content

  package var direction: MetricDirection { .lowerIsBetter }
  package var source: String? { nil }
  /// Rests and the causes of stops need the columns of all stages.
  package var demand: TraceDemand { .everything }

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    Measurement(content: value(surface))
  }

  private static func stutters(
    _ name: String, _ unit: MetricUnit, _ summary: String, _ formula: String,
    _ figure: @escaping @Sendable (StutterFindings) -> Double
  ) -> StutterMetric {
    StutterMetric(name: name, unit: unit, summary: summary, formula: formula) { surface in
      surface.stutters.map { .figure(figure($0), n: $0.n) } ?? .unavailable(StutterFindings.tooFew)
    }
  }

  private static func stops(
    _ name: String, _ unit: MetricUnit, _ summary: String, _ formula: String,
    _ figure: @escaping @Sendable (StopFindings) -> Double?
  ) -> StutterMetric {
    StutterMetric(name: name, unit: unit, summary: summary, formula: formula) { surface in
      let found = surface.stopFindings
      return figure(found).map { .figure($0, n: surface.frames.count) }
        ?? .unavailable("the surface has no time without stops")
    }
  }
}

extension StutterMetric {
  /// How often frames took much longer than the surrounding ones.
  static let stuttersPerMinute = stutters(
    "stuttersPerMinute", .perMinute,
    "How often a frame took much longer than those around it; compare judges it. Stops count.",
    "stutters / Σ time, with the usual time in place of a stutter's; a stutter exceeds the limits of the half second before and after it"
  ) { $0.perMinute }

  /// The share of the time that was lost to stutters.
  static let stutterTimeShare = stutters(
    "stutterTimeShare", .percent,
    "The share of the time by which stutters took longer than usual; each frame counts with 10 s at most.",
    "Σ (frame time − usual) / (Σ time as usual + Σ (frame time − usual))"
  ) { $0.share * 100 }

  /// The longest frame of all stutters.
  static let worstStutter = stutters(
    "worstStutter", .milliseconds,
    "The longest frame of all stutters; 0 without a stutter.", "max(frame time of stutters)"
  ) { $0.worst?.longest.milliseconds ?? 0 }

  /// How often no new frame arrived for more than 500 ms.
  static let stopsPerMinute = stops(
    "stopsPerMinute", .perMinute,
    "How often no new frame came for more than 500 ms, rests left out; compare judges it.",
    "stops / observed time without stops"
  ) { $0.perMinute }

  /// The share of the time without a new frame for more than 500 ms.
  static let stopTimeShare = stops(
    "stopTimeShare", .percent,
    "The share of the observed time in which no new frame came for more than 500 ms, rests left out.",
    "Σ stops / observed time"
  ) { $0.share.map { $0 * 100 } }
}
