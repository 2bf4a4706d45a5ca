/// Whole nanoseconds as decimal numbers of a larger unit, to the last digit.
package enum DecimalText {
  /// Appends a whole number over a power of ten, without zeros at the end of its fraction.
  static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var positions = digits
    while positions > 0, rest % 10 == 0 {
      rest /= 10
      positions -= 1
    }
    // From the last digit to the first, and then the other way round.
    let start = bytes.count
    func appendDigit() {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    for _ in 0..<positions { appendDigit() }
    if positions > 0 { bytes.append(UInt8(ascii: ".")) }
    repeat { appendDigit() } while rest > 0
    var (low, high) = (start, bytes.count - 1)
    while low < high {
      bytes.swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}

/// Numbers as text with a fixed number of decimals, the same in every locale.
package enum FixedNumber {
  /// The number rounded to the nearest with that many decimals, ties away from zero.
  package static func text(_ number: Double, decimals: Int) -> String {
    guard number.isFinite, decimals >= 0, decimals <= 9 else { return "\(number)" }
    let factor = DecimalNumber.powers[decimals]
    let scaled = (abs(number) * Double(factor)).rounded()
    guard scaled < 1e18 else { return "\(number)" }
    let (whole, part) = Int64(scaled).quotientAndRemainder(dividingBy: factor)
    let sign = number < 0 && scaled > 0 ? "-" : ""
    if decimals == 0 { return "\(sign)\(whole)" }
    let digits = "\(part)"
    return "\(sign)\(whole)." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  /// The number rounded up, for use as an upper bound.
  package static func roundedUp(_ number: Double, decimals: Int) -> String {
    guard decimals >= 0, decimals <= 9 else { return text(number, decimals: decimals) }
    let factor = Double(DecimalNumber.powers[decimals])
    return text((number * factor).rounded(.up) / factor, decimals: decimals)
  }
}
