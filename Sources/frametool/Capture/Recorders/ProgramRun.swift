import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A run of a program until it exits, its time limit is reached, or the user stops it.
struct ProgramRun {
  /// The reason why the tool ended the program.
  enum Stop {
    /// The time limit was reached, or the program's purpose was fulfilled.
    case done
    /// The user requested a stop.
    case wish
  }

  /// The start time, on the monotonic clock in nanoseconds.
  let started: Int64
  let end: LaunchedProcess.End
  /// The reason; `nil` if the program exited by itself.
  let stop: Stop?

  /// The interval at which to check for a stop request, in nanoseconds.
  private static let look: Int64 = 50_000_000

  /// Runs the program.
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - tool: The tool to which the program belongs, for the error if it is not installed; `nil` for the user's
  ///     program.
  ///   - duration: The time after which to end it, in seconds; `nil` for no limit.
  ///   - patience: The time that the program has to end after a request, in seconds.
  ///   - wish: The user's stop request; `nil` for a program that ends soon.
  ///   - ending: Asks the program to end, if a signal is not suitable; the program then ends by itself.
  ///   - taking: Receives the program's output, if the output is read.
  init(
    _ words: [String], of tool: RecorderTool? = nil, changes: [String] = [],
    output: LaunchedProcess.Output, duration: Double?, patience: Double = 2,
    wish: StopWish? = StopWish(), ending: (() throws(CommandError) -> Void)? = nil,
    taking: ([UInt8]) -> Void = { _ in }
  ) throws(CommandError) {
    let process = try RecorderTool.start(words, of: tool, changes, output)
    started = process.started
    var isAsked = false
    var limit = duration.map { process.started + Nanoseconds.seconds($0).count } ?? .max
    while true {
      switch process.next(until: min(LaunchedProcess.now + Self.look, limit)) {
      case .printed(let bytes, _): taking(bytes)
      case .ended(let end):
        process.endGroup()
        (self.end, stop) = (end, isAsked ? .wish : nil)
        return
      case .timeOver: break
      }
      let isWished = !isAsked && (wish?.hasCome ?? false)
      if isWished, let ending {
        do throws(CommandError) {
          try ending()
        } catch {
          _ = process.stop()
          throw error
        }
        (isAsked, limit) = (true, LaunchedProcess.now + Nanoseconds.seconds(patience).count)
        continue
      }
      guard isWished || LaunchedProcess.now >= limit else { continue }
      stop = isWished || isAsked ? .wish : .done
      // SIGINT, as sent by a terminal, lets the program save its data.
      end = process.stop(by: SIGINT, patience: Nanoseconds.seconds(patience).count, taking: taking)
      return
    }
  }
}

/// A listener for the user's stop request; while it exists, the first signal does not end the tool.
final class StopWish: Sendable {
  private let came = Mutex(false)

  init() {
    Interruption.listen { [weak self] in self?.came.withLock { $0 = true } }
  }

  deinit { Interruption.listen(nil) }

  var hasCome: Bool { came.withLock { $0 } }

  /// Waits until a given time, or until the user requests a stop.
  func rest(until time: Int64) {
    while !hasCome {
      let left = (time - LaunchedProcess.now) / 1_000_000
      guard time > LaunchedProcess.now else { return }
      LaunchedProcess.rest(milliseconds: Int32(min(20, max(1, left))))
    }
  }
}
