import FrameTrace

/// The refresh interval used to count a run's misses, and how it is known.
public struct RunRefresh: Hashable, Sendable {
  /// How an interval is known, the most certain first.
  public enum Source: String, Sendable, CaseIterable {
    /// Stated by the source or the user, and not contradicted by the run's times.
    case stated
    /// Taken from the refreshes that the trace recorded.
    case recorded
    /// Inferred from times on one grid at a display's rate, including late ones, which no limiter produces.
    case proven
    /// Inferred from times on one grid that are hardly ever late; a limiter can produce the same pattern.
    case inferred
  }

  /// The interval in nanoseconds.
  public let interval: Int64
  /// How the refresh interval is known.
  public let source: Source
  /// How many refreshes most frames take: misses count against the rate that the app keeps.
  public let kept: Int64

  /// Whether the interval is certain enough to refuse a comparison with a run that has a different one.
  public var isSure: Bool { source != .inferred }

  /// - Parameter times: The frame times, in nanoseconds.
  package init?(_ interval: Int64, _ source: Source, times: [Int64]) {
    guard interval > 0 else { return nil }
    self.interval = interval
    self.source = source
    kept = Self.modalMultiple(times, interval)
  }

  package init(interval: Int64, source: Source, kept: Int64) {
    (self.interval, self.source, self.kept) = (interval, source, kept)
  }

  /// How many refreshes a frame time takes, rounded to the nearest; possibly zero.
  func refreshes(_ time: Int64) -> Int64 { (2 &* time &+ interval) / (2 &* interval) }

  /// How far a frame time exceeds what most frames of the run take, in refreshes and nanoseconds;
  /// zero where it takes no more refreshes.
  @inline(__always)
  package func beyond(_ time: Int64) -> (refreshes: Int64, time: Int64) {
    let beyond = refreshes(time) - kept
    return beyond > 0 ? (beyond, time - kept * interval) : (0, 0)
  }

  /// Whether a value is a frame time: above 0 and at most nine years.
  package static func isFrameTime(_ time: Int64) -> Bool { time > 0 && time < 1 << 58 }

  /// The number of refreshes that most times take; in a tie, the smallest number.
  private static func modalMultiple(_ times: [Int64], _ interval: Int64) -> Int64 {
    var counts = [Int](repeating: 0, count: 17)
    for time in times {
      counts[Int(min(16, max(1, (2 &* time &+ interval) / (2 &* interval))))] += 1
    }
    return Int64(counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 1)
  }
}

extension RunRefresh {
  /// The minimum number of frame times that show a grid by themselves.
  private static let fewestTimes = 240

  /// The refresh interval of the run on a surface.
  /// - Parameter times: The surface's frame times, in nanoseconds and in order.
  package init?(_ surface: MeasuredSurface, times: [Int64]) {
    self.init(
      surface.rebuilt?.refreshes,
      hasDisplayTimes: surface.surface.frames.valueCount(.displayed) > 3, times: times)
  }

  /// The refresh interval of a run; `nil` where its times lie on no grid.
  /// - Parameters:
  ///   - refreshes: What was found about the run's display; `nil` if nothing was searched for.
  ///   - hasDisplayTimes: Whether the trace has display times, so that frame times do not have to replace them.
  ///   - times: The frame times, in nanoseconds and in order.
  init?(_ refreshes: DisplayRefreshes?, hasDisplayTimes: Bool, times: [Int64]) {
    if let refreshes, refreshes.isVariable { return nil }
    if let refreshes, let length = refreshes.interval, let source = refreshes.source {
      let interval = length.count
      if refreshes.isRecorded {
        self.init(interval, .recorded, times: times)
        return
      }
      if source == .stated {
        self.init(interval, .stated, times: times)
        return
      }
      if source != .assumed {
        // A grid at a rate that no display is known to have may come from a program. A grid that divides all distances,
        // or that has divisors that fit equally well, may belong to another display.
        let isProven =
          refreshes.isProven && source == .measured && refreshes.mayBe == nil
          && DisplayRates.has(length)
        self.init(interval, isProven ? .proven : .inferred, times: times)
        return
      }
    }
    guard !hasDisplayTimes else { return nil }
    self.init(inferring: times)
  }

  /// Infers the grid of frame times without display times: the first display rate at which the
  /// running sums keep their phase.
  package init?(inferring times: [Int64]) {
    guard times.count >= Self.fewestTimes else { return nil }
    var sums = [Timestamp(nanoseconds: 0)]
    sums.reserveCapacity(times.count + 1)
    for time in times { sums.append(sums[sums.count - 1] + Nanoseconds(time)) }
    for rate in DisplayRates.intervals {
      let fit = RateFit(sums[...], near: rate, within: DisplayRates.tolerance)
      guard let fit, fit.coherence >= 0.97, !fit.isContradicted else { continue }
      self.init(fit.interval.count, fit.isProven ? .proven : .inferred, times: times)
      return
    }
    return nil
  }
}
