import Dispatch
import Synchronization

@testable import FrameTrace

extension Parallelism {
  /// Several threads that begin work as soon as it is offered.
  static let threads = threads {}
  /// Work that is begun only when it is waited for.
  static let waiting = Parallelism(atOnce: 4) { work in work }
  /// Those that must not change any result.
  static let unlike: [Parallelism] = [threads, waiting]

  /// - Parameter offered: Called for each offer.
  static func threads(_ offered: @escaping @Sendable () -> Void) -> Parallelism {
    Parallelism(atOnce: 4) { work in
      offered()
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        work()
        done.signal()
      }
      return { done.wait() }
    }
  }
}
