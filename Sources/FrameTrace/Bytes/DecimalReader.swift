/// Reads the plain numbers of a column: digits with an optional minus and at most one point. It is fastest where they
/// have as many decimals as the previous number, and at most eight characters.
///
/// Eight characters are processed together, as the bytes of one word, so such a number takes a few dozen
/// instructions and no branch on its digits. `DecimalNumber` reads everything that is not a plain
/// number, and numbers with so many digits before the point that they may not fit.
package struct DecimalReader {
  /// How many digits after the point the unit has: 6 reads milliseconds into nanoseconds.
  private let scale: Int
  // The position of the point among the last eight characters, as in the previous number, and masks
  // of the digits before and after it; without a point, all zero and all after.
  private var pointMask: UInt64 = 0
  private var point: UInt64 = 0
  private var beforeMask: UInt64 = 0
  private var afterMask: UInt64 = .max
  /// Fills the gap that the point leaves.
  private var fill: UInt64 = 0
  /// The multiplier of the digits.
  private var multiplier: Int64

  package init(scale: Int) {
    self.scale = scale
    multiplier = DecimalNumber.powers[scale]
  }

  /// Reads a number of at most 8 characters, without a minus, that has as many decimals as the
  /// previous one. This fast path reads nearly all numbers of a column.
  /// - Parameter word: The eight bytes from the number's first character, with the first in the
  ///   lowest byte.
  /// - Returns: The number in whole units; `Int64.min` for anything else.
  @inline(__always)
  func readLike(_ word: UInt64, length: Int) -> Int64 {
    UInt(bitPattern: length &- 1) < 8 ? readLike(Self.aligned(word, length)) : .min
  }

  /// Reads any plain number of at most 8 characters.
  mutating func readShort(_ word: UInt64, length: Int) -> Int64 {
    let isNegative = word & 0xff == Self.minus
    let count = isNegative ? length - 1 : length
    guard count > 0, length <= 8 else { return .min }
    let aligned = Self.aligned(isNegative ? word >> 8 : word, count)
    var value = readLike(aligned)
    if value == .min, adopt(aligned) { value = readLike(aligned) }
    return isNegative && value != .min ? -value : value
  }

  /// Reads any number.
  /// - Precondition: Eight bytes can be read from any index in the range.
  /// - Returns: The number in whole units; `nil` if it is not a number or does not fit.
  @inline(__always)
  package mutating func read(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    let value = readRounded(bytes, range)
    return value == .min ? readOther(bytes, range) : value
  }

  /// Reads a plain number, rounded to whole units where it has more decimals; `Int64.min` for anything else.
  mutating func readRounded(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64 {
    let value = readShort(bytes.word(at: range.lowerBound), length: range.count)
    return value == .min ? readDigits(bytes, range) : value
  }

  /// Reads a plain number of any length digit by digit. PresentMon writes times with 15 decimals, more than a unit has.
  /// - Returns: The number rounded to whole units, halves away from zero; `Int64.min` for anything else, or a number
  ///   that may need more than 18 digits.
  private func readDigits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64 {
    guard !range.isEmpty else { return .min }
    let isNegative = UInt64(bytes[range.lowerBound]) == Self.minus
    var number: Int64 = 0
    var digits = 0
    // Digits after the point, as far as they count; −1 before it.
    var decimals = -1
    var isRoundedUp = false
    for index in range.dropFirst(isNegative ? 1 : 0) {
      let digit = bytes[index] &- 0x30
      if digit < 10 {
        digits += 1
        if decimals <= scale {
          if decimals == scale {
            isRoundedUp = digit >= 5
          } else {
            if decimals < 0, digits > 18 - scale { return .min }
            number = number &* 10 &+ Int64(digit)
          }
          if decimals >= 0 { decimals += 1 }
        }
      } else if bytes[index] == UInt8(ascii: "."), decimals < 0 {
        decimals = 0
      } else {
        return .min
      }
    }
    guard digits > 0 else { return .min }
    number = number &* DecimalNumber.powers[scale - min(max(decimals, 0), scale)]
    if isRoundedUp { number += 1 }
    return isNegative ? -number : number
  }

  @inline(never)
  private func readOther(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    let text = range.map { bytes[$0] }
    if case .value(let value) = DecimalNumber.read(text[...], scale: scale) { return value }
    return nil
  }

  /// Reads eight characters that have their point where the number before had it.
  @inline(__always)
  private func readLike(_ aligned: UInt64) -> Int64 {
    let digits = (aligned & beforeMask) &<< 8 | (aligned & afterMask) | fill
    guard aligned & pointMask == point, Self.isAllDigits(digits) else { return .min }
    return Int64(truncatingIfNeeded: Self.number(digits)) &* multiplier
  }

  /// Remembers the position of the point in eight characters.
  /// - Returns: `false` when they have more decimals than the unit, or end with the point.
  private mutating func adopt(_ aligned: UInt64) -> Bool {
    let found = aligned.matches(UInt8(ascii: "."))
    guard found != 0 else {
      self = DecimalReader(scale: scale)
      return scale <= 10
    }
    let position = found.trailingZeroBitCount / 8
    let decimals = 7 - position
    guard position < 7, decimals <= scale else { return false }
    let shift = UInt64(position * 8)
    pointMask = 0xff << shift
    point = 0x2e << shift
    beforeMask = (1 << shift) - 1
    afterMask = (UInt64.max << shift) << 8
    fill = 0x30
    multiplier = DecimalNumber.powers[scale - decimals]
    return true
  }
}

extension DecimalReader {
  private static let minus = UInt64(UInt8(ascii: "-"))
  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// The first `count` characters, 1 to 8, at the top of the word, with zeros before them.
  @inline(__always)
  private static func aligned(_ word: UInt64, _ count: Int) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: count &* 8)
    // Shifts by 64 are undefined, so the last eight bits are shifted separately.
    return word &<< (64 &- bits) | (zeros &>> (bits &- 8)) &>> 8
  }

  @inline(__always)
  private static func isAllDigits(_ word: UInt64) -> Bool {
    ((word &+ 0x4646_4646_4646_4646) | (word &- zeros)) & 0x8080_8080_8080_8080 == 0
  }

  /// The number that eight digits make: pairs first, then fours, then all of them.
  @inline(__always)
  private static func number(_ word: UInt64) -> UInt64 {
    let pairs = ((word & 0x0f0f_0f0f_0f0f_0f0f) &* 2561) &>> 8
    let fours = ((pairs & 0x00ff_00ff_00ff_00ff) &* 6_553_601) &>> 16
    return ((fours & 0x0000_ffff_0000_ffff) &* 42_949_672_960_001) &>> 32
  }
}
