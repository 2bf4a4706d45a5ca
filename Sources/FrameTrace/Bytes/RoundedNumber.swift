/// Derived numbers without meaningless digits.
package enum RoundedNumber {
  /// The number with six decimals, which are nanoseconds if the number is in milliseconds; numbers below one have at
  /// least six significant digits.
  package static func of(_ value: Double) -> Double {
    // Beyond this magnitude, doubles do not have six decimals.
    guard value.isFinite, value != 0, abs(value) < 9e9 else { return value }
    var scale = 1e6
    while abs(value) * scale < 1e5, scale < 1e300 { scale *= 10 }
    return (value * scale).rounded() / scale
  }
}
