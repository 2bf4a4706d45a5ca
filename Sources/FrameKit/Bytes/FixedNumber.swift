/// Numbers as text with a fixed number of decimals, the same in every locale.
public enum FixedNumber {
  /// The number rounded to the nearest with that many decimals, ties away from zero.
  public static func text(_ number: Double, decimals: Int) -> String {
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
}
