package import FrameTrace

/// What happened in a launch over time: its phases, what threads did, and the slices of its main thread.
package struct LaunchWindow {
  package let launch: RebuiltLaunch
  /// The time from the launch's start to its end, extended to the end of the phases that follow.
  package let range: Range<Timestamp>
  /// The main thread first, then those that ended its waits.
  package let lanes: [ThreadWindow.Lane]
  /// The main thread's slices; an outer slice comes before those inside it.
  package let slices: [(span: Range<Timestamp>, name: String, depth: Int)]

  /// The maximum number of slice levels and of slices that are shown.
  private static let deepest = 12
  private static let mostSlices = 4_000

  /// The windows of launches in the order of the launches; if there are too many, only those of the longest ones.
  package static func all(_ launches: [RebuiltLaunch], of trace: Trace, atMost most: Int) -> [Self]
  {
    guard !launches.isEmpty else { return [] }
    let longest = launches.indices.sorted {
      (launches[$1].total ?? Nanoseconds(0), $0) < (launches[$0].total ?? Nanoseconds(0), $1)
    }
    let (facts, slices, threads) = (LaunchFacts(trace), ThreadSlices(trace), ProcessThreads(trace))
    var windows: [(position: Int, window: LaunchWindow)] = []
    for position in longest where windows.count < most {
      guard let window = LaunchWindow(launches[position], facts, slices, threads), window.isTelling
      else { continue }
      windows.append((position, window))
    }
    return windows.sorted { $0.position < $1.position }.map(\.window)
  }

  /// Whether there is anything to see.
  private var isTelling: Bool { !launch.phases.isEmpty || !lanes.isEmpty || !slices.isEmpty }

  private init?(
    _ launch: RebuiltLaunch, _ facts: LaunchFacts, _ slices: ThreadSlices, _ threads: ProcessThreads
  ) {
    let starts = [launch.start].compactMap { $0 } + launch.phases.map(\.start)
    let ends = [launch.end, launch.finished].compactMap { $0 } + launch.phases.map(\.end)
    guard let start = starts.min(), let end = ends.max(), end > start,
      end - start < LaunchPhase.longest
    else { return nil }
    let span = start..<end
    (self.launch, range) = (launch, span)
    guard let main = facts.mainThread(of: launch.process, in: span) else {
      (lanes, self.slices) = ([], [])
      return
    }
    let own = facts.timelines.stretches(of: main, in: span)
    var seen: Set<Int64> = [main]
    let others = own.compactMap(\.unblockedBy).filter { seen.insert($0).inserted }
    lanes = ([main] + others.prefix(ThreadWindow.mostOthers)).map { thread in
      let name = threads.name(of: thread).words
      let process = thread == main ? nil : threads.process(of: thread)
      return ThreadWindow.Lane(
        name: thread == main
          ? "main thread" : [process, name].compactMap { $0 }.joined(separator: " "),
        states: ThreadWindow.states(of: facts.timelines.stretches(of: thread, in: span)))
    }.filter { !$0.states.isEmpty }
    self.slices = Array(
      ThreadWindow.nested(slices.slices(of: main, in: span), in: span, deepest: Self.deepest)
        .prefix(Self.mostSlices))
  }
}
