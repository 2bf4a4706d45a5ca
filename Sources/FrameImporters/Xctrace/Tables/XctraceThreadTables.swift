/// What the tables of threads say: what they did, and what samples of them show.
struct XctraceThreadFacts {
  /// A stretch of time in one state.
  struct State {
    let thread, start: Int64
    let end: Int64?
    /// As the table spells it.
    let word: String
    let priority: Int64?
    let reason: String?
  }

  /// What a thread did when it was looked at.
  struct StackSample {
    let thread, time: Int64
    /// The time that the sample stands for; `nil` when the table does not say.
    let weight: Int64?
    let state: String?
    /// The functions that it was in, the innermost last.
    let stack: [XctraceFunction]
  }

  /// The threads that rows are of, by their numbers.
  private(set) var known: [Int64: XctraceThread] = [:]
  var states: [State] = []
  var samples: [StackSample] = []
  /// Samples of functions that have no names.
  var namelessSamples = 0

  /// Keeps a thread that a row names.
  mutating func note(_ value: XctraceValue) -> XctraceThread? {
    guard let thread = XctraceThread(value) else { return nil }
    // A thread can be named later than it is seen first.
    if known[thread.identifier]?.name == nil { known[thread.identifier] = thread }
    return thread
  }
}

extension XctraceRecording {
  static let threadReaders: [String: Reader] = [
    "thread-state": { $1.takeState($0) },
    "time-profile": { $1.takeSample($0, stack: .stack) },
    "time-sample": { $1.takeSample($0, stack: .cpUserCallstack) },
  ]

  private mutating func takeState(_ row: XctraceRow) -> Bool {
    guard let start = row.time(.start), let word = row.text(.state),
      let thread = threads.note(row.value(.thread))
    else { return false }
    let note = row.text(.note)
    threads.states.append(
      .init(
        thread: thread.identifier, start: start, end: row.time(.duration).map { start + $0 },
        word: word, priority: row.number(.priority), reason: note == "" ? nil : note))
    return true
  }

  private mutating func takeSample(_ row: XctraceRow, stack column: XctraceColumn) -> Bool {
    guard let time = row.time(.time), let thread = threads.note(row.value(.thread)) else {
      return false
    }
    let stack = XctraceFunction.stack(row.value(column))
    if stack == nil { threads.namelessSamples += 1 }
    threads.samples.append(
      .init(
        thread: thread.identifier, time: time, weight: row.time(.weight),
        state: row.text(.threadState), stack: stack ?? []))
    return true
  }
}
