import FrameTrace

/// The threads of a trace by number and process.
struct ProcessThreads {
  private let names: [Int64: String]
  private let processes: [Int64: String]
  /// The main threads of each process, and of the processes that the trace does not name.
  private let mainThreads: [String?: [Int64]]
  /// For each process, the thread that draws for the main thread.
  private let renderThreads: [String: Int64]

  /// Android's name for that thread.
  private static let renderName = "RenderThread"

  init(_ trace: Trace) {
    let threads = trace.threads
    var names: [Int64: String] = [:]
    var processes: [Int64: String] = [:]
    var mainThreads: [String?: [Int64]] = [:]
    for row in 0..<threads.count {
      guard let thread = threads[row, .identifier] else { continue }
      if names[thread] == nil { names[thread] = threads.text(row, .name) }
      if processes[thread] == nil { processes[thread] = threads.text(row, .process) }
      if threads[row, .main] == 1 {
        mainThreads[threads.text(row, .process), default: []].append(thread)
      }
    }
    (self.names, self.processes, self.mainThreads) = (names, processes, mainThreads)
    // If several threads have that name, it is unknown which one draws the window.
    let drawing = names.filter { $0.value == Self.renderName }.keys
    renderThreads = Dictionary(grouping: drawing) { processes[$0] ?? "" }
      .compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  func name(of thread: Int64) -> ThreadName { ThreadName(identifier: thread, name: names[thread]) }

  /// The process of a thread; `nil` if the trace does not say.
  func process(of thread: Int64) -> String? { processes[thread] }

  /// The thread that the trace calls a main thread of the process. If there are several, the one that something is
  /// known about. `nil` if there is none, or more than one.
  func mainThread(of process: String?, isKnown: (Int64) -> Bool) -> Int64? {
    let own =
      process == nil
      ? mainThreads.values.flatMap { $0 }
      : (mainThreads[process] ?? []) + (mainThreads[nil] ?? [])
    if own.count == 1 { return own[0] }
    let seen = own.filter(isKnown)
    return seen.count == 1 ? seen[0] : nil
  }

  /// The thread that draws for a process's main thread; `nil` if there is none, or more than one.
  func renderThread(of process: String?) -> Int64? { process.flatMap { renderThreads[$0] } }

  /// The main thread of a process by the process number, which on Linux is also the number of that thread.
  func mainThread(numbered process: Int?) -> Int64? {
    process.map(Int64.init).flatMap { names[$0] != nil || processes[$0] != nil ? $0 : nil }
  }
}
