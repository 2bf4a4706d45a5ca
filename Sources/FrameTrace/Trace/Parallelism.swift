import Synchronization

/// How independent work is carried out: one piece after the other, or several at once. The results
/// are the same.
public struct Parallelism: Sendable {
  private let perform: @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void
  /// How many pieces are carried out at once at most.
  package let most: Int

  /// - Parameters:
  ///   - most: How many pieces are carried out at once at most; work is divided accordingly.
  ///   - perform: Calls a closure once for each number below a count, in any order and on any
  ///     threads, and returns after the last call has returned. A piece of work may be divided
  ///     further, so it is called on those threads, too.
  public init(
    atOnce most: Int,
    _ perform: @escaping @Sendable (_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Void
  ) {
    self.perform = perform
    self.most = max(1, most)
  }

  /// One piece after the other.
  public static let none = Parallelism(atOnce: 1) { count, body in
    for number in 0..<count { body(number) }
  }

  /// The results of a closure for each number below a count, in order.
  package func map<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    guard most > 1, count > 1 else { return (0..<count).map(body) }
    let results = Results<Value>(count)
    perform(count) { results.set($0, to: body($0)) }
    return results.all
  }

  /// The results of a closure for each number below a count, in order. Pieces that take longest begin first, so that no
  /// thread is left with one at the end.
  /// - Parameter length: How long a piece takes, in any unit.
  package func map<Value: Sendable>(
    _ count: Int, by length: (Int) -> Int, _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    guard most > 1, count > 1 else { return (0..<count).map(body) }
    let lengths = (0..<count).map(length)
    let order = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    let results = Results<Value>(count)
    perform(count) { place in results.set(order[place], to: body(order[place])) }
    return results.all
  }

  /// The results of pieces of work, in any order.
  private final class Results<Value: Sendable>: Sendable {
    private let values: Mutex<[Value?]>

    init(_ count: Int) { values = Mutex([Value?](repeating: nil, count: count)) }

    var all: [Value] { values.withLock { $0 }.compactMap(\.self) }

    func set(_ number: Int, to value: Value) { values.withLock { $0[number] = value } }
  }
}
