/// The contents of the thread tables: the states of threads, and samples of threads.
struct XctraceThreadFacts {
  /// A period in one state.
  struct State {
    let thread, start: Int64
    let end: Int64?
    /// As the table spells it.
    let word: String
    let priority: Int64?
    let reason: String?
  }

  /// A sample of what a thread did.
  struct StackSample {
    let thread, time: Int64
    /// The time that the sample stands for; `nil` if the table does not state it.
    let weight: Int64?
    let state: String?
    /// The functions that the thread was in, the innermost last.
    let stack: [XctraceFunction]
  }

  /// The threads of rows, by number.
  private(set) var known: [Int64: XctraceThread] = [:]
  var states: [State] = []
  var samples: [StackSample] = []
  /// The number of samples without function names.
  var namelessSamples = 0

  /// Stores the thread that a row names.
  mutating func note(_ value: XctraceValue) -> XctraceThread? {
    guard let thread = XctraceThread(value) else { return nil }
    // The name of a thread can appear after its first row.
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
