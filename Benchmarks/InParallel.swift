import Dispatch
import Foundation
import Synchronization

/// Runs work on all processors at once and returns the results in order. Each item has a separate
/// seed, so the results are the same on every machine.
enum InParallel {
  /// - Parameter name: The name of the work in progress messages.
  static func map<Value: Sendable>(
    _ count: Int, named name: String, _ body: @Sendable (Int) -> Value
  ) -> [Value] {
    let results = Mutex([Value?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let value = body(number)
      let done = results.withLock { results in
        results[number] = value
        return results.count { $0 != nil }
      }
      if done * 10 / count > (done - 1) * 10 / count {
        FileHandle.standardError.write(Data("\(name): \(done) of \(count)\n".utf8))
      }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}
