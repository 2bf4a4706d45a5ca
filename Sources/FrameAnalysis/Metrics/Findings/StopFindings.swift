import FrameStatistics
public import FrameTrace

/// The stretches of more than 500 ms in which a surface showed no new frame and is not known to have rested.
public struct StopFindings: Hashable, Sendable {
  /// One stop.
  public struct Stop: Hashable, Sendable {
    /// When the last new frame was shown, or when the work that ended the stop began.
    public let time: Timestamp
    /// How long it lasted.
    public let length: Nanoseconds
    /// The row of the frame that ended it.
    public let row: Int
    /// Why there was no new frame.
    public let cause: StopCause
  }

  /// All stops, in order of time.
  public let stops: [Stop]
  /// Times in which the window was hidden. They count as rest, not as stops.
  public let hidden: [Stop]
  /// The maximum number of refreshes that stops of unknown cause may have dropped; `nil` if no refresh interval is
  /// known.
  public let atMost: Int?
  /// The number of refreshes dropped by freezes, accurate to one refresh per freeze, if display times lie off the
  /// refreshes so that drops are not judged otherwise. `nil` if display times lie on the refreshes, or no refresh
  /// interval is known.
  public let frozenOffGrid: Int?
  /// The minimum share of refreshes that these freezes dropped, from 0 to 1; `nil` whenever ``frozenOffGrid`` is `nil`.
  public let leastDroppedShare: Double?
  /// Frames per second, computed without the frame times that are stops; `nil` if no frame time is a stop.
  public let rateWithout: Double?
  /// How many frame times are stops.
  public let frameTimes: Int
  /// The time in which the surface was observed, minus its stops.
  public let timeWithout: Nanoseconds

  /// The total duration of all stops.
  public var total: Nanoseconds { stops.reduce(.zero) { $0 + $1.length } }
  /// The stops of unknown cause.
  package var unknown: [Stop] { stops.filter { $0.cause == .unknown } }
  /// The longest stop; `nil` where there is none.
  public var longest: Stop? { stops.max { ($0.length, $1.time) < ($1.length, $0.time) } }

  /// Stops per minute in which the surface did not stop, so that a longer stop never lowers the figure; `nil` if the
  /// surface was not observed.
  public var perMinute: Double? {
    timeWithout > .zero ? Double(stops.count) * 60 / timeWithout.seconds : nil
  }

  /// The share of the observed time that stops took, from 0 to 1; `nil` where the surface was not observed.
  public var share: Double? {
    let all = timeWithout + total
    return all > .zero ? total.seconds / all.seconds : nil
  }

  /// - Complexity: O(n) in the frames where there are stops.
  init(_ surface: MeasuredSurface) {
    let found = surface.stops.all.filter { surface.rows.contains(Int($0.row)) }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    let list = { (isRest: Bool) in
      found.filter { $0.cause.isRest == isRest }.map { stop in
        Stop(
          time: stop.range.lowerBound, length: stop.range.length, row: Int(stop.row),
          cause: stop.cause)
      }
    }
    let counted = list(false)
    stops = counted
    hidden = list(true)
    atMost = surface.rebuilt.flatMap {
      Self.refreshes(in: counted.filter { $0.cause == .unknown }, $0.timeline.schedule)
    }
    let freezes = counted.filter(\.cause.isJudged)
    frozenOffGrid = surface.rebuilt.flatMap { rebuilt in
      rebuilt.timeline.schedule.isOnGrid
        ? nil : Self.refreshes(in: freezes, rebuilt.timeline.schedule)
    }
    let lengths = stops.reduce(Nanoseconds.zero) { $0 + $1.length }
    let observed = surface.frames.timeRange.map { $0.upperBound - $0.lowerBound } ?? .zero
    timeWithout = max(.zero, observed - lengths)
    let interval = surface.rebuilt?.refreshes.interval
    if let interval, let dropped = frozenOffGrid {
      let refreshes = observed.seconds / interval.seconds + 1
      leastDroppedShare = Double(max(0, dropped - freezes.count)) / refreshes
    } else {
      leastDroppedShare = nil
    }
    (rateWithout, frameTimes) = stops.isEmpty ? (nil, 0) : Self.rate(without: surface)
  }

  /// How many refreshes stops may have dropped; `nil` where the display kept no interval.
  private static func refreshes(in stops: [Stop], _ schedule: FrameSchedule) -> Int? {
    guard schedule.hasInterval, !schedule.isVariable else { return nil }
    let grid = schedule.grid
    return stops.reduce(0) { sum, stop in
      let refreshes = grid.nearest(stop.time + stop.length) - grid.nearest(stop.time)
      return sum + max(0, Int(refreshes) - 1)
    }
  }

  /// The rate computed from the frame times that are not stops, and how many frame times are stops.
  private static func rate(without surface: MeasuredSurface) -> (Double?, Int) {
    let measurement = FrameMetric.frameTime.measure(surface)
    defer { surface.recycle(measurement) }
    guard case .sample(let sample) = measurement.content else { return (nil, 0) }
    var (sum, count) = (Int128(0), 0)
    for value in sample.values where value <= SurfaceStops.shortest.count {
      sum += Int128(value)
      count += 1
    }
    let left = sample.values.count - count
    guard left > 0, sum > 0 else { return (nil, left) }
    return (Double(count) / Nanoseconds(Int64(clamping: sum)).seconds, left)
  }
}

extension SurfaceAnalysis {
  /// The maximum of a drop figure, assuming that frames were due during all stops of unknown cause; `nil` if the figure
  /// does not depend on such stops.
  package func most(_ metric: String, from value: Double) -> Double? {
    guard let drops = drops.value, let refreshes = stops.atMost, refreshes > 0 else { return nil }
    switch metric {
    case "droppedShare":
      return 100 * Double(drops.refreshes + refreshes) / Double(drops.activeRefreshes + refreshes)
    case "hitchRatio":
      guard let hitches = hitches.value, hitches.source == .rebuilt else { return nil }
      let length = stops.unknown.reduce(Nanoseconds.zero) { $0 + $1.length }
      return (hitches.total + length).milliseconds / (hitches.span + length).seconds
    case "hitchTime":
      guard hitches.value?.source == .rebuilt else { return nil }
      return max(value, stops.unknown.map(\.length.milliseconds).max() ?? value)
    default: return nil
    }
  }
}
