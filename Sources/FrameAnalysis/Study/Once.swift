import Synchronization

/// A value that is computed on first use. If several threads need it, the first one computes it, and the others wait.
package final class Once<Value: Sendable>: Sendable {
  private let known = Mutex<Value?>(nil)

  package init() {}

  /// The value.
  /// - Parameter compute: Computes the value if it is not yet known. The closure must not request the value itself,
  ///   because it would wait forever.
  package func value(_ compute: () -> Value) -> Value {
    known.withLock { known in
      if let known { return known }
      let value = compute()
      known = value
      return value
    }
  }
}
