import Dispatch
import FrameKit
import Synchronization

/// The threads that share a command's work: its files, and the pieces of each.
///
/// A thread that divides its work carries out pieces of it until none is left. Others that have nothing to do take
/// pieces, too, the oldest first. So there are never more threads than wanted, however deeply work is divided.
final class Processors: Sendable {
  let most: Int

  private let state = Mutex((active: 0, offers: [OfferedWork]()))

  /// The address space that a thread's heap reserves: the C library of Linux maps twice 64 MB to align it.
  private static let heap = 128 << 20
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

  private init(_ most: Int) { self.most = most }

  /// Offers work to another thread.
  /// - Returns: A closure that waits for it, and carries it out if no thread has begun it.
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
    // The others may not have reserved their memory yet. Without any for another thread, those that offer work carry
    // it out.
    guard LaunchedProcess.threadRoom(active, heap: Self.heap) == active else {
      return state.withLock { $0.active -= 1 }
    }
    DispatchQueue.global().async { [self] in
      ProgramBuild.beginWork()
      while let offer = nextOffer() { _ = offer.carryOut() }
    }
  }

  /// The oldest offer; `nil` if there is none, and the thread that asks for it ends.
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

  /// Returns when another thread has carried it out.
  func wait() { end.wait() }
}
