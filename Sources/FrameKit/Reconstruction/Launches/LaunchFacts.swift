/// What a trace knows about its launches, put in order once for all of them.
struct LaunchFacts {
  let trace: Trace
  let timelines: ThreadTimelines
  let calls: CallTimes
  private let names: [Int64: String]
  /// The main threads with the process of each.
  private let mainThreads: [(thread: Int64, process: String?)]
  /// The rows of phases by the launch that they name.
  private let phases: [Int64?: [Int]]

  init(_ trace: Trace) {
    self.trace = trace
    timelines = ThreadTimelines(trace)
    calls = CallTimes(trace)
    let threads = trace.threads
    var names: [Int64: String] = [:]
    var mainThreads: [(Int64, String?)] = []
    for row in 0..<threads.count {
      guard let thread = threads[row, .identifier] else { continue }
      if names[thread] == nil { names[thread] = threads.text(row, .name) }
      if threads[row, .main] == 1 { mainThreads.append((thread, threads.text(row, .process))) }
    }
    (self.names, self.mainThreads) = (names, mainThreads)
    phases = Dictionary(grouping: 0..<trace.phases.count) { trace.phases[$0, .launch] }
  }

  /// The rows of the phases of a launch; those that name none are of the only one.
  func phases(of launch: Int64?) -> [Int] {
    let own = launch.flatMap { phases[$0] } ?? []
    let nameless = trace.launches.count == 1 ? phases[nil] ?? [] : []
    return (own + nameless).sorted()
  }

  func name(of thread: Int64) -> ThreadName { ThreadName(identifier: thread, name: names[thread]) }

  /// The thread that the trace calls a main thread of the process; of several the one that
  /// something is known of in the span. `nil` when there is none, or more than one.
  func mainThread(of process: String?, in span: Range<Int64>) -> Int64? {
    let own = mainThreads.filter { process == nil || $0.process == nil || $0.process == process }
    if own.count == 1 { return own[0].thread }
    let seen = own.filter { timelines.isKnown($0.thread, in: span) }
    return seen.count == 1 ? seen[0].thread : nil
  }
}
