/// A time or a number that may be missing, stored in eight bytes instead of the sixteen of an optional, because a
/// replay may have millions of frames.
///
/// The smallest integer stands for a missing value.
@propertyWrapper
struct CompactOptional: Sendable {
  private var stored = Int64.min

  init(wrappedValue: Int64?) { self.wrappedValue = wrappedValue }

  var wrappedValue: Int64? {
    get { stored == .min ? nil : stored }
    set { stored = newValue ?? .min }
  }
}

/// A range of time that may be missing, stored in sixteen bytes instead of twenty-four.
@propertyWrapper
struct CompactOptionalRange: Sendable {
  private var start = Int64.min
  private var end = Int64.min

  init(wrappedValue: Range<Int64>?) { self.wrappedValue = wrappedValue }

  var wrappedValue: Range<Int64>? {
    get { start == .min ? nil : start..<end }
    set { (start, end) = (newValue?.lowerBound ?? .min, newValue?.upperBound ?? .min) }
  }
}
