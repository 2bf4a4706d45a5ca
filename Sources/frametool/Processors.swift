import Foundation
import FrameKit
import Synchronization

/// The threads that share a command's work: its files, and the pieces of each.
///
/// A thread that divides its work carries out pieces of it until none is left. Others that have nothing to do take
/// pieces, too, the oldest first. So there are never more threads than wanted, however deeply work is divided.
final class Processors: Sendable {
  /// Those besides the threads that divide work; `nil` if there are none.
  private let others: OperationQueue?
  let most: Int

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
    self.most = most
    others = most > 1 ? OperationQueue() : nil
    others?.maxConcurrentOperationCount = most - 1
  }

  /// Calls a closure for each number below a count, and returns after the last call has returned.
  func perform(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    guard count > 0 else { return }
    let work = DividedWork(count, body)
    let wanted = min(count, most) - 1
    for _ in 0..<(wanted > 0 ? LaunchedProcess.threadRoom(wanted) : 0) {
      others?.addOperation {
        ProgramBuild.beginWork()
        work.takePart()
      }
    }
    work.finish()
  }
}

/// Numbered pieces of work that several threads take in turns.
private final class DividedWork: Sendable {
  private let count: Int
  private let next = Atomic(0)
  private let finished = Atomic(0)
  private let end = DispatchSemaphore(value: 0)
  /// `nil` once all pieces are finished, because a thread that comes too late may hold the work for long.
  private let body: Mutex<(@Sendable (Int) -> Void)?>

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.body = Mutex(body)
  }

  /// Carries out pieces until none is left.
  func takePart() {
    guard let body = body.withLock({ $0 }) else { return }
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      body(number)
      if finished.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count {
        end.signal()
      }
    }
  }

  /// Takes part, and waits for the others.
  func finish() {
    takePart()
    end.wait()
    body.withLock { $0 = nil }
  }
}
