import FrameTrace

/// Values by index, some of them missing: usually one for each frame, by its row.
///
/// An array of optionals takes twice the memory, and there is one element for each frame of a
/// trace. A missing value is stored as a number that no value has; only this type knows about it.
@usableFromInline
package struct CompactOptionals<Value: CompactValue>: Sendable {
  @usableFromInline var stored: [Value.Stored]

  /// Creates a number of elements, all without a value.
  init(missing count: Int) { stored = Array(repeating: Value.Stored.min, count: count) }

  init(_ values: some Sequence<Value?>) { stored = values.map(Self.stored) }

  var count: Int { stored.count }
  var indices: Range<Int> { stored.indices }

  @inlinable
  package subscript(place: Int) -> Value? {
    get { stored[place] == .min ? nil : Value.restored(stored[place]) }
    set { stored[place] = Self.stored(newValue) }
  }

  /// Whether any element has a value.
  var hasAny: Bool { stored.contains { $0 != .min } }

  /// How many elements have a value.
  var knownCount: Int { stored.count { $0 != .min } }

  /// The values that are not missing, in order.
  var known: some Sequence<Value> {
    stored.lazy.filter { $0 != .min }.map { Value.restored($0) }
  }

  @inlinable
  static func stored(_ value: Value?) -> Value.Stored { value?.stored ?? .min }
}

/// A value that can be stored as an integer and never as the smallest one.
@usableFromInline
package protocol CompactValue: Sendable {
  associatedtype Stored: FixedWidthInteger & SignedInteger & Sendable

  static func restored(_ stored: Stored) -> Self
  var stored: Stored { get }
}

extension Timestamp: CompactValue {
  static func restored(_ stored: Int64) -> Timestamp { Timestamp(nanoseconds: stored) }
  var stored: Int64 { nanoseconds }
}

extension Nanoseconds: CompactValue {
  static func restored(_ stored: Int64) -> Nanoseconds { Nanoseconds(stored) }
  var stored: Int64 { count }
}

extension RefreshNumber: CompactValue {
  @inlinable package static func restored(_ stored: Int64) -> RefreshNumber {
    RefreshNumber(stored)
  }
  @inlinable package var stored: Int64 { number }
}

/// Rows of a table, of which there are fewer than two billion.
extension Int: CompactValue {
  @inlinable package static func restored(_ stored: Int32) -> Int { Int(stored) }
  @inlinable package var stored: Int32 { Int32(self) }
}
