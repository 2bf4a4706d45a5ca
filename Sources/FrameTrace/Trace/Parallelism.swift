import Synchronization

/// How independent work is carried out: one piece after the other, or several at once. The results
/// are the same.
public struct Parallelism: Sendable {
  /// How many pieces are carried out at once at most.
  package let most: Int
  private let start: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// - Parameters:
  ///   - most: How many pieces are carried out at once at most; work is divided accordingly.
  ///   - start: Receives work that another thread may carry out, and returns a closure that returns
  ///     when the work is done. If no thread has begun it by then, that closure carries it out.
  public init(
    atOnce most: Int,
    _ start: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  ) {
    self.most = max(1, most)
    self.start = start
  }

  /// One piece after the other.
  public static let none = Parallelism(atOnce: 1) { work in
    work()
    return {}
  }

  /// Starts work while the caller does something else.
  /// - Returns: A closure that waits for it, to be called once.
  package func begin(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    start(work)
  }

  /// The results of a closure for each number below a count, in order. Pieces that take longest begin first, so that no
  /// thread is left with one at the end.
  /// - Parameter length: How long a piece takes, in any unit.
  package func map<Value: Sendable>(
    _ count: Int, by length: (Int) -> Int = { _ in 0 },
    _ body: @escaping @Sendable (Int) -> Value
  ) -> [Value] {
    guard most > 1, count > 1 else { return (0..<count).map(body) }
    let lengths = (0..<count).map(length)
    let order = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    let work = DividedWork(order, body)
    let others = (1..<min(count, most)).map { _ in start { work.takePart() } }
    work.takePart()
    for finish in others { finish() }
    return work.results
  }
}

/// Pieces of work that several threads take in turns.
private final class DividedWork<Value: Sendable>: Sendable {
  private let order: [Int]
  private let body: @Sendable (Int) -> Value
  private let next = Atomic(0)
  private let values: Mutex<[Value?]>

  init(_ order: [Int], _ body: @escaping @Sendable (Int) -> Value) {
    self.order = order
    self.body = body
    values = Mutex([Value?](repeating: nil, count: order.count))
  }

  /// Carries out pieces until none is left.
  func takePart() {
    while true {
      let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard place < order.count else { return }
      let number = order[place]
      let value = body(number)
      values.withLock { $0[number] = value }
    }
  }

  var results: [Value] { values.withLock { $0 }.compactMap(\.self) }
}
