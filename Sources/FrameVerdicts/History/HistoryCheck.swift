import FrameStatistics

/// The check of a series: where its level changed, and whether the newest job deviates from its
/// level.
public struct HistoryCheck: Sendable {
  /// A point at which the level changed.
  public struct Change: Sendable {
    /// The last job of the old level, and the most probable first job of the new one.
    public let last, first: HistoryJob
    /// The jobs that may be the first of the new level, most probable first.
    public let firsts: [JobChance]
    /// The index of the first job in the series.
    public let position: Int
    /// The medians of both levels, in the metric's unit.
    public let before, after: Double
    /// The change with its 95 % confidence interval. The interval is too narrow, because the
    /// position of the change was chosen to maximize the difference.
    public let effect: HistoryEffect
    /// Whether the change is for the worse; `nil` if neither direction is worse.
    public let isWorse: Bool?
  }

  /// A job, with the probability that it is the first of a new level.
  public struct JobChance: Sendable {
    /// The job.
    public let job: HistoryJob
    /// The probability that this job is the first one, from 0 to 1.
    public let probability: Double
  }

  /// A change for the worse that nobody accepted and no later change reversed.
  public struct Standing: Sendable {
    /// Where the level changed.
    public let change: Change
    /// The medians of the level before the change and of the current level, in the metric's unit.
    public let before, after: Double
    /// The change from the level before the change to the current level.
    public let effect: HistoryEffect
    /// If there is no change, the probability that levels are at least this far apart.
    public let p: Double
    /// The number of jobs since the change.
    public let jobs: Int
  }

  /// The newest jobs compared with those of their level.
  public struct Newest: Sendable {
    /// The newest job.
    public let job: HistoryJob
    /// The number of newest jobs that gives the clearest result.
    public internal(set) var newCount: Int
    /// The number of jobs of the level.
    public let count: Int
    /// The means of the level's jobs and of the newest jobs, in the metric's unit.
    public internal(set) var before, after: Double
    /// The change from the level to the newest jobs.
    public internal(set) var effect: HistoryEffect
    /// The 95 % bound of how much worse than their level the newest jobs may be, in the effect's
    /// unit.
    public let bound: Double
    /// The smallest change worth acting on, in the effect's unit.
    public let threshold: Double
    /// If there is no change, the probability of a change at least as large in the verdict's direction.
    public internal(set) var p: Double
    /// The verdict on the newest jobs.
    public internal(set) var verdict: Verdict
    /// If the newest jobs are worse, the jobs that may be the first of the worse level, most
    /// probable first.
    public internal(set) var firsts: [JobChance] = []
  }

  /// A slow drift since the start of a series.
  public struct Slow: Sendable {
    /// The medians of the first and of the last jobs, in the metric's unit.
    public let before, after: Double
    /// The change in the effect's unit.
    public let effect: Double
    /// If there is no change, the probability of a drift at least as large.
    public let p: Double
  }

  /// The series that was checked.
  public let series: HistorySeries
  /// The level changes in order of time, without those too small to act on.
  public let changes: [Change]
  /// The newest jobs; `nil` if the level has too few jobs to judge them.
  public private(set) var newest: Newest?
  /// A slow drift for the worse; `nil` if there is none.
  public let creep: Slow?
  /// The greatest unresolved change for the worse; `nil` if there is none.
  public let standing: Standing?
  /// Facts that a reader must know before trusting the result.
  public let warnings: [String]
  /// The median of each level, scaled.
  private let levels: [Double]
  /// The variation between jobs when nothing changed.
  private let noise: SeriesNoise
  /// The start index of each level, and the end of the last one.
  private let bounds: [Int]
  /// The start index of the newest jobs' level.
  private let start: Int
  /// The newest jobs, tested for the worse and for the better; `nil` if neither direction is worse.
  private let worse, better: NewestJobs?

  /// The unit of changes: `%`, or the metric's unit if values can be zero.
  public var effectUnit: String { series.scale.effectUnit }

  /// The minimum number of jobs in a series for which a level change can be found.
  public static let fewestJobs = 12
  /// The probability of a false change in a series without any change.
  public static let level = 0.01

  private init(_ series: HistorySeries) {
    self.series = series
    let found = LevelChanges(series)
    changes = found.positions.enumerated().map { number, position in
      Self.change(series, found.bounds[number]..<position, position..<found.bounds[number + 2])
    }
    levels = found.medians
    bounds = found.bounds
    // A change that begins within the newest jobs is left to the test of those jobs.
    let step = found.positions.last { series.scaled.count - $0 > NewestJobs.mostNew } ?? 0
    start = max(step, series.accepted?.position ?? 0)
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
        "\(series.key.metric.name): few and correlated jobs: up to 15 % of such series show a false change"
      )
    }
    self.warnings = warnings
    newest = newestJobs(threshold)
  }

  private static func creep(
    _ series: HistorySeries, _ levels: LevelChanges, sign: Double
  ) -> Slow? {
    let values = series.scaled.map { $0 * sign }
    // A step is a separate level; a slow drift appears as many small steps.
    let start = max(levels.lastStep ?? 0, series.accepted?.position ?? 0)
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

  /// Checks several series; those of the same scene and device form a family.
  public static func all(_ series: [HistorySeries]) -> [HistoryCheck] {
    var checks = series.map { HistoryCheck($0) }
    let families = Dictionary(grouping: checks.indices) { position in
      let key = checks[position].series.key
      return [key.scene, key.device ?? "", key.source.rawValue]
    }
    for family in families.values.map({ $0.sorted() }) {
      // If neither direction is worse, there can be no false alarm.
      let members = family.filter { checks[$0].newest != nil && checks[$0].worse != nil }
      let tests = ComparisonConstants.testsCounted(of: members.count, byRanks: false)
      for position in members { checks[position].judge(level: NewestJobs.level / tests) }
    }
    return checks
  }
}

extension HistoryCheck {
  /// The reason for a verdict.
  package enum Reason {
    /// The level differs from the level before the newest changes, the greatest of which is given.
    case level(Change)
    /// The level has been worse since a change that nobody accepted.
    case standing(Standing)
    /// The level is back to the level before the newest changes.
    case recovered
    case creep(Slow)
    case newest(Newest)
    case fewJobs
    /// Neither direction is worse.
    case noDirection
  }

  /// 1 if larger values are worse, −1 if smaller ones are; `nil` if neither direction is worse.
  package var direction: Double? { series.key.metric.higherIsWorse.map { $0 ? 1 : -1 } }

  /// Whether the current level, or the newest job, differs from the earlier level.
  /// - Parameter recent: The number of newest jobs within which a change counts.
  public func verdict(recent: Int) -> Verdict { judgment(recent: recent).verdict }

  /// The verdict with its reason.
  package func judgment(recent: Int) -> (verdict: Verdict, reason: Reason) {
    guard let direction else { return (.noChange, .noDirection) }
    // A change within the newest jobs is left to the test of those jobs.
    let settled = changes.prefix { series.points.count - $0.position > NewestJobs.mostNew }
    let accepted = series.accepted?.position ?? -1
    let first = settled.firstIndex {
      $0.position >= series.points.count - recent && $0.position > accepted
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

  /// The jobs that may be the first of the level that decided the verdict, most probable first;
  /// empty if no change decided it.
  public func firsts(recent: Int) -> [JobChance] {
    switch judgment(recent: recent).reason {
    case .level(let change): change.firsts
    case .standing(let standing): standing.change.firsts
    case .newest(let newest): newest.firsts
    case .creep, .recovered, .fewJobs, .noDirection: []
    }
  }

  /// Whether a level differs from an earlier one by more than the natural variation of dependent jobs.
  private func isBeyondNoise(_ level: Int, from old: Int, sign: Double) -> Bool {
    guard !noise.dependence.isNone else { return true }
    let sides = [old, level].map { number in
      series.scaled[bounds[number]..<bounds[number + 1]].map { $0 * sign }
    }
    return noise.compared(sides[0], sides[1]).pSecondGreater <= Self.dependentLevel
  }

  /// The p value up to which a change of level counts if jobs depend on each other.
  private static let dependentLevel = 0.005

  private static func change(
    _ series: HistorySeries, _ old: Range<Int>, _ new: Range<Int>
  ) -> Change {
    let medians = [old, new].map { RealQuantile.type7(Array(series.scaled[$0]), 0.5) }
    // Use only the jobs next to the change, as many as determine it well.
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
    let position = firsts.first?.position ?? new.lowerBound
    return Change(
      last: series.points[position - 1].job, first: series.points[position].job,
      firsts: firsts.map {
        JobChance(job: series.points[$0.position].job, probability: $0.probability)
      },
      position: position, before: scale.unscaled(medians[0]),
      after: scale.unscaled(medians[1]),
      effect: HistoryEffect(shift.shift, low: shift.low, high: shift.high, scale),
      isWorse: series.key.metric.higherIsWorse.map { $0 == (shift.shift > 0) })
  }

  /// The number of jobs on either side of a change that may be the first of the new level.
  private static let nearJobs = 6
  /// The smallest probability for a job to be named.
  private static let leastProbable = 0.02

  /// The jobs that may be the first of a new level and are probable enough to name.
  /// - Parameters:
  ///   - values: The scaled values of both levels.
  ///   - start: The index of the first value in the series.
  private static func firstJobs(
    _ values: [Double], sign: Double, from start: Int, among positions: Range<Int>, _ rise: Double,
    _ series: HistorySeries
  ) -> [FirstJob.Candidate] {
    let own = positions.lowerBound - start..<max(positions.lowerBound, positions.upperBound) - start
    return FirstJob(values.map { $0 * sign }, among: own, rise: rise).candidates
      .filter { $0.probability >= leastProbable }
      .map { FirstJob.Candidate(position: $0.position + start, probability: $0.probability) }
  }

  /// The jobs, among the last ten, that may be the first worse job.
  private var firstWorse: [JobChance] {
    guard let direction else { return [] }
    let count = series.scaled.count
    let positions = max(start + 3, count - 10)..<count
    guard !positions.isEmpty else { return [] }
    let rise = series.scale.threshold(at: levels.last ?? 0) / 2
    return Self.firstJobs(
      Array(series.scaled[start...]), sign: direction, from: start, among: positions, rise, series
    ).map { JobChance(job: series.points[$0.position].job, probability: $0.probability) }
  }

  /// The number of jobs on either side of a change that determine its size.
  private static let shiftJobs = 200

  /// The newest jobs, judged by the test with the clearest result. None is called regressed before all metrics are
  /// judged together.
  private func newestJobs(_ threshold: Double) -> Newest? {
    guard let direction, let worse, let better, let last = series.points.last else { return nil }
    let isWorse = (worse.clearest?.p ?? 1) <= (better.clearest?.p ?? 1)
    guard let found = (isWorse ? worse : better).clearest else { return nil }
    let sign = isWorse ? direction : -direction
    let end = series.scaled.count - found.count
    let level = series.scaled[max(start, end - NewestJobs.levelJobs.upperBound)..<end]
    let mean = Moments(Array(level)).mean
    // The test gives an outlying job less weight, but the measured values are shown.
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

  /// Marks the newest job as suspected: the job alone deviates, and only it is shown.
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

  /// Applies the joint result over all metrics of a scene and device.
  /// - Parameter level: The level of this series, which is part of a family.
  private mutating func judge(level: Double) {
    if let worse, worse.p <= level {
      let firsts = firstWorse
      newest?.verdict = .regressed
      newest?.firsts = firsts
    } else if let better, better.p <= level {
      newest?.verdict = .improved
    } else if let suspicion = self.worse?.suspicion {
      suspect(suspicion)
    }
  }
}

/// The change of a series with its confidence interval, in display units.
public struct HistoryEffect: Hashable, Sendable {
  /// The change, in the series' effect unit.
  public let size: Double
  /// The 95 % confidence interval of the change.
  public let interval: ClosedRange<Double>

  /// - Parameters: The change and its interval, scaled.
  init(_ change: Double, low: Double, high: Double, _ scale: HistoryScale) {
    size = scale.effect(change)
    interval = scale.effect(low)...max(scale.effect(low), scale.effect(high))
  }
}
