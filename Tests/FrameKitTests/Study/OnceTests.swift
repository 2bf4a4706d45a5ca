import Dispatch
import Foundation
import Synchronization
import Testing

@testable import FrameAnalysis

/// A value that is computed on first use.
@Suite struct OnceTests {
  @Test func severalThreadsComputeItOnce() {
    let once = Once<Int>()
    let calls = Mutex(0)
    let values = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      let value = once.value {
        usleep(5000)
        return calls.withLock { calls in
          calls += 1
          return calls * 100 + thread
        }
      }
      values.withLock { $0.append(value) }
    }
    #expect(calls.withLock { $0 } == 1)
    #expect(values.withLock { $0.count == 8 && Set($0).count == 1 })
  }

  /// A computed `nil` is a value, too.
  @Test func nothingIsComputedOnce() {
    let once = Once<Int?>()
    var calls = 0
    for _ in 0..<3 {
      #expect(
        once.value {
          calls += 1
          return nil
        } == nil)
    }
    #expect(calls == 1)
  }
}
