import Dispatch
import FrameKit
import Synchronization

/// A pool of threads that share a command's work: its files, and the parts of each file.
///
/// A thread that divides its work also does part of the work. Idle threads of the pool take the oldest offered work
/// first. Work can be divided again, and the number of threads stays within the limit.
final class Processors: Sendable {
  /// The maximum number of threads, including the one that divides work.
  let most: Int

  /// The number of the pool's threads, and the work that no thread has started.
  private let state = Mutex((active: 0, offers: [OfferedWork]()))

  /// The address space for a thread's heap: glibc maps 128 MB to align a heap of 64 MB.
  private static let heap = 128 << 20
  private static let known = Mutex<[Int: Processors]>([:])

  /// The pool with a given number of threads; all callers share it.
  /// - Parameter most: The number of threads; `nil` for one per processor.
  static func upTo(_ most: Int?) -> Processors {
    let most = max(1, most ?? LaunchedProcess.processorCount)
    return known.withLock { known in
      if let same = known[most] { return same }
      let processors = Processors(most)
      known[most] = processors
      return processors
    }
  }

  init(_ most: Int) { self.most = most }

  /// Work on the threads of the pool.
  var parallelism: Parallelism {
    guard most > 1 else { return .none }
    return Parallelism(atOnce: most) { [self] work in
      // A crash on another thread must also name the file.
      let file = ProgramBuild.file
      return begin { ProgramBuild.reading(file) { () throws(Never) in work() } }
    }
  }

  /// Offers work to the pool.
  /// - Returns: A closure that waits until the work is done, and does it if no thread has started it.
  func begin(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let offer = OfferedWork(work)
    let active = state.withLock { state -> Int? in
      state.offers.append(offer)
      guard state.active < most - 1 else { return nil }
      state.active += 1
      return state.active
    }
    if let active { startThread(oneOf: active) }
    return { [self] in
      if offer.carryOut() {
        state.withLock { state in state.offers.removeAll { $0 === offer } }
      } else {
        offer.wait()
      }
    }
  }

  private func startThread(oneOf active: Int) {
    // All threads of the pool are counted, because some may not have mapped their heap yet.
    let starts =
      LaunchedProcess.threadRoom(active, heap: Self.heap) == active
      && LaunchedProcess.startThread { [self] in
        ProgramBuild.beginWork()
        while let offer = nextOffer() { _ = offer.carryOut() }
      }
    // Without memory for another thread, the callers do their work themselves.
    if !starts { state.withLock { $0.active -= 1 } }
  }

  /// The oldest offer; `nil` if there is none, and the calling thread ends.
  private func nextOffer() -> OfferedWork? {
    state.withLock { state in
      guard !state.offers.isEmpty else {
        state.active -= 1
        return nil
      }
      return state.offers.removeFirst()
    }
  }
}

/// Work that runs once: on a thread of the pool, or else on the thread that offered it.
private final class OfferedWork: Sendable {
  /// The work; `nil` once a thread has started it.
  private let work: Mutex<(@Sendable () -> Void)?>
  private let end = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

  /// Does the work, unless a thread has started it.
  /// - Returns: Whether this call did the work.
  func carryOut() -> Bool {
    guard let work = work.withLock({ $0.take() }) else { return false }
    work()
    end.signal()
    return true
  }

  /// Waits until another thread has done the work.
  func wait() { end.wait() }
}
