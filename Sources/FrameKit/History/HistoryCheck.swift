/// What a series says of its latest jobs: where its level changed, and whether the newest job is
/// off its level.
public struct HistoryCheck: Sendable {
  /// A place at which the level changed.
  public struct Change: Sendable {
    /// The last job of the old level, and the first of the new one.
    public let last, first: HistoryJob
    /// The place of the first in the series.
    public let place: Int
    /// The medians of both levels, in the metric's unit.
    public let before, after: Double
    /// The change, and the interval that holds it with 95 % confidence. As the place was chosen for
    /// its difference, the interval is narrower than it ought to be.
    public let effect: HistoryEffect
    /// Whether it is for the worse; `nil` when neither way is.
    public let isWorse: Bool?
  }

  /// The newest job against the jobs of its level.
  public struct Newest: Sendable {
    public let job: HistoryJob
    /// The mean of the level's jobs and the value of the newest, in the metric's unit.
    public let before, after: Double
    /// How many jobs the level has beside it.
    public let count: Int
    public let effect: HistoryEffect
    /// The smallest change worth acting on, in the effect's unit.
    public let threshold: Double
    /// The probability of a change as far in the verdict's direction when there is none, put right
    /// for the number of metrics.
    public internal(set) var p: Double
    public internal(set) var verdict: Verdict
    fileprivate let test: TwoSampleT
    fileprivate let scaledThreshold: Double
  }

  public let series: HistorySeries
  /// In order of time. Changes too small to act on are left out.
  public let changes: [Change]
  /// `nil` when the level has too few jobs to tell.
  public private(set) var newest: Newest?
  /// What a reader has to know before this is believed.
  public let warnings: [String]
  /// The median of each level, scaled.
  private let levels: [Double]

  public var effectUnit: String { series.scale.effectUnit }

  /// The fewest jobs of a series that can tell where its level changed.
  public static let fewestJobs = 12
  /// The fewest and the most jobs of a level that the newest is held against.
  static let levelJobs = 5...50
  /// The probability of a change that is none, in a series without any.
  public static let level = 0.01

  private init(_ series: HistorySeries) {
    self.series = series
    let found = LevelChanges(series)
    changes = found.places.enumerated().map { number, place in
      Self.change(series, found.bounds[number]..<place, place..<found.bounds[number + 2])
    }
    levels = found.medians
    newest = Self.newest(series, from: found.places.last ?? 0)
    var warnings: [String] = []
    if (Self.fewestJobs..<50).contains(series.points.count), found.correlation > 0.2 {
      warnings.append(
        "\(series.key.metric.name): few jobs that depend on each other: up to 15 % of such series show a change that is none"
      )
    }
    self.warnings = warnings
  }

  /// Checks series, those of a scene and device as a family.
  public static func all(_ series: [HistorySeries]) -> [HistoryCheck] {
    var checks = series.map { HistoryCheck($0) }
    let families = Dictionary(grouping: checks.indices) { place in
      let key = checks[place].series.key
      return [key.scene, key.device ?? "", key.source.rawValue]
    }
    for family in families.values.map({ $0.sorted() }) {
      // Where neither way is better, nothing can be a false alarm.
      let members = family.filter { checks[$0].newest != nil && checks[$0].direction != nil }
      let worse = MultipleTests.holm(members.compactMap { checks[$0].pOfWorse })
      let better = MultipleTests.holm(members.compactMap { checks[$0].pOfBetter })
      for (number, place) in members.enumerated() {
        checks[place].judge(worse: worse[number], better: better[number])
      }
    }
    return checks
  }
}

extension HistoryCheck {
  /// What decides a verdict.
  enum Reason {
    /// The level is not what it was before the newest changes, of which this is the greatest.
    case level(Change)
    /// The level is back where it was before the newest changes.
    case recovered
    case newest(Newest)
    case fewJobs
    /// Neither way is better.
    case noDirection
  }

  /// 1 where more is worse, −1 where less is; `nil` where neither is.
  var direction: Double? { series.key.metric.higherIsWorse.map { $0 ? 1 : -1 } }

  /// Whether the level that there is now, or the newest job, is off what was there before.
  /// - Parameter recent: How many of the newest jobs a change counts in.
  public func verdict(recent: Int) -> Verdict { judgement(recent: recent).verdict }

  /// The verdict with what decided it.
  func judgement(recent: Int) -> (verdict: Verdict, reason: Reason) {
    guard let direction else { return (.noChange, .noDirection) }
    let first = changes.firstIndex { $0.place >= series.points.count - recent }
    let ofNewest = newest.map { ($0.verdict, Reason.newest($0)) }
    if let ofNewest, ofNewest.0 == .regressed { return ofNewest }
    guard let first, let now = levels.last else { return ofNewest ?? (.inconclusive, .fewJobs) }
    let step = (now - levels[first]) * direction
    let latest = changes[first...].filter { $0.isWorse == (step > 0) }
      .max { abs($0.effect.size) < abs($1.effect.size) }
    if abs(step) >= series.scale.threshold(at: levels[first]), let latest {
      return (step > 0 ? .regressed : .improved, .level(latest))
    }
    if let ofNewest, ofNewest.0 == .improved { return ofNewest }
    return (.noChange, .recovered)
  }

  private static func change(
    _ series: HistorySeries, _ old: Range<Int>, _ new: Range<Int>
  ) -> Change {
    let medians = [old, new].map { RealQuantile.type7(Array(series.scaled[$0]), 0.5) }
    // The jobs next to the change, as many as tell it well.
    let shift = HodgesLehmann(
      Array(series.scaled[old].suffix(shiftJobs)), Array(series.scaled[new].prefix(shiftJobs)))
    let scale = series.scale
    return Change(
      last: series.points[old.upperBound - 1].job, first: series.points[new.lowerBound].job,
      place: new.lowerBound, before: scale.unscaled(medians[0]),
      after: scale.unscaled(medians[1]),
      effect: HistoryEffect(shift.shift, low: shift.low, high: shift.high, scale),
      isWorse: series.key.metric.higherIsWorse.map { $0 == (shift.shift > 0) })
  }

  /// How many jobs on either side of a change tell its size.
  private static let shiftJobs = 200

  private static func newest(_ series: HistorySeries, from start: Int) -> Newest? {
    let last = series.scaled.count - 1
    let level = Array(series.scaled[start..<max(start, last)].suffix(levelJobs.upperBound))
    guard level.count >= levelJobs.lowerBound else { return nil }
    let test = TwoSampleT.pooled(level, [series.scaled[last]])
    let scale = series.scale
    let mean = Moments(level).mean
    let wide = test.interval(0.95)
    let threshold = scale.threshold(at: mean)
    return Newest(
      job: series.points[last].job, before: scale.unscaled(mean),
      after: scale.unscaled(series.scaled[last]), count: level.count,
      effect: HistoryEffect(test.difference, low: wide.low, high: wide.high, scale),
      threshold: scale.effect(threshold), p: 1, verdict: .inconclusive, test: test,
      scaledThreshold: threshold)
  }

  private var pOfWorse: Double? {
    newest.map { direction == 1 ? $0.test.pGreater : $0.test.pLess }
  }

  private var pOfBetter: Double? {
    newest.map { direction == 1 ? $0.test.pLess : $0.test.pGreater }
  }

  private mutating func judge(worse: Double, better: Double) {
    guard let newest, let direction else { return }
    let difference = newest.test.difference * direction
    let narrow = newest.test.interval(0.9)
    let isSmall = narrow.high < newest.scaledThreshold && narrow.low > -newest.scaledThreshold
    self.newest?.p = difference < 0 ? better : worse
    self.newest?.verdict =
      worse <= 0.05 && difference >= newest.scaledThreshold
      ? .regressed
      : better <= 0.05 && difference <= -newest.scaledThreshold
        ? .improved : isSmall ? .noChange : .inconclusive
  }
}

/// By how much a series changed, with the interval that holds it, as people read it.
public struct HistoryEffect: Hashable, Sendable {
  public let size: Double
  public let interval: ClosedRange<Double>

  /// - Parameters: The change and its interval, scaled.
  init(_ change: Double, low: Double, high: Double, _ scale: HistoryScale) {
    size = scale.effect(change)
    interval = scale.effect(low)...max(scale.effect(low), scale.effect(high))
  }
}
