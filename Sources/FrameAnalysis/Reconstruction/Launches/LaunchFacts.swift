import FrameStatistics
import FrameTrace

/// The facts of a trace about its launches, indexed once for all launches.
struct LaunchFacts {
  let trace: Trace
  let timelines: ThreadTimelines
  let calls: CallTimes
  private let threads: ProcessThreads
  /// The rows of the phases of each launch, by launch row.
  private let phases: [Int: [Int]]

  /// The maximum number of phases used per launch: more than any source divides a launch into.
  private static let mostPhases = 500

  init(_ trace: Trace) {
    self.trace = trace
    timelines = ThreadTimelines(trace)
    calls = CallTimes(trace)
    threads = ProcessThreads(trace)
    phases = Self.phases(trace)
  }

  /// A phase belongs to the launch that it names; if several launches have that name, to the last one started before
  /// the phase. A phase that names no launch belongs to the only launch.
  private static func phases(_ trace: Trace) -> [Int: [Int]] {
    let launches = trace.launches
    let start = { (row: Int) in
      launches.time(row, .tapped) ?? launches.time(row, .started) ?? .earliest
    }
    let rows = Dictionary(grouping: 0..<launches.count) { launches[$0, .identifier] }
      .mapValues { $0.sorted { (start($0), $0) < (start($1), $1) } }
    var phases: [Int: [Int]] = [:]
    for phase in 0..<trace.phases.count {
      let named = trace.phases[phase, .launch]
      let own = named.flatMap { rows[$0] } ?? (named == nil && launches.count == 1 ? [0] : [])
      guard let first = own.first else { continue }
      let time = trace.phases.time(phase, .start) ?? .earliest
      let position = own.partitioningIndex { start($0) > time }
      phases[position > 0 ? own[position - 1] : first, default: []].append(phase)
    }
    return phases
  }

  /// The rows of the phases of a launch.
  func phases(of launch: Int) -> ArraySlice<Int> {
    (phases[launch] ?? []).prefix(Self.mostPhases)
  }

  func name(of thread: Int64) -> ThreadName { threads.name(of: thread) }

  /// The thread that the trace calls a main thread of the process. If there are several, the one that something is
  /// known about in the span. `nil` if there is none, or more than one.
  func mainThread(of process: String?, in span: Range<Timestamp>) -> Int64? {
    threads.mainThread(of: process) { timelines.isKnown($0, in: span) }
  }
}
