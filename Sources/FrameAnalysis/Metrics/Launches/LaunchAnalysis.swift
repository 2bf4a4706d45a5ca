import FrameStatistics
public import FrameTrace

/// The launches of traces, with their combined statistics.
public struct LaunchAnalysis: Sendable {
  /// The traces that the launches come from.
  public let traces: [Trace]
  /// The launches of each trace.
  public let launches: [[RebuiltLaunch]]
  /// The launches that count, in groups that can be combined; profiled ones in separate groups.
  public let groups: [LaunchGroup]
  /// Launches that are left out for the same reason.
  public struct Excluded: Hashable, Sendable {
    /// The reason.
    public let why: RebuiltLaunch.Exclusion
    /// The number of launches left out for this reason.
    public let count: Int
  }

  /// How many launches are left out of every statistic, by reason.
  public let excluded: [Excluded]

  /// Analyzes the launches of all traces together.
  public init(_ traces: [Trace]) { self.init(traces, traces.map(RebuiltLaunch.all)) }

  init(_ traces: [Trace], _ launches: [[RebuiltLaunch]]) {
    self.traces = traces
    self.launches = launches
    let all = launches.flatMap { $0 }
    groups = LaunchGroup.all(all)
    excluded = RebuiltLaunch.Exclusion.allCases.compactMap { why in
      let count = all.count { $0.whyNoMeasurement == why }
      return count == 0 ? nil : Excluded(why: why, count: count)
    }
  }

  /// The launches of all traces in order.
  public var all: [RebuiltLaunch] { launches.flatMap { $0 } }

  /// The most informative launch of each process: a profiled launch if there is one, otherwise the median of the
  /// measured ones.
  public var reported: [RebuiltLaunch] {
    var processes: [String?] = []
    var own: [String?: [LaunchGroup]] = [:]
    for group in groups {
      if own[group.key.process] == nil { processes.append(group.key.process) }
      own[group.key.process, default: []].append(group)
    }
    return processes.compactMap { process in
      let groups = own[process] ?? []
      let group = groups.first(where: \.key.isProfiled) ?? groups.max { $0.total.n < $1.total.n }
      let ordered = (group?.launches ?? []).sorted {
        ($0.total?.count ?? 0) < ($1.total?.count ?? 0)
      }
      return ordered.isEmpty ? nil : ordered[(ordered.count - 1) / 2]
    }.filter { !$0.phases.isEmpty }
  }
}

extension RebuiltLaunch {
  /// What makes the launch longer, the most costly first.
  public var findings: [LaunchFinding] { LaunchFinding.all(self) }

  /// A name that distinguishes the launch from others: `6 warm profiled`.
  public var name: String {
    let words = [
      kind.map { "\($0)" }, isThrowaway ? "throwaway" : nil, isProfiled ? "profiled" : nil,
    ]
    return (["\(number)"] + words.compactMap { $0 }).joined(separator: " ")
  }
}
