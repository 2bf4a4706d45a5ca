import FrameKit

/// The app of Apple's talk "Optimizing App Launch", WWDC 2019: its launch took 2.5 s before the changes, and just over
/// 300 ms afterward.
///
/// The first launch warms up, the next ones are measured, and the last one runs under the profiler that shows where the
/// time goes. The profiled figures are from the talk. The division of the measured launches into phases, and what
/// remains after the change, are not from the talk.
extension Scenario {
  static let starSearcherBefore = starSearcher(
    "star-searcher-before",
    "Apple's talk app before its fixes: static initialization, a background wait, eager views.",
    total: 2500, profiled: before)

  static let starSearcherAfter = starSearcher(
    "star-searcher-after",
    "Apple's talk app after its fixes: what the first frame does not need comes after it.",
    total: 307, profiled: after)

  private static func starSearcher(
    _ name: String, _ summary: String, total: Int64,
    profiled: @escaping @Sendable () -> LaunchTrace.Launch
  ) -> Scenario {
    Scenario(name: name, summary: summary, frames: 7) { options in
      var variation = Variation(seed: options.seed)
      let launches = (0..<max(2, options.frames) - 1).map { number in
        // Data that is not in memory yet must be read.
        let middle = number == 0 ? total * 3 / 2 : total
        let length = variation.length(middle * millisecond, middle * millisecond / 60)
        return LaunchTrace.Launch(
          kind: number == 0 ? .cold : .warm, delay: 6 * millisecond,
          undivided: length - 6 * millisecond, isThrowaway: number == 0)
      }
      let all = launches + [profiled()]
      return Outcome(
        trace: LaunchTrace.make(all, named: name, process: "Star Searcher"),
        launches: all.map(LaunchTruth.init))
    }
  }

  private static let millisecond: Int64 = 1_000_000
  /// The priorities of work that the user waits for, and of background work.
  private static let interactive: Int64 = 47
  private static let background: Int64 = 4

  /// A phase that the app cannot change; it includes the profiler's own cost.
  private static var system: LaunchTrace.Phase {
    var phase = LaunchTrace.Phase(
      .systemInterface, 149 * millisecond, cpu: 6 * millisecond, label: "dyld, libSystem")
    phase.threads = [[run(6), .init(143 * millisecond, .blocked, priority: interactive)]]
    return phase
  }

  private static var framework: LaunchTrace.Phase {
    var phase = LaunchTrace.Phase(
      .frameworkInitialization, 28 * millisecond, cpu: 28 * millisecond, label: "UIKit")
    phase.threads = [[run(28)]]
    return phase
  }

  private static func before() -> LaunchTrace.Launch {
    let ms = millisecond
    var runtime = LaunchTrace.Phase(.staticInitialization, 375 * ms, cpu: 375 * ms)
    runtime.threads = [[run(375)]]
    runtime.calls = [
      .init(
        "+[SLSuperfastLogger load]", in: "SLSuperfastLogger", at: 2 * ms, 370 * ms, cpu: 370 * ms)
    ]
    var own = LaunchTrace.Phase(
      .applicationInitialization, 791 * ms, cpu: 37 * ms,
      label: "application(_:didFinishLaunchingWithOptions:)")
    own.threads = [
      [
        run(12),
        .init(754 * ms, .blocked, priority: interactive, unblockedBy: 1, reason: "semaphore"),
        run(25),
      ],
      [.init(12 * ms, .runnable, priority: background)]
        + Array(
          repeating: [
            .init(29 * ms, .running, priority: background),
            .init(19 * ms, .preempted, priority: background),
            .init(10 * ms, .runnable, priority: background),
          ], count: 13
        ).flatMap { $0 },
    ]
    own.calls = [
      .init("AppDelegate.didFinishLaunching", in: "Star Searcher", at: 0, 791 * ms, cpu: 37 * ms),
      .init("StarDataProvider.loadStars", in: "Star Searcher", at: 4 * ms, 783 * ms, cpu: 29 * ms),
    ]
    var frame = LaunchTrace.Phase(.firstFrame, 951 * ms, cpu: 951 * ms)
    frame.threads = [[run(951)]]
    // One view for each row on the screen; the first frame shows no rows.
    let rows: Int64 = 14
    frame.calls = (0..<rows).flatMap { row -> [LaunchTrace.Call] in
      let start = (10 + row * 66) * ms
      return [
        .init(
          "StarTableViewController.cellForRow", in: "Star Searcher", at: start, 65 * ms,
          cpu: 65 * ms),
        .init(
          "StarDetailViewController.init", in: "Star Searcher", at: start + ms, 63 * ms,
          cpu: 63 * ms),
      ]
    }
    return launch([system, runtime, framework, own, frame])
  }

  private static func after() -> LaunchTrace.Launch {
    let ms = millisecond
    var runtime = LaunchTrace.Phase(.staticInitialization, 5 * ms, cpu: 5 * ms)
    runtime.threads = [[run(5)]]
    var own = LaunchTrace.Phase(
      .applicationInitialization, 58 * ms, cpu: 37 * ms,
      label: "application(_:didFinishLaunchingWithOptions:)")
    // The first rows are loaded at the priority of the thread that waits for them.
    own.threads = [
      [
        run(12),
        .init(21 * ms, .blocked, priority: interactive, unblockedBy: 1, reason: "dispatch sync"),
        run(25),
      ],
      [
        .init(12 * ms, .blocked, priority: interactive),
        .init(21 * ms, .running, priority: interactive),
      ],
    ]
    var frame = LaunchTrace.Phase(.firstFrame, 69 * ms, cpu: 69 * ms)
    frame.threads = [[run(69)]]
    var rest = LaunchTrace.Phase(.extended, 640 * ms, cpu: 15 * ms, label: "all stars loaded")
    rest.threads = [
      [
        .init(625 * ms, .blocked, priority: interactive, unblockedBy: 1, reason: "events"), run(15),
      ],
      [.init(625 * ms, .running, priority: background)],
    ]
    return launch([system, runtime, framework, own, frame, rest])
  }

  private static func run(_ length: Int64) -> LaunchTrace.Stretch {
    .init(length * millisecond, .running, priority: interactive)
  }

  private static func launch(_ phases: [LaunchTrace.Phase]) -> LaunchTrace.Launch {
    var launch = LaunchTrace.Launch(kind: .warm, delay: nil, phases: phases, isProfiled: true)
    launch.threads = ["main thread", "StarDataProvider 0x12253"]
    return launch
  }
}
