package import FrameKit

/// Consecutive launches as a recorder would have written them.
package struct LaunchTrace {
  /// A thread's activity for a stretch of time.
  package struct Stretch: Sendable {
    package let length: Int64
    package let state: ThreadStateColumn.State
    package var priority: Int64?
    /// The index, among the launch's threads, of the thread that ends the wait.
    package var unblockedBy: Int?
    package var reason: String?

    package init(
      _ length: Int64, _ state: ThreadStateColumn.State, priority: Int64? = nil,
      unblockedBy: Int? = nil, reason: String? = nil
    ) {
      self.length = length
      self.state = state
      self.priority = priority
      self.unblockedBy = unblockedBy
      self.reason = reason
    }
  }

  /// A function that the main thread executes.
  package struct Call: Sendable {
    package let function: String
    package let library: String
    /// The time from the start of the phase.
    package let start: Int64
    package let length: Int64
    package let cpu: Int64
    package let isOwn: Bool

    package init(
      _ function: String, in library: String, at start: Int64, _ length: Int64, cpu: Int64,
      isOwn: Bool = true
    ) {
      self.function = function
      self.library = library
      self.start = start
      self.length = length
      self.cpu = cpu
      self.isOwn = isOwn
    }
  }

  /// A phase: its duration, and the activity of threads during the phase.
  package struct Phase: Sendable {
    package let name: PhaseColumn.Name
    package let length: Int64
    /// The time that the main thread runs in the phase; `nil` if the recorder does not state it.
    package var cpu: Int64?
    package var label: String?
    /// The activity of each thread of the launch from the start of the phase, the main thread first.
    package var threads: [[Stretch]] = []
    package var calls: [Call] = []

    package init(_ name: PhaseColumn.Name, _ length: Int64, cpu: Int64? = nil, label: String? = nil)
    {
      self.name = name
      self.length = length
      self.cpu = cpu
      self.label = label
    }
  }

  /// One launch: the tap, and the length of each phase from the start of the process.
  package struct Launch: Sendable {
    package let kind: LaunchColumn.Kind
    /// The time from the tap to the start of the process; `nil` if the tap is not recorded.
    package let delay: Int64?
    /// The phases in order, without gaps.
    package let phases: [Phase]
    /// The time before the first frame that the recorder does not divide into phases.
    package var undivided: Int64 = 0
    package var isThrowaway = false
    package var isProfiled = false
    /// The names of the launch's threads, the main thread first; empty if the recorder knows none.
    package var threads: [String] = []

    package init(
      kind: LaunchColumn.Kind, delay: Int64?, phases: [Phase] = [], undivided: Int64 = 0,
      isThrowaway: Bool = false, isProfiled: Bool = false
    ) {
      self.kind = kind
      self.delay = delay
      self.phases = phases
      self.undivided = undivided
      self.isThrowaway = isThrowaway
      self.isProfiled = isProfiled
    }

    /// The time from the tap to the first frame; the extended phase comes after it.
    package var total: Int64 {
      (delay ?? 0) + undivided + phases.filter { $0.name != .extended }.reduce(0) { $0 + $1.length }
    }
  }

  /// The time from one tap to the next.
  private static let pause: Int64 = 5_000_000_000

  private var builder: TraceBuilder
  /// The number of threads so far.
  private var threadCount: Int64 = 0

  package static func make(_ launches: [Launch], named name: String, process: String) -> Trace {
    var trace = LaunchTrace(name)
    for (number, launch) in launches.enumerated() {
      trace.add(launch, number: Int64(number), process: process)
    }
    return trace.builder.finish()
  }

  private init(_ name: String) {
    builder = TraceBuilder(
      Provenance(
        file: name, importer: "scenario", format: "scenario \(name)", reason: "it was generated"))
    builder.trace.clocks = [
      ClockDomain(
        name: "simulated", join: .traceClock, offset: nil, resolution: Nanoseconds(1000))
    ]
  }

  private mutating func add(_ launch: Launch, number: Int64, process: String) {
    let tapped = number * Self.pause
    let started = tapped + (launch.delay ?? 0)
    var row = Table<LaunchColumn>.Row()
    row[.identifier] = number
    row[.process] = builder.trace.launches.texts.number(of: process)
    row[.kind] = launch.kind.rawValue
    if launch.delay != nil { row[.tapped] = tapped }
    row[.started] = started
    row[.firstFrame] = tapped + launch.total
    row[.throwaway] = launch.isThrowaway ? 1 : 0
    if launch.isProfiled { row[.profiled] = 1 }
    let first = threadCount
    for (position, name) in launch.threads.enumerated() {
      addThread(name, process: process, isMain: position == 0)
    }
    var time = started
    for phase in launch.phases {
      add(phase, of: number, at: time, threads: first)
      time += phase.length
      if phase.name == .extended { row[.finished] = time }
    }
    builder.trace.launches.append(row)
  }

  private mutating func addThread(_ name: String, process: String, isMain: Bool) {
    var row = Table<ThreadColumn>.Row()
    row[.identifier] = threadCount
    row[.name] = builder.trace.threads.texts.number(of: name)
    row[.process] = builder.trace.threads.texts.number(of: process)
    row[.main] = isMain ? 1 : 0
    builder.trace.threads.append(row)
    threadCount += 1
  }

  private mutating func add(_ phase: Phase, of launch: Int64, at start: Int64, threads first: Int64)
  {
    var row = Table<PhaseColumn>.Row()
    row[.launch] = launch
    row[.name] = phase.name.rawValue
    row[.start] = start
    row[.end] = start + phase.length
    row[.cpu] = phase.cpu
    row[.label] = phase.label.map { builder.trace.phases.texts.number(of: $0) }
    builder.trace.phases.append(row)
    for (position, stretches) in phase.threads.enumerated() {
      var time = start
      for stretch in stretches {
        add(stretch, of: first + Int64(position), at: time, threads: first)
        time += stretch.length
      }
    }
    for call in phase.calls { add(call, of: first, at: start + call.start) }
  }

  private mutating func add(
    _ stretch: Stretch, of thread: Int64, at start: Int64, threads first: Int64
  ) {
    var row = Table<ThreadStateColumn>.Row()
    row[.thread] = thread
    row[.start] = start
    row[.end] = start + stretch.length
    row[.state] = stretch.state.rawValue
    row[.priority] = stretch.priority
    row[.unblockedBy] = stretch.unblockedBy.map { first + Int64($0) }
    row[.reason] = stretch.reason.map { builder.trace.threadStates.texts.number(of: $0) }
    builder.trace.threadStates.append(row)
  }

  private mutating func add(_ call: Call, of thread: Int64, at start: Int64) {
    var row = Table<CallColumn>.Row()
    row[.thread] = thread
    row[.start] = start
    row[.end] = start + call.length
    row[.cpu] = call.cpu
    row[.function] = builder.trace.calls.texts.number(of: call.function)
    row[.library] = builder.trace.calls.texts.number(of: call.library)
    row[.own] = call.isOwn ? 1 : 0
    builder.trace.calls.append(row)
  }
}
