import Synchronization

/// A value that is computed when it is first needed. Of several threads, the first one computes it, and the others
/// wait.
final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)

  /// The value.
  /// - Parameter compute: Computes it, without needing it. Not called if it is known.
  func value(_ compute: () -> Value) -> Value {
    known.withLock { known in
      if let known { return known }
      let value = compute()
      known = value
      return value
    }
  }
}
