/// A figure of the refreshes that frame times alone show to be missed, without due times: what comparisons
/// decide by, as every source has it.
struct MissedRefreshMetric: Metric {
  /// What the frame times of a surface went past.
  struct Sums: Sendable {
    /// The refresh that they are counted by.
    let refresh: RunRefresh
    var frames: Int64 = 0
    /// Refreshes beyond those that most frames take.
    var missed: Int64 = 0
    /// The time beyond them, and of all frames, in nanoseconds.
    var late: Int64 = 0
    var time: Int64 = 0
  }

  let name: String
  let unit: MetricUnit
  let summary: String
  let formula: String
  let value: @Sendable (Sums) -> Double

  var direction: MetricDirection { .lowerIsBetter }
  var source: String? { nil }
  var demand: TraceDemand { .everything }
  var needsReconstruction: Bool { true }

  func measure(_ surface: MeasuredSurface) -> Measurement {
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
  /// What the frame times of a surface went past.
  init(of surface: MeasuredSurface) {
    let frameTimes = FrameMetric.frameTime.measure(surface)
    guard case .sample(let sample) = frameTimes.content else {
      self = .missing("there are no frame times")
      return
    }
    let times = sample.values.filter(RunRefresh.isFrameTime)
    guard let refresh = RunRefresh(surface, times: times) else {
      self = .missing("no fixed refresh was found; --refresh states one")
      return
    }
    var sums = MissedRefreshMetric.Sums(refresh: refresh)
    for time in times {
      let beyond = refresh.beyond(time)
      sums.frames += 1
      sums.missed += beyond.refreshes
      sums.late += beyond.time
      sums.time += time
    }
    self = .found(sums)
  }
}

extension MissedRefreshMetric {
  /// The share of refreshes that frame times went past.
  static let missedRefreshShare = MissedRefreshMetric(
    name: "missedRefreshShare", unit: .percent,
    summary:
      "The share of refreshes that frame times went past, by which compare decides; droppedShare, where due times are known, shows which of them were due.",
    formula:
      "m / (frames + m), with m the refreshes that frame times of more than one and a half intervals went past"
  ) { 100 * Double($0.missed) / Double(max(1, $0.frames + $0.missed)) }

  /// The time by which frame times went past the refresh interval.
  static let intervalHitchRatio = MissedRefreshMetric(
    name: "intervalHitchRatio", unit: .millisecondsPerSecond,
    summary:
      "The time by which frame times went past the refresh interval, for each second, by which compare decides; hitchRatio, where due times are known, counts from when frames were due.",
    formula: "Σ of what frame times over one and a half intervals take beyond one / Σ frame time"
  ) { $0.time > 0 ? 1000 * Double($0.late) / Double($0.time) : 0 }
}
