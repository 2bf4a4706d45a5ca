// Files can contain any number, and arithmetic on such numbers must not stop the program. In the modules between the
// bytes of a file and its results, sums, products, quotients and conversions of `Int64` that do not fit saturate at the
// nearest value that fits. A wrong input then gives a huge time, never a time of the other sign; the bounds of
// ``Timestamp`` and the contradictions of a frame's times report it.
//
// This file is linked into each of these modules, because the operators that a module declares take precedence over
// those of the standard library only within that module.

extension Int64 {
  /// The nearest number to a real number; for `nan`, the smallest number, which stands for a missing value.
  @inline(__always) init(_ value: Double) {
    self = Int64(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : .min)
  }

  @inline(__always) static func + (left: Int64, right: Int64) -> Int64 {
    let (sum, isOver) = left.addingReportingOverflow(right)
    return isOver ? (right < 0 ? .min : .max) : sum
  }

  @inline(__always) static func - (left: Int64, right: Int64) -> Int64 {
    let (difference, isOver) = left.subtractingReportingOverflow(right)
    return isOver ? (right < 0 ? .max : .min) : difference
  }

  @inline(__always) static func * (left: Int64, right: Int64) -> Int64 {
    let (product, isOver) = left.multipliedReportingOverflow(by: right)
    return isOver ? ((left < 0) == (right < 0) ? .max : .min) : product
  }

  /// A quotient. Dividing by zero gives the end of the range on the dividend's side.
  @inline(__always) static func / (left: Int64, right: Int64) -> Int64 {
    if right == 0 { return left == 0 ? 0 : left < 0 ? .min : .max }
    let (quotient, isOver) = left.dividedReportingOverflow(by: right)
    return isOver ? .max : quotient
  }

  /// A remainder; zero if the divisor is zero.
  @inline(__always) static func % (left: Int64, right: Int64) -> Int64 {
    right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue
  }

  @inline(__always) static prefix func - (value: Int64) -> Int64 { 0 - value }
  @inline(__always) static func += (left: inout Int64, right: Int64) { left = left + right }
  @inline(__always) static func -= (left: inout Int64, right: Int64) { left = left - right }
  @inline(__always) static func *= (left: inout Int64, right: Int64) { left = left * right }
}

/// The magnitude, at most the largest number.
@inline(__always) func abs(_ value: Int64) -> Int64 { Int64(clamping: value.magnitude) }
