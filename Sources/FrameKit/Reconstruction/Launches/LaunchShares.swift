/// How the time of a launch is divided between the system and the app.
///
/// Apple, "Optimizing App Launch", WWDC 2019: of 400 ms about 100 are the system's, which starts
/// the process, links it and sets up its framework; the other 300 are the app's, for its static
/// initializers, its own initialization and its first frame.
public struct LaunchShares: Hashable, Sendable {
  /// From the start to the first frame, all of it.
  public static let goal = Nanoseconds(400_000_000)
  public static let systemGoal = Nanoseconds(100_000_000)
  public static let appGoal = Nanoseconds(300_000_000)

  public private(set) var system = Nanoseconds(0)
  public private(set) var app = Nanoseconds(0)
  /// What no phase accounts for; below 0 where phases overlap or reach beyond the launch.
  public let rest: Nanoseconds

  /// - Returns: `nil` when the phases or the whole are not known.
  public init?(_ launch: RebuiltLaunch) {
    guard let total = launch.total, let start = launch.start, !launch.phases.isEmpty,
      launch.kind != .resume
    else { return nil }
    if let processStart = launch.processStart, processStart > start {
      system = processStart - start
    }
    for phase in launch.phases {
      switch phase.name {
      case .systemInterface, .frameworkInitialization: system = system + phase.wall
      case .staticInitialization, .applicationInitialization, .firstFrame: app = app + phase.wall
      case .extended: break
      }
    }
    rest = total - system - app
  }
}
