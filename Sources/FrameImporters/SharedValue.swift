import Synchronization

/// A value that several threads use in turn.
final class SharedValue<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: consuming Value) { self.value = Mutex(value) }

  /// Calls `body` with the value while no other thread uses it.
  func use<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try value.withLock { (value) throws(Failure) in try body(&value) }
  }

  /// Returns the value and stores another value, so that changing the returned value does not copy it.
  func exchange(for other: Value) -> Value {
    use { value in
      let before = value
      value = other
      return before
    }
  }
}
