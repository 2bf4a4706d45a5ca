import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cleanup when the user or the system ends the tool during its work: unfinished files are removed, and programs that
/// the tool started are ended.
enum Interruption {
  private struct State {
    /// Whether the process is the tool itself, instead of a process that only uses its code.
    var isOwnProcess = false
    /// Whether a thread waits for signals.
    var isWatching = false
    var unfinished: Set<String> = []
    /// Running programs, each the leader of its process group.
    var processes: Set<Int32> = []
    /// Called at the first signal instead of ending the tool.
    var listener: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  /// Declares that the process is the tool itself, so that the process may handle signals.
  static func takeSignals() { state.withLock { $0.isOwnProcess = true } }

  static var isOwnProcess: Bool { state.withLock { $0.isOwnProcess } }

  /// Blocks the signals that end programs, for the thread that waits for them. No signal is lost, and no signal ends
  /// the tool between creating a file and registering it.
  private static func prepare() {
    let starts = state.withLock { state in
      defer { state.isWatching = state.isOwnProcess }
      return state.isOwnProcess && !state.isWatching
    }
    guard starts else { return }
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waits = LaunchedProcess.startThread {
      var signals = Self.signals
      var number: Int32 = 0
      repeat {
        guard unsafe sigwait(&signals, &number) == 0 else { return }
      } while tellListener()
      // The lock is held until the end, so that no further file is created.
      state.withLock { state in
        for path in state.unfinished { ByteSink.remove(unfinished: path) }
        for process in state.processes { kill(-process, SIGKILL) }
        end(by: number)
      }
    }
    guard !waits else { return }
    // Without memory for a thread, signals end the tool in the default way.
    state.withLock { $0.isWatching = false }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Forwards the first signal to a listener for an orderly stop; another signal ends the tool.
  /// - Returns: Whether there was a listener.
  private static func tellListener() -> Bool {
    let listener = state.withLock { state in
      defer { state.listener = nil }
      return state.listener
    }
    listener?()
    return listener != nil
  }

  /// Registers a listener for an orderly stop when the tool is about to be ended.
  /// - Parameter listener: Called once; `nil` to end the tool as usual again.
  static func listen(_ listener: (@Sendable () -> Void)?) {
    prepare()
    state.withLock { $0.listener = listener }
  }

  /// The signals that end programs.
  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { unsafe sigaddset(&signals, number) }
    return signals
  }

  /// Creates a file that is removed if the tool is ended before the file is complete. The tool cannot be ended while
  /// the file is created.
  static func make(_ path: String) throws(ParseError) -> ByteSink {
    prepare()
    // Opening a named pipe waits for a reader, and there is nothing to remove.
    guard !ByteSink.isInPosition(path) else { return try ByteSink(path: path) }
    var made: Result<ByteSink, ParseError>?
    state.withLock { state in
      made = Result { () throws(ParseError) in try ByteSink(path: path) }
      if let unfinished = try? made?.get().unfinishedPath { state.unfinished.insert(unfinished) }
    }
    guard let made else { return try ByteSink(path: path) }
    return try made.get()
  }

  /// Starts a program that is ended together with the tool. The tool cannot be ended while the program is started.
  /// - Parameter start: Starts the program, and returns a result and the new process.
  static func start<Value>(_ start: () -> (Value, process: Int32?)) -> Value {
    prepare()
    return state.withLock { state in
      let (value, process) = start()
      if let process {
        state.processes.insert(process)
        if state.isOwnProcess { LaunchedProcess.guardGroup(of: process) }
      }
      return value
    }
  }

  /// Unregisters a program that has ended.
  static func forget(process: Int32) {
    state.withLock { state in
      state.processes.remove(process)
      if state.isOwnProcess { LaunchedProcess.unguardGroup(of: process) }
    }
  }

  /// Unregisters a file that is complete or removed.
  static func forget(_ sink: ByteSink) {
    guard let path = sink.unfinishedPath else { return }
    state.withLock { _ = $0.unfinished.remove(path) }
  }

  /// Ends the process as the signal would have without the handler.
  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    // Threads of dispatch queues block signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // Note: raise() sends the signal to one thread, and threads of dispatch queues receive none on macOS.
    kill(getpid(), number)
    exit(128 + number)
  }
}
