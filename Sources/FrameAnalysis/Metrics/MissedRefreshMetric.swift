import FrameStatistics
package import FrameTrace

/// A figure for missed refreshes that needs frame times but no due times. Comparisons use it because every source has
/// frame times.
package struct MissedRefreshMetric: Metric {
  /// The sums of what the frame times of a surface missed.
  package struct Sums: Sendable {
    /// The refresh interval used for counting.
    let refresh: RunRefresh
    var frames: Int64 = 0
    /// The refreshes beyond those that the surrounding frames take.
    var missed: Int64 = 0
    /// The time beyond the surrounding frames, and of all frames, in nanoseconds.
    var late: Int64 = 0
    var time: Int64 = 0
    /// The missed refreshes and the time beyond the rate that most frames of the run keep.
    var missedOfRun: Int64 = 0
    var lateOfRun: Int64 = 0
    fileprivate var grid: GridCounter

    fileprivate init(_ refresh: RunRefresh) {
      self.refresh = refresh
      grid = GridCounter(refresh)
    }

    /// Whether frame times are bound to the display's refreshes.
    package var areBound: Bool { grid.isBound(of: frames) }
  }

  package let name: String
  package let unit: MetricUnit
  package let summary: String
  package let formula: String
  let value: @Sendable (Sums) -> Double

  package var direction: MetricDirection { .lowerIsBetter }
  package var source: String? { nil }
  package var demand: TraceDemand { .everything }
  package var needsReconstruction: Bool { true }

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    switch surface.missedRefreshes {
    case .missing(let why): return .unavailable(why)
    case .found(let sums):
      var measurement = Measurement(content: .figure(value(sums), n: Int(sums.frames)))
      measurement.isInferred = sums.refresh.source == .inferred
      return measurement
    }
  }
}

extension Finding<MissedRefreshMetric.Sums> {
  /// The sums of what the frame times of a surface missed.
  init(of surface: MeasuredSurface) {
    let frameTimes = FrameMetric.frameTime.measure(surface)
    defer { surface.recycle(frameTimes) }
    guard case .sample(let sample) = frameTimes.content else {
      self = .missing("there are no frame times")
      return
    }
    // Nearly always, all values are frame times, so a second list of ten million is avoided.
    let all = sample.values
    let times =
      all.allSatisfy(RunRefresh.isFrameTime) ? all : all.filter(RunRefresh.isFrameTime)
    guard let refresh = RunRefresh(surface, times: times) else {
      self = .missing("no fixed refresh was found; --refresh sets it")
      return
    }
    var sums = MissedRefreshMetric.Sums(refresh)
    var kept = LocallyKeptRate(times, refresh)
    for time in times {
      let beyond = kept.beyond()
      sums.frames += 1
      sums.missed += beyond.refreshes
      sums.late += beyond.time
      sums.time += time
      let ofRun = refresh.beyond(time)
      sums.missedOfRun += ofRun.refreshes
      sums.lateOfRun += ofRun.time
      sums.grid.add(time)
    }
    self = .found(sums)
  }
}

extension MissedRefreshMetric {
  /// The share of refreshes that frame times missed.
  static let missedRefreshShare = MissedRefreshMetric(
    name: "missedRefreshShare", unit: .percent,
    summary:
      "The share of refreshes missed by frames that take longer than the frames around them; compare judges it. A stretch at a lower rate misses none, whether the app chose that rate or could not do better: missedRefreshShareOfRun counts it, and droppedShare distinguishes the two where due times are known.",
    formula:
      "m / (frames + m), m = Σ max(0, k − kept); k: the frame time in refreshes, at most 8; kept: the most frequent k of the 61 frames around"
  ) { share($0.missed, of: $0.frames) }

  /// The time by which frame times exceed the surrounding ones.
  static let intervalHitchRatio = MissedRefreshMetric(
    name: "intervalHitchRatio", unit: .millisecondsPerSecond,
    summary:
      "The extra time of frames that missed a refresh over the frames around them, per second; compare judges it. Where due times are known, hitchRatio counts from when frames were due.",
    formula: "Σ (frame time − kept × interval) where a refresh was missed / Σ frame time"
  ) { ratio($0.late, to: $0.time) }

  /// The share of refreshes that frame times missed relative to the rate of the run.
  static let missedRefreshShareOfRun = MissedRefreshMetric(
    name: "missedRefreshShareOfRun", unit: .percent,
    summary:
      "The share of refreshes missed by frames that take longer than most frames of the run, so a stretch at a lower rate counts.",
    formula:
      "m / (frames + m), m = Σ max(0, k − kept); k: the frame time in refreshes; kept: the most frequent k of the run"
  ) { share($0.missedOfRun, of: $0.frames) }

  /// The time by which frame times exceed those of the run.
  static let intervalHitchRatioOfRun = MissedRefreshMetric(
    name: "intervalHitchRatioOfRun", unit: .millisecondsPerSecond,
    summary:
      "The extra time of frames that missed a refresh over most frames of the run, per second, so a stretch at a lower rate counts.",
    formula: "as intervalHitchRatio, but kept is the most frequent k of the run"
  ) { ratio($0.lateOfRun, to: $0.time) }

  private static func share(_ missed: Int64, of frames: Int64) -> Double {
    100 * Double(missed) / Double(max(1, frames + missed))
  }

  private static func ratio(_ late: Int64, to time: Int64) -> Double {
    time > 0 ? 1000 * Double(late) / Double(time) : 0
  }
}
