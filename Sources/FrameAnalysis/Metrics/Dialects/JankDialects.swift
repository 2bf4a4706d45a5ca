import FrameStatistics

/// How other tools count frames that took too long.
extension MetricDialect {
  static let perfDog = MetricDialect(
    name: "perfdog", source: "PerfDog, WeTest user's guide",
    figures: [
      .count(
        "Jank", "missedRefreshShare",
        "frames above twice the mean of the three before and above 83.3 ms (two movie frames)",
        "only long frames count, and only against the three before"
      ) { times in
        Double(JankCounts.perfDog(times.ordered, above: JankCounts.twoMovieFrames).count)
      },
      .count(
        "BigJank", "missedRefreshShare",
        "frames above twice the mean of the three before and above 125 ms (three movie frames)",
        "the longest of the same"
      ) { times in
        Double(JankCounts.perfDog(times.ordered, above: JankCounts.threeMovieFrames).count)
      },
      .share(
        "Stutter", "intervalHitchRatio", "sum of the frame times of Jank / sum of frame times",
        "whole frame times count, not only what is beyond a refresh"
      ) { times in
        100 * JankCounts.perfDog(times.ordered, above: JankCounts.twoMovieFrames).reduce(0, +)
          / times.sum
      },
    ])

  static let sentry = MetricDialect(
    name: "sentry", source: "Sentry, develop docs, frames-delay; sentry-cocoa",
    figures: [
      .count(
        "slow frames", "missedRefreshShare",
        "frames longer than 1 / (rate − 1) s and at most 700 ms",
        "a frame that is 2 % longer than the refresh is slow, whether it missed one or not"
      ) { times in
        times.refresh.map { refresh in
          Double(times.ordered.count { JankCounts.isSlow($0, refresh) && $0 <= JankCounts.frozen })
        }
      },
      .count(
        "frozen frames", "missedRefreshShare", "frames longer than 700 ms",
        "a fixed limit, whatever the display's rate"
      ) { times in Double(times.ordered.count { $0 > JankCounts.frozen }) },
      .time(
        "frames delay", "intervalHitchRatio",
        "sum of what slow and frozen frames took beyond one refresh, in ms (Sentry sends seconds)",
        "any part of a refresh counts, and the app's own lower rate as delay"
      ) { times in
        times.refresh.map { refresh in
          times.ordered.reduce(0) {
            $0 + JankCounts.delay(0..<$1, refresh, within: 0...(.infinity))
          }
        }
      },
    ])

  static let openTelemetry = MetricDialect(
    name: "opentelemetry", source: "OpenTelemetry, semantic conventions, app.jank",
    figures: [(0.016, 16.0), (0.7, 700)].map { seconds, limit in
      .count(
        "app.jank.frame_count \(seconds)", "missedRefreshShare",
        "frames longer than the threshold of \(seconds) s",
        "a fixed limit: nearly every frame is above 0.016 s at 60 Hz, and some that missed a refresh are not at 120"
      ) { times in Double(times.ordered.count { $0 > limit }) }
    })

  /// Shares of time with long frames, as CapFrameX computes them.
  static let capFrameXStutter: [Figure] = [
    .share(
      "Stuttering", "intervalHitchRatio",
      "sum of frame times above 2.5 times their moving average / sum of frame times",
      "whole frame times count, against the frames before and not against a refresh"
    ) { times in
      let means = JankCounts.capFrameXMeans(times.ordered)
      let long = zip(times.ordered, means).filter { $0 > 2.5 * $1 }
      return 100 * long.reduce(0) { $0 + $1.0 } / times.sum
    }
  ]
}

/// The rules by which tools classify frames as long. All times are in milliseconds.
package enum JankCounts {
  /// The duration of two and three frames of a movie, which has 24 a second.
  static let (twoMovieFrames, threeMovieFrames) = (2000.0 / 24, 3000.0 / 24)
  /// Longer frames are classified as frozen (Sentry).
  static let frozen = 700.0

  /// The frame times above a limit and above twice the mean of the previous three.
  static func perfDog(_ times: [Double], above limit: Double) -> [Double] {
    times.indices.dropFirst(3).filter { position in
      times[position] > limit
        && times[position] > 2 * (times[position - 1] + times[position - 2] + times[position - 3])
          / 3
    }.map { times[$0] }
  }

  /// Whether a frame is slow for a display's refresh interval.
  package static func isSlow(_ time: Double, _ refresh: Double) -> Bool {
    let rate = 1000 / refresh
    return rate > 1 && time > 1000 / (rate - 1)
  }

  /// How much of a frame's delay lies within a span. The delay is what the frame took beyond one refresh interval, if
  /// it is slow.
  static func delay(
    _ frame: Range<Double>, _ refresh: Double, within span: ClosedRange<Double>
  ) -> Double {
    guard isSlow(frame.upperBound - frame.lowerBound, refresh) else { return 0 }
    let start = max(frame.lowerBound + refresh, span.lowerBound)
    return max(0, min(frame.upperBound, span.upperBound) - start)
  }

  /// CapFrameX's moving average before each frame. It covers as many of the last frames as ten times the root of the
  /// mean frame time. A time above three times the previous one counts as the previous one.
  package static func capFrameXMeans(_ times: [Double]) -> [Double] {
    guard !times.isEmpty else { return [] }
    let mean = times.reduce(0, +) / Double(times.count)
    let window = max(1, min(times.count, Int((10 * mean.squareRoot()).rounded())))
    var smoothed: [Double] = []
    smoothed.reserveCapacity(times.count)
    var (sum, means) = (0.0, [Double]())
    for (position, time) in times.enumerated() {
      let before = position > 0 ? smoothed[position - 1] : time
      let value = time > 3 * before ? before : time
      smoothed.append(value)
      sum += value
      if position >= window { sum -= smoothed[position - window] }
      means.append(sum / Double(min(position + 1, window)))
    }
    return means
  }
}
