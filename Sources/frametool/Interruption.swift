import Dispatch
import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is done when the user or the system ends the tool in the middle of its work: files that
/// are not whole yet go away, and so do programs that it started.
enum Interruption {
  private struct State {
    /// Whether the process is the tool's own, and not one that only uses its code.
    var isOwnProcess = false
    /// Whether somebody waits for signals.
    var isWatching = false
    var unfinished: Set<String> = []
    /// Programs that run, each the leader of its group.
    var processes: Set<Int32> = []
    /// Told of the first signal in place of ending the tool.
    var listener: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  /// Says that the process is the tool's own, whose signals it may take.
  static func takeSignals() { state.withLock { $0.isOwnProcess = true } }

  /// Holds the signals that end programs back, for one who waits for them: none is lost, and none
  /// ends the tool between making a file and guarding it.
  private static func prepare() {
    let starts = state.withLock { state in
      defer { state.isWatching = state.isOwnProcess }
      return state.isOwnProcess && !state.isWatching
    }
    guard starts else { return }
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    DispatchQueue.global().async {
      var signals = Self.signals
      var number: Int32 = 0
      repeat {
        guard unsafe sigwait(&signals, &number) == 0 else { return }
      } while tellListener()
      // Held to the end, so that no file is made any more.
      state.withLock { state in
        for path in state.unfinished { ByteSink.remove(unfinished: path) }
        for process in state.processes { kill(-process, SIGKILL) }
        end(by: number)
      }
    }
  }

  /// Tells who wants to stop in order of the first signal; another one ends the tool.
  /// - Returns: Whether somebody was told.
  private static func tellListener() -> Bool {
    let listener = state.withLock { state in
      defer { state.listener = nil }
      return state.listener
    }
    listener?()
    return listener != nil
  }

  /// Lets somebody stop in order when the tool is to be ended.
  /// - Parameter listener: Told once; `nil` to end the tool as usual again.
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

  /// Makes a file that goes away when the tool is ended before it is whole. Nobody ends the tool
  /// while it is made.
  static func make(_ path: String) throws(ParseError) -> ByteSink {
    prepare()
    var made: Result<ByteSink, ParseError>?
    state.withLock { state in
      made = Result { () throws(ParseError) in try ByteSink(path: path) }
      if let unfinished = try? made?.get().unfinishedPath { state.unfinished.insert(unfinished) }
    }
    guard let made else { return try ByteSink(path: path) }
    return try made.get()
  }

  /// Starts a program that is ended with the tool. The tool is not ended while it starts.
  /// - Parameter start: Starts it, and gives what comes of it with the process that there is now.
  static func start<Value>(_ start: () -> (Value, process: Int32?)) -> Value {
    prepare()
    return state.withLock { state in
      let (value, process) = start()
      if let process { state.processes.insert(process) }
      return value
    }
  }

  /// Forgets a program that has ended.
  static func forget(process: Int32) { state.withLock { _ = $0.processes.remove(process) } }

  /// Forgets a file that is whole or gone.
  static func forget(_ sink: ByteSink) {
    guard let path = sink.unfinishedPath else { return }
    state.withLock { _ = $0.unfinished.remove(path) }
  }

  /// Ends the process as the signal would have if nobody had waited for it.
  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    // Threads of queues hold signals back.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    exit(128 + number)
  }
}
