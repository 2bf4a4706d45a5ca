import Dispatch
import Synchronization

/// Work on several things at once, with results in their order.
enum Concurrently {
  /// Does something for each number below a count.
  /// - Parameter most: How many are done at once; `nil` for as many as there are processors.
  static func map<Value: Sendable, Failure: Error>(
    _ count: Int, atOnce most: Int? = nil,
    _ body: @Sendable (Int) throws(Failure) -> Value
  ) -> [Result<Value, Failure>] {
    let results = Mutex([Result<Value, Failure>?](repeating: nil, count: count))
    // Who is done first takes the next: some take much longer than others.
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: min(most ?? count, count)) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = Result { () throws(Failure) in try body(index) }
        results.withLock { $0[index] = result }
      }
    }
    return results.withLock { $0 }.compactMap { $0 }
  }
}
