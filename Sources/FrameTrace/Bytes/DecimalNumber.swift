/// Reads decimal numbers exactly into whole units, as `16.6331` ms into 16 633 100 ns.
///
/// No binary fraction comes in between, so what a trace says to the last digit is what the
/// analysis gets. Digits past the unit are rounded to the nearest, halves away from zero.
package enum DecimalNumber {
  /// The result of reading a text.
  package enum Reading: Equatable {
    case value(Int64)
    /// Empty, or one of the words for "no value": NA, N/A, NaN, null, -.
    case missing
    /// Something else than a number.
    case malformed
    /// A number too large to count in the unit.
    case outOfRange
  }

  /// The powers of ten that fit a 64-bit integer.
  package static let powers: [Int64] = (0...18).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0) == 0 ? 1 : (powers.last ?? 1) * 10)
  }

  /// Reads any text, blanks around it allowed.
  /// - Parameter scale: How many digits after the point the unit has: 6 reads
  ///   milliseconds into nanoseconds. Negative scales divide.
  package static func read(_ text: ArraySlice<UInt8>, scale: Int) -> Reading {
    var text = text.trimmingBlanks()
    if isMissing(text) { return .missing }
    var negative = false
    if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      negative = sign == UInt8(ascii: "-")
      text = text.dropFirst()
    }
    guard var digits = Digits(text) else { return .malformed }
    digits.exponent += scale
    guard let magnitude = digits.rounded() else { return .outOfRange }
    return .value(negative ? -magnitude : magnitude)
  }

  private static func isMissing(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count <= 4 else { return false }
    let word = String(decoding: text, as: UTF8.self).lowercased()
    return ["", "na", "n/a", "nan", "null", "-"].contains(word)
  }
}

extension DecimalNumber {
  /// A number as its leading digits and a power of ten.
  private struct Digits {
    /// The leading digits, at most 19 of them.
    var leading: UInt64 = 0
    /// The power of ten that `leading` is to be multiplied with.
    var exponent = 0

    /// Splits up a number without a sign; `nil` if it is not a number.
    init?(_ text: ArraySlice<UInt8>) {
      var rest = text
      var count = 0
      var kept = 0
      var afterPoint = false
      while let byte = rest.first {
        if byte == UInt8(ascii: "."), !afterPoint {
          afterPoint = true
        } else if let digit = Self.digit(byte) {
          count += 1
          consume(digit, kept: &kept, afterPoint: afterPoint)
        } else {
          break
        }
        rest = rest.dropFirst()
      }
      guard count > 0, takeExponent(rest) else { return nil }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
      byte &- 0x30 < 10 ? UInt64(byte &- 0x30) : nil
    }

    private mutating func consume(_ digit: UInt64, kept: inout Int, afterPoint: Bool) {
      if kept < 19 {
        leading = leading * 10 + digit
        if leading > 0 { kept += 1 }
        if afterPoint { exponent -= 1 }
      } else {
        if !afterPoint { exponent += 1 }
      }
    }

    /// Adds an exponent such as `e+06`; `false` if something else follows.
    private mutating func takeExponent(_ text: ArraySlice<UInt8>) -> Bool {
      guard let first = text.first else { return true }
      guard first | 0x20 == UInt8(ascii: "e") else { return false }
      guard let power = Int(String(decoding: text.dropFirst(), as: UTF8.self)),
        (-999...999).contains(power)
      else { return false }
      exponent += power
      return true
    }

    /// Half of 10¹⁹.
    private static let half: UInt64 = 5_000_000_000_000_000_000

    /// The number rounded to a whole; `nil` when it does not fit.
    func rounded() -> Int64? {
      if leading == 0 { return 0 }
      if exponent >= 0 {
        guard exponent <= 18 else { return nil }
        let (product, overflow) = leading.multipliedReportingOverflow(by: UInt64(powers[exponent]))
        return overflow ? nil : Int64(exactly: product)
      }
      // Less than a unit, as there are at most 19 digits.
      guard exponent >= -18 else { return exponent == -19 && leading >= Self.half ? 1 : 0 }
      let divisor = UInt64(powers[-exponent])
      let (quotient, remainder) = leading.quotientAndRemainder(dividingBy: divisor)
      return Int64(exactly: quotient + (remainder >= divisor - remainder ? 1 : 0))
    }
  }
}
