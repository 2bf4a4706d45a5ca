import Dispatch

@testable import FrameTrace

extension Parallelism {
  /// Several pieces at once, the last ones first, so that whatever depends on their order differs.
  static let backwards = Parallelism(atOnce: 4) { count, body in
    DispatchQueue.concurrentPerform(iterations: count) { body(count - 1 - $0) }
  }
}
