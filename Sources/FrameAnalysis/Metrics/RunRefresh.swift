import FrameTrace

/// The refresh interval by which a run's misses are counted, and how it is known.
public struct RunRefresh: Hashable, Sendable {
  /// How an interval is known, the surest first.
  public enum Source: String, Sendable, CaseIterable {
    /// By the word of the source or the user, which the run's times do not contradict.
    case stated
    /// By the refreshes themselves, which the trace recorded.
    case recorded
    /// By times that lie on one grid at a rate that displays have, late ones among them: no limiter makes these.
    case proven
    /// By times that lie on one grid, of which hardly any came late: a limiter can look the same.
    case inferred
  }

  /// In nanoseconds.
  public let interval: Int64
  /// How the refresh interval is known.
  public let source: Source
  /// How many refreshes most frames take: misses count against the rate that the app keeps.
  public let kept: Int64

  /// Whether it is known well enough to refuse a comparison with a run of another one.
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

  /// How many refreshes a frame time takes, none at least.
  func refreshes(_ time: Int64) -> Int64 { (2 &* time &+ interval) / (2 &* interval) }

  /// What a frame time takes beyond what most of the run take: refreshes, and nanoseconds; nothing where it
  /// takes no refresh more.
  @inline(__always)
  package func beyond(_ time: Int64) -> (refreshes: Int64, time: Int64) {
    let beyond = refreshes(time) - kept
    return beyond > 0 ? (beyond, time - kept * interval) : (0, 0)
  }

  /// Whether a value is a frame time: above 0, and no more than nine years, beyond which there is none.
  package static func isFrameTime(_ time: Int64) -> Bool { time > 0 && time < 1 << 58 }

  /// The refreshes that most times take, the fewest of several that as many do.
  private static func modalMultiple(_ times: [Int64], _ interval: Int64) -> Int64 {
    var counts = [Int](repeating: 0, count: 17)
    for time in times {
      counts[Int(min(16, max(1, (2 &* time &+ interval) / (2 &* interval))))] += 1
    }
    return Int64(counts.indices.max { (counts[$0], $1) < (counts[$1], $0) } ?? 1)
  }
}

extension RunRefresh {
  /// The fewest frame times that show a grid by themselves.
  private static let fewestTimes = 240

  /// The refresh of the run that a surface is.
  /// - Parameter times: Its frame times, in nanoseconds and in order.
  package init?(_ surface: MeasuredSurface, times: [Int64]) {
    self.init(
      surface.rebuilt?.refreshes,
      hasDisplayTimes: surface.surface.frames.valueCount(.displayed) > 3, times: times)
  }

  /// The refresh of a run; `nil` where its times lie on no grid.
  /// - Parameters:
  ///   - refreshes: What was found of its display; `nil` where nothing was looked for.
  ///   - hasDisplayTimes: Whether the trace tells when frames were displayed, so that frame times do not
  ///     have to stand in for that.
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
        // A grid at a rate that no display is known to have may be one of a program's own, and one that is a part of
        // all distances, or whose parts fit as well, may be another display's.
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

  /// Infers the grid that frame times lie on when nothing tells when frames were displayed: the first
  /// rate that displays have and whose phase the running sums keep.
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
