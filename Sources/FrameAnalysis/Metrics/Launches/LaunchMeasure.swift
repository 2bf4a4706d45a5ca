public import FrameTrace

/// What a launch time measures; times of different measures are never combined.
public struct LaunchMeasure: Hashable, Sendable {
  /// Cold or warm; `nil` when not known. A resume is not a launch.
  public let kind: LaunchColumn.Kind?
  /// The event that ends the measured time.
  public let until: LaunchColumn.End
  /// Whether the time is measured from the tap instead of from the start of the process.
  public let isFromTap: Bool
  /// Whether the measure is the processor time until that event, of all threads and of the children waited for.
  public private(set) var isProcessorTime = false

  package init(kind: LaunchColumn.Kind?, until: LaunchColumn.End, isFromTap: Bool) {
    (self.kind, self.until, self.isFromTap) = (kind, until, isFromTap)
  }

  /// The processor time of a program from its start to its exit.
  package static let processorTime = {
    var measure = LaunchMeasure(kind: .warm, until: .exited, isFromTap: false)
    measure.isProcessorTime = true
    return measure
  }()

  package init(_ launch: RebuiltLaunch) {
    self.init(kind: launch.kind, until: launch.until, isFromTap: launch.isFromTap)
  }

  /// All measures, cold ones first.
  public static let all: [LaunchMeasure] = [.cold, .warm, nil].flatMap { kind in
    LaunchColumn.End.allCases.flatMap { end in
      [true, false].map { LaunchMeasure(kind: kind, until: end, isFromTap: $0) }
    }
  }

  /// All measures on which runs of programs can be compared: those of launches, and the processor time.
  package static let compared = all + [.processorTime]

  /// The measure with that name; `nil` if there is none.
  public init?(named name: String) {
    guard let known = Self.compared.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The measure's name as a metric: `warmLaunchTime`. A time that is not from a tap to a first frame names its start
  /// and end, such as `warmLaunchTimeToExit`.
  public var name: String {
    if isProcessorTime { return "cpuTime" }
    let base = kind.map { "\($0)LaunchTime" } ?? "launchTime"
    switch until {
    case .firstFrame: return base + (isFromTap ? "" : "FromProcess")
    case .frameCallback: return base + (isFromTap ? "FromTap" : "") + "ToFrameCallback"
    case .marked: return base + (isFromTap ? "FromTap" : "") + "ToMarker"
    case .responsive: return base + (isFromTap ? "" : "FromProcess") + "ToResponsive"
    case .exited: return base + (isFromTap ? "FromTap" : "") + "ToExit"
    }
  }

  /// The measure in words: `warm, from the tap to the first frame`.
  public var words: String {
    if isProcessorTime { return "processor time of the program" }
    let start = isFromTap ? "the tap" : "the start of the process"
    return "\(kind.map { "\($0)" } ?? "of unknown kind"), from \(start) to the \(until.words)"
  }
}

extension [RebuiltLaunch] {
  /// The launches of one process: the named one, otherwise the one with the most measurements, or the first of several
  /// such processes.
  package func ofOneProcess(_ wanted: String?) -> [RebuiltLaunch] {
    if let wanted { return filter { $0.process == wanted } }
    var counts: [String?: Int] = [:]
    for launch in self { counts[launch.process, default: 0] += launch.isMeasurement ? 1 : 0 }
    let most = counts.values.max()
    guard let first = first(where: { counts[$0.process] == most }) else { return [] }
    return filter { $0.process == first.process }
  }
}
