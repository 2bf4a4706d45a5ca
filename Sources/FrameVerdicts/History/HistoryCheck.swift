import FrameStatistics

/// What a series says of its latest jobs: where its level changed, and whether the newest job is
/// off its level.
public struct HistoryCheck: Sendable {
  /// A place at which the level changed.
  public struct Change: Sendable {
    /// The last job of the old level, and the one that is most probably the first of the new one.
    public let last, first: HistoryJob
    /// Which jobs may be the first of the new level, the most probable first.
    public let firsts: [JobChance]
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

  /// A job, and how probably it is the first of a new level.
  public struct JobChance: Sendable {
    /// The job.
    public let job: HistoryJob
    /// The probability that it is the first one, from 0 to 1.
    public let probability: Double
  }

  /// A change for the worse that nobody has accepted and that no later one took back.
  public struct Standing: Sendable {
    /// Where the level changed.
    public let change: Change
    /// The medians of the level before it and of the one that there is now, in the metric's unit.
    public let before, after: Double
    /// The change from the level before it to the present one.
    public let effect: HistoryEffect
    /// The probability of levels as far apart when there is no change.
    public let p: Double
    /// How many jobs there are since.
    public let jobs: Int
  }

  /// The newest jobs against those of their level.
  public struct Newest: Sendable {
    /// The newest job.
    public let job: HistoryJob
    /// How many of the newest jobs tell most, and how many the level has.
    public internal(set) var newCount: Int
    /// How many jobs the level has.
    public let count: Int
    /// The mean of the level's jobs and of the newest, in the metric's unit.
    public internal(set) var before, after: Double
    /// The change from the level to the newest jobs.
    public internal(set) var effect: HistoryEffect
    /// By how much worse than their level the newest jobs may be, with 95 % confidence, in the effect's unit.
    public let bound: Double
    /// The smallest change worth acting on, in the effect's unit.
    public let threshold: Double
    /// The probability of a change as far in the verdict's direction when there is none.
    public internal(set) var p: Double
    /// What is said of the newest jobs.
    public internal(set) var verdict: Verdict
    /// Which jobs may be the first of a worse level, the most probable first, where they are worse.
    public internal(set) var firsts: [JobChance] = []
  }

  /// A slow drift from where a series began.
  public struct Slow: Sendable {
    /// The medians of the first and of the last jobs, in the metric's unit.
    public let before, after: Double
    /// The change in the effect's unit, and its probability when there is none.
    public let effect: Double
    /// The probability of a change as large when there is none.
    public let p: Double
  }

  /// The series that was checked.
  public let series: HistorySeries
  /// In order of time. Changes too small to act on are left out.
  public let changes: [Change]
  /// `nil` when the level has too few jobs to tell.
  public private(set) var newest: Newest?
  /// `nil` where the series has not crept for the worse.
  public let creep: Slow?
  /// The greatest change for the worse that still stands; `nil` where none does.
  public let standing: Standing?
  /// What a reader has to know before this is believed.
  public let warnings: [String]
  /// The median of each level, scaled.
  private let levels: [Double]
  /// How jobs differ where nothing changed.
  private let noise: SeriesNoise
  /// Where the levels begin, and the end of the last.
  private let bounds: [Int]
  /// Where the level of the newest jobs begins.
  private let start: Int
  /// The newest jobs by the rules for the worse, and for the better; `nil` where neither way is.
  private let worse, better: NewestJobs?

  /// The unit of changes: `%`, or the metric's own where values can be zero.
  public var effectUnit: String { series.scale.effectUnit }

  /// The fewest jobs of a series that can tell where its level changed.
  public static let fewestJobs = 12
  /// The probability of a change that is none, in a series without any.
  public static let level = 0.01

  private init(_ series: HistorySeries) {
    self.series = series
    let found = LevelChanges(series)
    changes = found.places.enumerated().map { number, place in
      Self.change(series, found.bounds[number]..<place, place..<found.bounds[number + 2])
    }
    levels = found.medians
    bounds = found.bounds
    // What begins with the newest jobs is theirs to judge.
    let step = found.places.last { series.scaled.count - $0 > NewestJobs.mostNew } ?? 0
    start = max(step, series.accepted?.place ?? 0)
    let start = start
    let direction = series.key.metric.higherIsWorse.map { $0 ? 1.0 : -1.0 }
    let threshold = series.scale.threshold(at: levels.last ?? 0)
    let noise = SeriesNoise(series.scaled, levels: found.bounds)
    self.noise = noise
    (worse, better) = (
      direction.map { sign in
        NewestJobs(series.scaled.map { $0 * sign }, threshold: threshold, from: start, noise: noise)
      },
      direction.map { sign in
        NewestJobs(
          series.scaled.map { -$0 * sign }, threshold: threshold, from: start, noise: noise)
      }
    )
    creep = direction.flatMap { Self.creep(series, found, sign: $0) }
    standing = StandingChange.find(in: series, found, changes, noise)
    var warnings: [String] = []
    if (Self.fewestJobs..<50).contains(series.points.count), found.correlation > 0.2 {
      warnings.append(
        "\(series.key.metric.name): few jobs that depend on each other: up to 15 % of such series show a false change"
      )
    }
    self.warnings = warnings
    newest = newestJobs(threshold)
  }

  private static func creep(
    _ series: HistorySeries, _ levels: LevelChanges, sign: Double
  ) -> Slow? {
    let values = series.scaled.map { $0 * sign }
    // A step that was taken is a level of its own; what creeps shows as many small ones.
    let start = max(levels.lastStep ?? 0, series.accepted?.place ?? 0)
    let first = RealQuantile.type7(Array(series.scaled[start...].prefix(20)), 0.5)
    let threshold = series.scale.threshold(at: first)
    guard let creep = Creep(values, threshold: threshold, from: start), creep.isFound else {
      return nil
    }
    return Slow(
      before: series.scale.unscaled(first),
      after: series.scale.unscaled(first + sign * creep.difference),
      effect: series.scale.effect(sign * creep.difference), p: creep.p)
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
      let members = family.filter { checks[$0].newest != nil && checks[$0].worse != nil }
      let weights = members.map { _ in 1.0 }
      let worse = MultipleTests.closedHarmonic(
        members.map { checks[$0].worse?.p ?? 1 }, weights: weights)
      let better = MultipleTests.closedHarmonic(
        members.map { checks[$0].better?.p ?? 1 }, weights: weights)
      for (number, place) in members.enumerated() {
        checks[place].judge(worse: worse[number], better: better[number])
      }
    }
    return checks
  }
}

extension HistoryCheck {
  /// What decides a verdict.
  package enum Reason {
    /// The level is not what it was before the newest changes, of which this is the greatest.
    case level(Change)
    /// The level has been worse since a change that nobody accepted.
    case standing(Standing)
    /// The level is back where it was before the newest changes.
    case recovered
    case creep(Slow)
    case newest(Newest)
    case fewJobs
    /// Neither way is better.
    case noDirection
  }

  /// 1 where more is worse, −1 where less is; `nil` where neither is.
  package var direction: Double? { series.key.metric.higherIsWorse.map { $0 ? 1 : -1 } }

  /// Whether the level that there is now, or the newest job, is off what was there before.
  /// - Parameter recent: How many of the newest jobs a change counts in.
  public func verdict(recent: Int) -> Verdict { judgment(recent: recent).verdict }

  /// The verdict with what decided it.
  package func judgment(recent: Int) -> (verdict: Verdict, reason: Reason) {
    guard let direction else { return (.noChange, .noDirection) }
    // What changed with the newest jobs is theirs to tell.
    let settled = changes.prefix { series.points.count - $0.place > NewestJobs.mostNew }
    let accepted = series.accepted?.place ?? -1
    let first = settled.firstIndex {
      $0.place >= series.points.count - recent && $0.place > accepted
    }
    let ofNewest = newest.map { ($0.verdict, Reason.newest($0)) }
    if let ofNewest, ofNewest.0 == .regressed { return ofNewest }
    let ofCreep =
      creep.map { (Verdict.regressed, Reason.creep($0)) }
      ?? standing.map { (.regressed, .standing($0)) }
    guard let first else {
      return ofCreep ?? ofNewest ?? (.inconclusive, .fewJobs)
    }
    let step = (levels[settled.count] - levels[first]) * direction
    let latest = settled[first...].filter { $0.isWorse == (step > 0) }
      .max { abs($0.effect.size) < abs($1.effect.size) }
    if abs(step) >= series.scale.threshold(at: levels[first]), let latest,
      isBeyondNoise(settled.count, from: first, sign: step > 0 ? direction : -direction)
    {
      return (step > 0 ? .regressed : .improved, .level(latest))
    }
    if let ofCreep { return ofCreep }
    if let ofNewest, ofNewest.0 == .improved { return ofNewest }
    return (.noChange, .recovered)
  }

  /// Which jobs may be the first of the level that the verdict rests on, the most probable first; none where it rests on
  /// no change.
  public func firsts(recent: Int) -> [JobChance] {
    switch judgment(recent: recent).reason {
    case .level(let change): change.firsts
    case .standing(let standing): standing.change.firsts
    case .newest(let newest): newest.firsts
    case .creep, .recovered, .fewJobs, .noDirection: []
    }
  }

  /// Whether a level differs from an earlier one by more than jobs that depend on each other do by themselves.
  private func isBeyondNoise(_ level: Int, from old: Int, sign: Double) -> Bool {
    guard !noise.dependence.isNone else { return true }
    let sides = [old, level].map { number in
      series.scaled[bounds[number]..<bounds[number + 1]].map { $0 * sign }
    }
    return noise.compared(sides[0], sides[1]).pSecondGreater <= Self.dependentLevel
  }

  /// The probability at which a change of level counts where jobs depend on each other.
  private static let dependentLevel = 0.005

  private static func change(
    _ series: HistorySeries, _ old: Range<Int>, _ new: Range<Int>
  ) -> Change {
    let medians = [old, new].map { RealQuantile.type7(Array(series.scaled[$0]), 0.5) }
    // The jobs next to the change, as many as tell it well.
    let shift = HodgesLehmann(
      Array(series.scaled[old].suffix(shiftJobs)), Array(series.scaled[new].prefix(shiftJobs)))
    let scale = series.scale
    let sign = shift.shift < 0 ? -1.0 : 1.0
    let near =
      max(
        old.lowerBound + 1, new.lowerBound - nearJobs)..<min(
        new.upperBound, new.lowerBound + nearJobs)
    let firsts = firstJobs(
      Array(series.scaled[old.lowerBound..<new.upperBound]), sign: sign, from: old.lowerBound,
      among: near, scale.threshold(at: medians[0]) / 2, series)
    let place = firsts.first?.place ?? new.lowerBound
    return Change(
      last: series.points[place - 1].job, first: series.points[place].job,
      firsts: firsts.map {
        JobChance(job: series.points[$0.place].job, probability: $0.probability)
      },
      place: place, before: scale.unscaled(medians[0]),
      after: scale.unscaled(medians[1]),
      effect: HistoryEffect(shift.shift, low: shift.low, high: shift.high, scale),
      isWorse: series.key.metric.higherIsWorse.map { $0 == (shift.shift > 0) })
  }

  /// How many jobs beside a change may be the first of the new level.
  private static let nearJobs = 6
  /// How probable a job has to be to be named.
  private static let leastProbable = 0.02

  /// The jobs that may be the first of a new level, those that are worth naming.
  /// - Parameters:
  ///   - values: Scaled, those of both levels.
  ///   - start: The place of the first of them in the series.
  private static func firstJobs(
    _ values: [Double], sign: Double, from start: Int, among places: Range<Int>, _ rise: Double,
    _ series: HistorySeries
  ) -> [FirstJob.Candidate] {
    let own = places.lowerBound - start..<max(places.lowerBound, places.upperBound) - start
    return FirstJob(values.map { $0 * sign }, among: own, rise: rise).candidates
      .filter { $0.probability >= leastProbable }
      .map { FirstJob.Candidate(place: $0.place + start, probability: $0.probability) }
  }

  /// The jobs that may be the first of those that are worse now, of the last ten.
  private var firstWorse: [JobChance] {
    guard let direction else { return [] }
    let count = series.scaled.count
    let places = max(start + 3, count - 10)..<count
    guard !places.isEmpty else { return [] }
    let rise = series.scale.threshold(at: levels.last ?? 0) / 2
    return Self.firstJobs(
      Array(series.scaled[start...]), sign: direction, from: start, among: places, rise, series
    ).map { JobChance(job: series.points[$0.place].job, probability: $0.probability) }
  }

  /// How many jobs on either side of a change tell its size.
  private static let shiftJobs = 200

  /// The newest jobs as the rules see them that speak most clearly; before they are judged together with the
  /// other metrics, none of them is red.
  private func newestJobs(_ threshold: Double) -> Newest? {
    guard let direction, let worse, let better, let last = series.points.last else { return nil }
    let isWorse = (worse.clearest?.p ?? 1) <= (better.clearest?.p ?? 1)
    guard let found = (isWorse ? worse : better).clearest else { return nil }
    let sign = isWorse ? direction : -direction
    let end = series.scaled.count - found.count
    let level = series.scaled[max(start, end - NewestJobs.levelJobs.upperBound)..<end]
    let mean = Moments(Array(level)).mean
    // The rule lets a job that stands apart count for less; what is shown is what was measured.
    let after = Moments(Array(series.scaled[end...])).mean
    let beyond = after - mean - sign * found.difference
    let bounds = [found.low * sign, found.high * sign].map { $0 + beyond }.sorted()
    let scale = series.scale
    let high = worse.clearest?.high ?? .infinity
    return Newest(
      job: last.job, newCount: found.count, count: level.count, before: scale.unscaled(mean),
      after: scale.unscaled(after),
      effect: HistoryEffect(after - mean, low: bounds[0], high: bounds[1], scale),
      bound: abs(scale.effect(max(0, high) * direction)), threshold: scale.effect(threshold),
      p: found.p, verdict: high < threshold ? .noChange : .inconclusive)
  }

  /// The newest job by itself is off, and what is shown is that job.
  private mutating func suspect(_ test: TwoSampleT) {
    guard let direction, let value = series.scaled.last else { return }
    let scale = series.scale
    let bounds = [test.interval(0.9).low * direction, test.interval(0.9).high * direction].sorted()
    guard var suspected = newest else { return }
    suspected.newCount = 1
    suspected.before = scale.unscaled(value - test.difference * direction)
    suspected.after = scale.unscaled(value)
    suspected.effect = HistoryEffect(
      test.difference * direction, low: bounds[0], high: bounds[1], scale)
    suspected.p = test.pSecondGreater
    suspected.verdict = .suspected
    newest = suspected
  }

  /// Takes in what all metrics of a scene and device say together.
  private mutating func judge(worse: Double, better: Double) {
    if worse <= NewestJobs.level {
      let firsts = firstWorse
      newest?.verdict = .regressed
      newest?.firsts = firsts
    } else if better <= NewestJobs.level {
      newest?.verdict = .improved
    } else if let suspicion = self.worse?.suspicion {
      suspect(suspicion)
    }
  }
}

/// By how much a series changed, with the interval that holds it, as people read it.
public struct HistoryEffect: Hashable, Sendable {
  /// The change, in the series' effect unit.
  public let size: Double
  /// The interval that holds it with 95 % confidence.
  public let interval: ClosedRange<Double>

  /// - Parameters: The change and its interval, scaled.
  init(_ change: Double, low: Double, high: Double, _ scale: HistoryScale) {
    size = scale.effect(change)
    interval = scale.effect(low)...max(scale.effect(low), scale.effect(high))
  }
}
