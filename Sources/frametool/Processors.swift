import Foundation
import FrameKit
import Synchronization

/// The threads that share a command's work: its files, and the pieces of each.
///
/// A thread that divides its work carries out pieces of it until none is left. Others that have nothing to do take
/// pieces, too, the oldest first. So there are never more threads than wanted, however deeply work is divided.
final class Processors: Sendable {
  let most: Int
  /// Those besides the threads that divide work; `nil` if there are none.
  private let others: OperationQueue?

  private static let known = Mutex<[Int: Processors]>([:])

  /// - Parameter most: The number of threads; `nil` for as many as there are processors.
  static func upTo(_ most: Int?) -> Processors {
    let most = max(1, most ?? LaunchedProcess.processorCount)
    return known.withLock { known in
      if let same = known[most] { return same }
      let processors = Processors(most)
      known[most] = processors
      return processors
    }
  }

  private init(_ most: Int) {
    let room = most > 1 ? LaunchedProcess.threadRoom(most - 1) : 0
    self.most = 1 + room
    others = room > 0 ? OperationQueue() : nil
    others?.maxConcurrentOperationCount = room
  }

  /// Offers work to another thread.
  /// - Returns: A closure that waits for it, and carries it out if no thread has begun it.
  func begin(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let offer = OfferedWork(work)
    // Without memory left for another thread, this one carries it out.
    if let others, LaunchedProcess.threadRoom(1) == 1 {
      others.addOperation {
        ProgramBuild.beginWork()
        _ = offer.carryOut()
      }
    }
    return { offer.finish() }
  }
}

/// Work that the thread that offers it carries out if no other one does.
private final class OfferedWork: Sendable {
  /// `nil` once a thread has begun it.
  private let work: Mutex<(@Sendable () -> Void)?>
  private let end = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

  /// Carries it out.
  /// - Returns: Whether no thread had begun it.
  func carryOut() -> Bool {
    guard let work = work.withLock({ $0.take() }) else { return false }
    work()
    end.signal()
    return true
  }

  /// Returns when it is done.
  func finish() {
    if !carryOut() { end.wait() }
  }
}
