import Synchronization

/// How independent work is carried out: one piece after the other, or several at once. The results
/// are the same.
public struct Parallelism: Sendable {
  private let perform: @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void

  /// - Parameter perform: Calls a closure once for each number below a count, in any order and on
  ///   any threads, and returns after the last call has returned.
  public init(
    _ perform: @escaping @Sendable (_ count: Int, _ body: @Sendable (Int) -> Void) -> Void
  ) {
    self.perform = perform
  }

  /// One piece after the other.
  public static let none = Parallelism { count, body in for number in 0..<count { body(number) } }

  /// The results of a closure for each number below a count, in order.
  package func map<Value: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
    let results = Mutex([Value?](repeating: nil, count: count))
    perform(count) { number in
      let value = body(number)
      results.withLock { $0[number] = value }
    }
    return results.withLock { $0 }.compactMap(\.self)
  }
}
