import FrameStatistics

/// Tools for games on Windows and Linux.
extension MetricDialect {
  static let presentMon = MetricDialect(
    name: "presentmon", source: "PresentMon capture application, RawFrameDataWriter.cpp",
    figures: [
      .rate("Average FPS", "averageFrameRate", "1000 / mean of frame times", plain) {
        1000 * Double($0.count) / $0.sum
      },
      .rate(
        "1st percentile FPS", "onePercentLowPercentile",
        "1000 / type 7 quantile 0.99 of frame times",
        "a percentile of frame times, turned into a rate at the end"
      ) { times in times.type7(0.99).map { 1000 / $0 } },
    ])

  static let capFrameX = MetricDialect(
    name: "capframex", source: "CapFrameX, FrametimeStatisticProvider.cs",
    figures: [
      .rate("Average", "averageFrameRate", "1000 · n / sum of frame times", plain) {
        1000 * Double($0.count) / $0.sum
      },
      .rate(
        "P1", "onePercentLowPercentile", "type 8 quantile 0.01 of frame rates",
        "a percentile of rates, not of times, with a different interpolation"
      ) { times in RealQuantile.type8(times.ascending.map { 1000 / $0 }, 0.01) },
      .rate(
        "1 % low average", "onePercentLowAverage",
        "1000 / mean of the frame times at or above their type 8 quantile 0.99",
        "the mean of the slowest frames, cut off at a different quantile than ours"
      ) { times in
        let limit = RealQuantile.type8(times.ascending, 0.99)
        let slow = times.ascending.filter { $0 >= limit }
        return slow.isEmpty ? nil : 1000 * Double(slow.count) / slow.reduce(0, +)
      },
      .rate(
        "1 % low integral", "onePercentLowIntegral",
        "the frame time at which the sum, longest first, reaches 1 % of the total",
        "weighted by time",
        integral),
    ] + capFrameXStutter)

  static let capFrameXLinux = MetricDialect(
    name: "capframex-linux", source: "CapFrameX for Linux, StatisticsCalculator.cs",
    figures: [
      .rate(
        "1 % low", "onePercentLowAverage", "1000 / quantile 0.99 of frame times",
        "called a low, but is a percentile; the Windows program shows something else under that name"
      ) { times in times.type7(0.99).map { 1000 / $0 } }
    ])

  static let mangoHud = MetricDialect(
    name: "mangohud", source: "MangoHud overlay, fps_metrics.h",
    figures: [
      .rate("avg", "averageFrameRate", "1000 / mean of frame times", plain) {
        1000 * Double($0.count) / $0.sum
      },
      .rate(
        "1 % low", "onePercentLowPercentile",
        "1000 / the frame time at index ⌊n/100⌋ − 1 from the longest",
        "one frame, without interpolation; 0 below 100 frames"
      ) { times in
        let position = times.count / 100 - 1
        return position < 0 ? 0 : times.longest(position).map { 1000 / $0 }
      },
    ])

  static let mangoPlot = MetricDialect(
    name: "mangoplot", source: "MangoHud, bin/mangoplot.py",
    figures: [
      .rate(
        "average", "averageFrameRate", "mean of the frame rates of all frames",
        "a mean of rates weights fast frames like slow ones, so it is higher"
      ) { times in times.ascending.reduce(0) { $0 + 1000 / $1 } / Double(times.count) },
      .rate(
        "1 %", "onePercentLowPercentile", "sorted frame rates at index ⌊n/100⌋",
        "one frame, without interpolation; the neighbor of the overlay's frame"
      ) { times in times.longest(times.count / 100).map { 1000 / $0 } },
    ])

  static let ocatOverlay = MetricDialect(
    name: "ocat-overlay", source: "OCAT, PerformanceCounter.cpp",
    figures: [
      .time(
        "99th percentile", "frameTime", "sorted frame times at index ⌊0.99 n⌋",
        "one frame, without interpolation"
      ) { times in
        times.count == 0 ? nil : times.ascending[min(times.count * 99 / 100, times.count - 1)]
      }
    ])

  static let ocatFile = MetricDialect(
    name: "ocat-file", source: "OCAT, Recording.cpp",
    figures: [
      .time(
        "99th percentile", "frameTime", "linear between the frame times around 0.99 (n − 1)",
        "interpolated, unlike its own overlay"
      ) { $0.type7(0.99) }
    ])

  static let frameTimeAnalysis = MetricDialect(
    name: "frame-time-analysis", source: "BoringBoredom/Frame-Time-Analysis",
    figures: [
      .rate(
        "1 % low", "onePercentLowPercentile",
        "1000 / the frame time at index ⌈n/100⌉ − 1 from the longest",
        "one frame, without interpolation; rounds the index up"
      ) { times in times.longest(max(0, (times.count + 99) / 100 - 1)).map { 1000 / $0 } }
    ])

  static let afterburner = MetricDialect(
    name: "afterburner", source: "MSI Afterburner, as CapFrameX describes it",
    figures: [
      .rate(
        "1 % low", "onePercentLowIntegral",
        "the frame time at which the sum, longest first, reaches 1 % of the total",
        "weighted by time: a single long stall fills it", integral)
    ])

  static let plain = "all tools that divide frames by time agree"

  /// The rate of the frame time at which the sum of the longest frame times reaches a hundredth of the total.
  private static let integral: @Sendable (DialectTimes) -> Double? = { times in
    var sum = 0.0
    for time in times.ascending.reversed() {
      sum += time
      if sum >= 0.01 * times.sum { return 1000 / time }
    }
    return nil
  }
}

extension MetricDialect.Figure {
  typealias Value = @Sendable (DialectTimes) -> Double?

  static func rate(
    _ name: String, _ counterpart: String, _ formula: String, _ because: String,
    _ value: @escaping Value
  ) -> Self {
    .init(
      name: name, counterpart: counterpart, unit: "fps", formula: formula, because: because,
      value: value)
  }

  /// The same figure in another unit.
  private func counted(in unit: String) -> Self {
    .init(
      name: name, counterpart: counterpart, unit: unit, formula: formula, because: because,
      value: value)
  }

  static func time(
    _ name: String, _ counterpart: String, _ formula: String, _ because: String,
    _ value: @escaping Value
  ) -> Self { rate(name, counterpart, formula, because, value).counted(in: "ms") }

  static func count(
    _ name: String, _ counterpart: String, _ formula: String, _ because: String,
    _ value: @escaping Value
  ) -> Self { rate(name, counterpart, formula, because, value).counted(in: "frames") }

  static func share(
    _ name: String, _ counterpart: String, _ formula: String, _ because: String,
    _ value: @escaping Value
  ) -> Self { rate(name, counterpart, formula, because, value).counted(in: "%") }
}
