import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that runs until it ends itself, its time is over, or the user has seen enough.
struct ProgramRun {
  /// How a run is ended from here.
  enum Stop {
    /// Its time was over, or it had done what it was run for.
    case done
    /// The user wanted to stop.
    case wish
  }

  let end: LaunchedProcess.End
  /// `nil` where it ended itself.
  let stop: Stop?

  /// How often to look whether somebody wants to stop, in nanoseconds.
  private static let look: Int64 = 50_000_000

  /// Runs it.
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - tool: What it is, for who does not have it; `nil` for the user's own program.
  ///   - duration: When to end it, in seconds; `nil` to leave that to it.
  ///   - patience: How long it may take to end when it is asked to, in seconds.
  ///   - wish: What stops it when the user wants to; `nil` for what is over soon.
  ///   - ending: How it is asked to end, where a signal is not the way; it ends itself then.
  ///   - isDone: Whether it has done what it was run for, asked from time to time.
  ///   - taking: What it prints, where the output is one that is read.
  init(
    _ words: [String], of tool: RecorderTool? = nil, changes: [String] = [],
    output: LaunchedProcess.Output, duration: Double?, patience: Double = 2,
    wish: StopWish? = StopWish(), ending: (() throws(CommandError) -> Void)? = nil,
    isDone: () -> Bool = { false }, taking: ([UInt8]) -> Void = { _ in }
  ) throws(CommandError) {
    let process = try RecorderTool.start(words, of: tool, changes, output)
    var isAsked = false
    var limit = duration.map { process.started + Int64($0 * 1e9) } ?? .max
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
        (isAsked, limit) = (true, LaunchedProcess.now + Int64(patience * 1e9))
        continue
      }
      guard isWished || LaunchedProcess.now >= limit || isDone() else { continue }
      stop = isWished || isAsked ? .wish : .done
      // What is asked as a terminal would ask saves what it has.
      end = process.stop(by: SIGINT, patience: Int64(patience * 1e9), taking: taking)
      return
    }
  }
}

/// That the user wants to stop, from when it is made to when it is forgotten: the first time does not end the tool.
final class StopWish: Sendable {
  private let came = Mutex(false)

  init() {
    Interruption.listen { [weak self] in self?.came.withLock { $0 = true } }
  }

  deinit { Interruption.listen(nil) }

  var hasCome: Bool { came.withLock { $0 } }

  /// Waits until a time, or until the user wants to stop.
  func rest(until time: Int64) {
    while !hasCome {
      let left = (time - LaunchedProcess.now) / 1_000_000
      guard time > LaunchedProcess.now else { return }
      LaunchedProcess.rest(milliseconds: Int32(min(20, max(1, left))))
    }
  }
}
