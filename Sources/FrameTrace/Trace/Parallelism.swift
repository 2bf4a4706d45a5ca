import Synchronization

/// How independent pieces of work run: one after the other, or several in parallel. The results are the same in both
/// cases.
public struct Parallelism: Sendable {
  /// The maximum number of pieces that run in parallel.
  package let most: Int
  private let start: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// - Parameters:
  ///   - most: The maximum number of pieces that run in parallel. Work is divided into that many parts.
  ///   - start: Offers work to other threads, and returns a closure that waits until it is done. If
  ///     no thread has started the work when that closure is called, the closure must do it.
  public init(
    atOnce most: Int,
    _ start: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void
  ) {
    self.most = max(1, most)
    self.start = start
  }

  /// Runs one piece after the other, on the caller's thread.
  public static let none = Parallelism(atOnce: 1) { work in
    work()
    return {}
  }

  /// Starts work that runs while the caller continues.
  /// - Returns: A closure that waits until it is done. The caller must call this closure once.
  package func begin(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    start(work)
  }

  /// Calls a closure for each number below a count, and returns the results in order. The longest pieces start first,
  /// so that no long piece finishes last.
  /// - Parameter length: The estimated duration of a piece, in any unit.
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

/// Numbered pieces of work; each free thread runs the next piece.
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

  /// Runs pieces until none is left.
  func takePart() {
    while true {
      let position = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard position < order.count else { return }
      let number = order[position]
      let value = body(number)
      values.withLock { $0[number] = value }
    }
  }

  var results: [Value] { values.withLock { $0 }.compactMap(\.self) }
}
