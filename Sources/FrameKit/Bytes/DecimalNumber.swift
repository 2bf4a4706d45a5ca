/// Reads decimal numbers exactly into whole units, as `16.6331` ms into 16 633 100 ns.
///
/// No binary fraction comes in between, so what a trace says to the last digit is what the
/// analysis gets. Digits past the unit are rounded to the nearest, halves away from zero.
enum DecimalNumber {
  /// What a text turned out to be.
  enum Reading: Equatable {
    case value(Int64)
    /// Empty, or one of the words for "no value": NA, N/A, NaN, null, -.
    case missing
    /// Something else than a number.
    case malformed
    /// A number too large to count in the unit.
    case outOfRange
  }

  /// The powers of ten that fit a 64-bit integer.
  static let powers: [Int64] = (0...18).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0) == 0 ? 1 : (powers.last ?? 1) * 10)
  }

  /// Reads any text, blanks around it allowed.
  /// - Parameter scale: How many digits after the point the unit has: 6 reads
  ///   milliseconds into nanoseconds. Negative scales divide.
  static func read(_ text: ArraySlice<UInt8>, scale: Int) -> Reading {
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

  /// Reads the plain numbers that nearly every cell holds: an optional minus, at most 8
  /// characters of digits with at most one point in them, no more decimals than `scale`.
  /// - Parameter word: The eight bytes from the first character on, in memory order.
  /// - Returns: `Int64.min` for everything else, which `read` then takes.
  @inline(__always)
  static func readShort(
    _ word: UInt64, length: Int, scale: Int, powers: Span<Int64>
  ) -> Int64 {
    guard length <= 8 else { return .min }
    var word = word
    var length = length
    let negative = word & 0xff == UInt64(UInt8(ascii: "-"))
    if negative {
      word >>= 8
      length &-= 1
    }
    guard length > 0 else { return .min }
    // Right-align the characters in the word and put zeros before them.
    let zeros: UInt64 = 0x3030_3030_3030_3030
    let half = UInt64(truncatingIfNeeded: length &* 4)
    word = (word &<< (32 &- half)) &<< (32 &- half)
    word |= (zeros &>> half) &>> half
    // Close the gap that the point leaves.
    let points = word ^ 0x2e2e_2e2e_2e2e_2e2e
    let found = (points &- 0x0101_0101_0101_0101) & ~points & 0x8080_8080_8080_8080
    var decimals = 0
    if found != 0 {
      guard length > 1 else { return .min }
      let bit = UInt64(truncatingIfNeeded: found.trailingZeroBitCount & 0x38)
      decimals = 7 &- Int(truncatingIfNeeded: bit &>> 3)
      let before = word & ((1 &<< bit) &- 1)
      let after = word & ((UInt64.max &<< bit) &<< 8)
      word = before &<< 8 | after | 0x30
    }
    let strange = ((word &+ 0x4646_4646_4646_4646) | (word &- zeros)) & 0x8080_8080_8080_8080
    guard decimals <= scale, strange == 0 else { return .min }
    // Pairs of digits, then fours, then all eight.
    word = ((word & 0x0f0f_0f0f_0f0f_0f0f) &* 2561) &>> 8
    word = ((word & 0x00ff_00ff_00ff_00ff) &* 6_553_601) &>> 16
    word = ((word & 0x0000_ffff_0000_ffff) &* 42_949_672_960_001) &>> 32
    let value = Int64(truncatingIfNeeded: word) &* powers[scale &- decimals]
    return negative ? 0 &- value : value
  }
}

extension DecimalNumber {
  /// Reads plain numbers of 9 to 16 characters: digits in front, and a tail that
  /// `readShort` takes.
  /// - Returns: `nil` for everything else.
  static func readLong(_ bytes: [UInt8], _ cell: Range<Int>, scale: Int) -> Int64? {
    let length = cell.count
    guard length > 8, length <= 16 else { return nil }
    let middle = cell.upperBound - 8
    let point = UInt8(ascii: ".")
    guard let place = bytes[middle..<cell.upperBound].firstIndex(of: point),
      bytes[middle - 1] != point, bytes[middle] != UInt8(ascii: "-")
    else { return nil }
    let powers = powers.span
    let tail = readShort(bytes.span.word(at: middle), length: 8, scale: scale, powers: powers)
    let front = readShort(
      bytes.span.word(at: cell.lowerBound), length: length - 8, scale: 0, powers: powers)
    guard tail != .min, front != .min else { return nil }
    let (upper, overflow) = front.multipliedReportingOverflow(by: powers[place - middle + scale])
    guard !overflow, upper.magnitude < 1 << 62 else { return nil }
    return bytes[cell.lowerBound] == UInt8(ascii: "-") ? upper - tail : upper + tail
  }

  /// A number as its leading digits and a power of ten.
  private struct Digits {
    /// The leading digits, at most 19 of them.
    var leading: UInt64 = 0
    /// The power of ten that `leading` is to be multiplied with.
    var exponent = 0

    /// Splits up a number without sign; `nil` when it is none.
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
          take(digit, kept: &kept, afterPoint: afterPoint)
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

    private mutating func take(_ digit: UInt64, kept: inout Int, afterPoint: Bool) {
      if kept < 19 {
        leading = leading * 10 + digit
        if leading > 0 { kept += 1 }
        if afterPoint { exponent -= 1 }
      } else {
        if !afterPoint { exponent += 1 }
      }
    }

    /// Takes `e+06` in; `false` when the text goes on with something else.
    private mutating func takeExponent(_ text: ArraySlice<UInt8>) -> Bool {
      guard let first = text.first else { return true }
      guard first | 0x20 == UInt8(ascii: "e") else { return false }
      guard let power = Int(String(decoding: text.dropFirst(), as: UTF8.self)), abs(power) < 1000
      else { return false }
      exponent += power
      return true
    }

    /// The number rounded to a whole; `nil` when it does not fit.
    func rounded() -> Int64? {
      if leading == 0 { return 0 }
      if exponent >= 0 {
        guard exponent <= 18 else { return nil }
        let (product, overflow) = leading.multipliedReportingOverflow(by: UInt64(powers[exponent]))
        return overflow ? nil : Int64(exactly: product)
      }
      guard exponent >= -18 else { return 0 }
      let divisor = UInt64(powers[-exponent])
      let (quotient, remainder) = leading.quotientAndRemainder(dividingBy: divisor)
      return Int64(exactly: quotient + (remainder >= divisor - remainder ? 1 : 0))
    }
  }
}
