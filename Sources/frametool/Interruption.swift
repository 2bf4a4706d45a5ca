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
/// are not whole yet go away.
enum Interruption {
  private struct State {
    /// Whether the process is the tool's own, and not one that only uses its code.
    var isOwnProcess = false
    var unfinished: Set<String> = []
    var sources: [any DispatchSourceSignal] = []
  }

  private static let state = Mutex(State())

  /// Says that the process is the tool's own, whose signals it may take.
  static func takeSignals() { state.withLock { $0.isOwnProcess = true } }

  /// Removes a file when the tool is ended while `body` runs.
  static func guarding<Failure: Error>(
    _ path: String?, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    guard let path else { return try body() }
    state.withLock { state in
      state.unfinished.insert(path)
      if state.isOwnProcess, state.sources.isEmpty { state.sources = watch() }
    }
    defer { state.withLock { _ = $0.unfinished.remove(path) } }
    try body()
  }

  /// Waits for the signals that end programs.
  private static func watch() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        state.withLock { state in
          for path in state.unfinished { ByteSink.remove(unfinished: path) }
        }
        end(by: number)
      }
      source.resume()
      return source
    }
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
