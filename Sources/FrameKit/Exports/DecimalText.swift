/// Whole nanoseconds as decimal numbers of a larger unit, to the last digit.
enum DecimalText {
  static func milliseconds(_ nanoseconds: Int64) -> String { text(nanoseconds, digits: 6) }
  static func microseconds(_ nanoseconds: Int64) -> String { text(nanoseconds, digits: 3) }

  /// A whole number over a power of ten, without zeros at the end.
  private static func text(_ number: Int64, digits: Int) -> String {
    let magnitude = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - magnitude.count)) + magnitude
    var part = padded.suffix(digits)
    while part.last == "0" { part.removeLast() }
    let whole = padded.dropLast(digits)
    return (number < 0 ? "-" : "") + whole + (part.isEmpty ? "" : "." + part)
  }
}
