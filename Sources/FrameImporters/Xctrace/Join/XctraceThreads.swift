import FrameTrace

extension XctraceJoin {
  /// Adds threads, their states, and the functions that they were in.
  mutating func addThreads() {
    for thread in recording.threads.known.values.sorted(by: { $0.identifier < $1.identifier }) {
      add(thread)
    }
    let facts = recording.threads
    for state in facts.states { add(state) }
    var unknown: [String: Int] = [:]
    for state in facts.states where Self.state(state.word) == nil {
      unknown[state.word, default: 0] += 1
    }
    let samples = facts.samples.sorted { $0.time < $1.time }
    // States that were recorded continuously are better than sampled ones.
    if facts.states.isEmpty {
      let states = SampledStates(samples).all
      for state in states {
        if Self.state(state.word) == nil { unknown[state.word, default: 0] += 1 }
        add(state)
      }
      builder.log.note(
        .timeRebuilt, .info,
        "thread states inferred from samples, each for the time that its sample covers",
        count: states.count)
    }
    for (word, count) in unknown.sorted(by: { $0.key < $1.key }) {
      builder.log.note(
        .malformedValue, .info, "thread states of the unknown kind \(word)",
        count: count)
    }
    addCalls(of: samples)
    for load in recording.launches.loads { add(load) }
  }

  private mutating func add(_ thread: XctraceThread) {
    var row = Table<ThreadColumn>.Row()
    row[.identifier] = thread.identifier
    row[.name] = thread.name.map { builder.trace.threads.texts.number(of: $0) }
    row[.process] = thread.process?.name.map { builder.trace.threads.texts.number(of: $0) }
    row[.main] = thread.isMain ? 1 : 0
    builder.trace.threads.append(row)
  }

  private mutating func add(_ state: XctraceThreadFacts.State) {
    var row = Table<ThreadStateColumn>.Row()
    row[.thread] = state.thread
    row[.start] = state.start
    row[.end] = state.end
    row[.state] = Self.state(state.word)?.rawValue
    row[.priority] = state.priority
    row[.reason] = state.reason.map { builder.trace.threadStates.texts.number(of: $0) }
    builder.trace.threadStates.append(row)
  }

  private static func state(_ word: String) -> ThreadStateColumn.State? {
    switch word {
    case "Running": .running
    case "Runnable": .runnable
    // In both, the processor was taken from the thread.
    case "Preempted", "Interrupted": .preempted
    case "Blocked", "Waiting": .blocked
    default: nil
    }
  }

  private mutating func addCalls(of samples: [XctraceThreadFacts.StackSample]) {
    builder.log.note(
      .columnUnused, .info, "samples whose functions have no names",
      count: recording.threads.namelessSamples)
    var calls = SampledCalls()
    for sample in samples where !sample.stack.isEmpty { calls.consume(sample) }
    let skipped = calls.skippedCount
    for call in calls.finish() {
      var row = Table<CallColumn>.Row()
      row[.thread] = call.thread
      row[.start] = call.start
      row[.end] = call.end
      row[.cpu] = call.cpu
      row[.function] = builder.trace.calls.texts.number(of: call.function.name)
      row[.library] = call.function.library.map { builder.trace.calls.texts.number(of: $0) }
      row[.own] = call.function.isOwn.map { $0 ? 1 : 0 }
      builder.trace.calls.append(row)
    }
    builder.log.note(
      .timeRebuilt, .info, "function samples merged into calls",
      count: calls.sampleCount)
    builder.log.note(
      .malformedValue, .dataLoss, "samples without a weight, left out",
      count: skipped)
  }

  private mutating func add(_ load: XctraceLaunchFacts.Load) {
    let name = load.path.split(separator: "/").last.map(String.init) ?? load.path
    var row = Table<CallColumn>.Row()
    row[.thread] = load.thread
    row[.start] = load.start
    row[.end] = load.end
    row[.function] = builder.trace.calls.texts.number(of: "load \(name)")
    row[.library] = builder.trace.calls.texts.number(of: name)
    row[.own] = XctraceFunction.isOwn(load.path) ? 1 : 0
    builder.trace.calls.append(row)
  }
}
