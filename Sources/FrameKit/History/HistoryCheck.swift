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
    /// The change, and an interval that describes it, in the effect's unit. As the place was chosen
    /// for its difference, the interval is narrower than it ought to be.
    public let effect: Double
    public let interval: ClosedRange<Double>
    /// Whether it is for the worse; `nil` when neither way is.
    public let isWorse: Bool?
  }

  /// The newest job against the jobs of its level.
  public struct Newest: Sendable {
    public let job: HistoryJob
    /// The mean of the level's jobs and the value of the newest, in the metric's unit.
    public let before, after: Double
    /// How many jobs the level has.
    public let count: Int
    public let effect: Double
    public let interval: ClosedRange<Double>
    public let threshold: Double
    /// The probability of a change as bad when there is none, put right for the number of metrics.
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
    let start = found.places.last ?? 0
    newest = Self.newest(series, from: start)
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
      let members = family.filter { checks[$0].newest != nil }
      let worse = MultipleTests.holm(members.compactMap { checks[$0].pOfWorse })
      let better = MultipleTests.holm(members.compactMap { checks[$0].pOfBetter })
      for (number, place) in members.enumerated() {
        checks[place].judge(worse: worse[number], better: better[number])
      }
    }
    return checks
  }

  /// Whether the newest job, or a change among the newest jobs, is for the worse.
  /// - Parameter recent: How many of the newest jobs a change counts in.
  public func verdict(recent: Int) -> Verdict {
    let latest = changes.filter { $0.place >= series.points.count - recent }
    if latest.contains(where: { $0.isWorse == true }) { return .regressed }
    if let verdict = newest?.verdict, verdict == .regressed { return verdict }
    if latest.contains(where: { $0.isWorse == false }) { return .improved }
    return newest?.verdict ?? .inconclusive
  }
}

extension HistoryCheck {
  /// Scaled values for which more is worse.
  private static func directed(_ series: HistorySeries) -> Double {
    series.key.metric.higherIsWorse == false ? -1 : 1
  }

  private static func change(
    _ series: HistorySeries, _ old: Range<Int>, _ new: Range<Int>
  ) -> Change {
    let (first, second) = (Array(series.scaled[old]), Array(series.scaled[new]))
    let scale = series.scale
    let medians = [first, second].map { RealQuantile.type7($0, 0.5) }
    let difference = medians[1] - medians[0]
    let wide = TwoSampleT.pooled(first, second).interval(0.95)
    let (low, high) = (scale.effect(wide.low), scale.effect(wide.high))
    return Change(
      last: series.points[old.upperBound - 1].job, first: series.points[new.lowerBound].job,
      place: new.lowerBound, before: scale.unscaled(medians[0]),
      after: scale.unscaled(medians[1]), effect: scale.effect(difference),
      interval: low...max(low, high),
      isWorse: series.key.metric.higherIsWorse.map { $0 == (difference > 0) })
  }

  private static func newest(_ series: HistorySeries, from start: Int) -> Newest? {
    let last = series.scaled.count - 1
    let level = Array(series.scaled[start..<max(start, last)].suffix(levelJobs.upperBound))
    guard level.count >= levelJobs.lowerBound else { return nil }
    let test = TwoSampleT.pooled(level, [series.scaled[last]])
    let scale = series.scale
    let mean = Moments(level).mean
    let wide = test.interval(0.95)
    let (low, high) = (scale.effect(wide.low), scale.effect(wide.high))
    let threshold = scale.threshold(at: mean)
    return Newest(
      job: series.points[last].job, before: scale.unscaled(mean),
      after: scale.unscaled(series.scaled[last]), count: level.count,
      effect: scale.effect(test.difference), interval: low...max(low, high),
      threshold: scale.effect(threshold), p: 1, verdict: .inconclusive, test: test,
      scaledThreshold: threshold)
  }

  private var pOfWorse: Double? {
    newest.map { Self.directed(series) > 0 ? $0.test.pGreater : $0.test.pLess }
  }

  private var pOfBetter: Double? {
    newest.map { Self.directed(series) > 0 ? $0.test.pLess : $0.test.pGreater }
  }

  private mutating func judge(worse: Double, better: Double) {
    guard let newest, series.key.metric.higherIsWorse != nil else { return }
    let difference = newest.test.difference * Self.directed(series)
    let narrow = newest.test.interval(0.9)
    let isSmall =
      narrow.high < newest.scaledThreshold && narrow.low > -newest.scaledThreshold
    self.newest?.p = worse
    self.newest?.verdict =
      worse <= 0.05 && difference >= newest.scaledThreshold
      ? .regressed
      : better <= 0.05 && difference <= -newest.scaledThreshold
        ? .improved : isSmall ? .noChange : .inconclusive
  }
}

/// Where the level of a series changed by enough to act on.
private struct LevelChanges {
  private(set) var places: [Int] = []
  /// How much jobs depend on the ones before.
  let correlation: Double
  private let count: Int

  /// The start of the series, the places, and its end.
  var bounds: [Int] { [0] + places + [count] }

  init(_ series: HistorySeries) {
    count = series.scaled.count
    guard count >= HistoryCheck.fewestJobs else {
      correlation = 0
      return
    }
    let changes = ChangePoints(
      series.scaled, seed: Self.seed(series.key), level: HistoryCheck.level)
    places = changes.places
    correlation = changes.correlation
    while let smallest = smallestBelowThreshold(series) { places.remove(at: smallest) }
  }

  /// The change that is least worth acting on, of those that are not; what is left of it joins both
  /// levels, so the others are looked at again.
  private func smallestBelowThreshold(_ series: HistorySeries) -> Int? {
    let bounds = bounds
    let medians = zip(bounds, bounds.dropFirst()).map { start, end in
      RealQuantile.type7(Array(series.scaled[start..<end]), 0.5)
    }
    let steps = places.indices.map { place in
      (
        place: place,
        share: abs(medians[place + 1] - medians[place])
          / max(series.scale.threshold(at: medians[place]), 1e-12)
      )
    }
    return steps.filter { $0.share < 1 }.min { ($0.share, $0.place) < ($1.share, $1.place) }?.place
  }

  /// A number that the series' name alone gives, by the FNV-1a hash: what is found does not depend
  /// on when or where.
  private static func seed(_ key: HistorySeries.Key) -> UInt64 {
    let name = [key.scene, key.device ?? "", key.source.rawValue, key.metric.name]
    return name.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }
}
