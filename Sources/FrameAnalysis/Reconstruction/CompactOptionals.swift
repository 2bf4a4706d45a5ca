public import FrameTrace

/// Values by index, some of them missing: usually one for each frame, by its row.
///
/// There is one element for each frame of a trace, and most values are small. Each value takes 1, 4 or 8 bytes, as many
/// as the largest one needs. A missing value is stored as a number that no value has; only this type knows that number.
@usableFromInline
package struct CompactOptionals<Value: CompactValue>: Sendable {
  @usableFromInline var stored: IntegerColumn

  /// Creates an empty list.
  init() { stored = IntegerColumn() }

  /// Creates an empty list for a number of elements.
  init(expecting count: Int) {
    self.init()
    stored.reserve(count)
  }

  /// Creates a list with a number of elements, all without a value.
  init(missing count: Int) { stored = IntegerColumn(missing: count) }

  init(_ values: some Sequence<Value?>) {
    self.init()
    for value in values { append(value) }
  }

  var count: Int { stored.count }
  var indices: Range<Int> { 0..<stored.count }

  @inlinable
  package subscript(position: Int) -> Value? {
    get {
      let value = stored.raw(position)
      return value == IntegerColumn.missing ? nil : Value.restored(value)
    }
    set { stored.replace(position, with: newValue?.stored ?? IntegerColumn.missing) }
  }

  mutating func append(_ value: Value?) { stored.append(value?.stored ?? IntegerColumn.missing) }

  /// Whether any element has a value.
  var hasAny: Bool { indices.contains { stored.raw($0) != IntegerColumn.missing } }

  /// How many elements have a value.
  var knownCount: Int { stored.valueCount }

  /// The values that are not missing, in order.
  var known: some Sequence<Value> { indices.lazy.compactMap { self[$0] } }
}

/// A value that can be stored as an integer and never as the smallest one.
@usableFromInline
package protocol CompactValue: Sendable {
  static func restored(_ stored: Int64) -> Self
  var stored: Int64 { get }
}

extension Timestamp: CompactValue {
  @inlinable package static func restored(_ stored: Int64) -> Timestamp {
    Timestamp(nanoseconds: stored)
  }
  @inlinable package var stored: Int64 { nanoseconds }
}

extension Nanoseconds: CompactValue {
  @inlinable package static func restored(_ stored: Int64) -> Nanoseconds { Nanoseconds(stored) }
  @inlinable package var stored: Int64 { count }
}

extension RefreshNumber: CompactValue {
  @inlinable package static func restored(_ stored: Int64) -> RefreshNumber {
    RefreshNumber(stored)
  }
  @inlinable package var stored: Int64 { number }
}

extension Int: CompactValue {
  @inlinable package static func restored(_ stored: Int64) -> Int { Int(stored) }
  @inlinable package var stored: Int64 { Int64(self) }
}

/// For each row of a table, another row, or none. The other row is usually one of the next ones, and only the distance
/// is stored.
@usableFromInline
package struct NearbyRows: Sendable {
  @usableFromInline var distances: CompactOptionals<Int>

  /// Creates a number of rows that all refer to no other row.
  init(missing count: Int) { distances = CompactOptionals(missing: count) }

  var indices: Range<Int> { distances.indices }

  @inlinable
  package subscript(row: Int) -> Int? {
    get { distances[row].map { row &+ $0 } }
    set { distances[row] = newValue.map { $0 &- row } }
  }
}
