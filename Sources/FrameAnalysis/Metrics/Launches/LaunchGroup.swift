public import FrameStatistics
public import FrameTrace

/// Launches that can be combined in one statistic: of the same process and measure, and either all or none profiled.
public struct LaunchGroup: Sendable {
  /// The properties that the launches share.
  public struct Key: Hashable, Sendable {
    /// The process that was launched; `nil` when not known.
    public let process: String?
    /// The start and end of the measured time.
    public let measure: LaunchMeasure
    /// Whether a profiler slowed them down.
    public let isProfiled: Bool

    /// Cold, warm, or hot; `nil` when not known.
    public var kind: LaunchColumn.Kind? { measure.kind }
    /// The event that ended the launches.
    public var until: LaunchColumn.End { measure.until }

    init(_ launch: RebuiltLaunch) {
      (process, measure) = (launch.process, LaunchMeasure(launch))
      isProfiled = launch.isProfiled
    }
  }

  /// One phase of the launches.
  public struct Phase: Sendable {
    /// The name of the phase.
    public let name: PhaseColumn.Name
    /// The durations in milliseconds, for the launches that have the phase.
    public let wall: Summary
    /// The processor time; `nil` when no launch reports it.
    public let cpu: Summary?
  }

  /// The properties that the launches share.
  public let key: Key
  /// The launches, in the order of the traces.
  public let launches: [RebuiltLaunch]
  /// The duration from start to end, in milliseconds.
  public let total: Summary
  /// The number of launches that took longer than the goal.
  public let overGoal: Int
  /// The parts of the system and of the app; `nil` when no launch reports its phases.
  public let system, app: Summary?
  /// The processor time of all threads; `nil` when no launch reports it.
  public let cpu: Summary?
  /// The phases in the order in which launches go through them.
  public let phases: [Phase]

  /// - Returns: `nil` if no launch has a total duration.
  init?(_ key: Key, _ launches: [RebuiltLaunch]) {
    let totals = launches.compactMap { $0.total?.count }
    guard let total = Self.summary(totals) else { return nil }
    self.key = key
    self.launches = launches
    self.total = total
    overGoal = totals.count { $0 > LaunchShares.goal.count }
    let shares = launches.compactMap { LaunchShares($0) }
    system = Self.summary(shares.map(\.system.count))
    app = Self.summary(shares.map(\.app.count))
    cpu = Self.summary(launches.compactMap { $0.cpu?.count })
    phases = PhaseColumn.Name.allCases.compactMap { Phase($0, launches) }
  }

  /// A title: `Maps, warm, from the tap to the first frame`.
  public var title: String {
    let words = [key.process, key.measure.words, key.isProfiled ? "under a profiler" : nil]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  /// The launches of traces in groups, in the order of their first launches.
  static func all(_ launches: [RebuiltLaunch]) -> [LaunchGroup] {
    let left: Set<RebuiltLaunch.Exclusion?> = [nil, .profiled]
    let counted = launches.filter { left.contains($0.whyNoMeasurement) && $0.total != nil }
    var keys: [Key] = []
    var members: [Key: [RebuiltLaunch]] = [:]
    for launch in counted {
      let key = Key(launch)
      if members[key] == nil { keys.append(key) }
      members[key, default: []].append(launch)
    }
    return keys.compactMap { LaunchGroup($0, members[$0] ?? []) }
  }

  fileprivate static func summary(_ values: [Int64]) -> Summary? {
    Summary(millionths: Sample(values))
  }
}

extension LaunchGroup.Phase {
  /// If a source splits a phase, the phase counts as the sum of its parts.
  fileprivate init?(_ name: PhaseColumn.Name, _ launches: [RebuiltLaunch]) {
    let parts = launches.map { $0.phases.filter { $0.name == name } }.filter { !$0.isEmpty }
    let walls = parts.map { $0.reduce(0) { $0 + $1.wall.count } }
    guard let wall = LaunchGroup.summary(walls) else { return nil }
    self.name = name
    self.wall = wall
    let known = parts.filter { $0.allSatisfy { $0.cpu != nil } }
    cpu = LaunchGroup.summary(known.map { $0.reduce(0) { $0 + ($1.cpu?.count ?? 0) } })
  }
}
