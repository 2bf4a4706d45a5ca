/// Parsing of numbers with an optional unit.
enum QuantityText {
  /// The accepted units of an option, by its metavar, each with the factor to the option's base
  /// unit.
  private static let units: [String: [(suffix: String, factor: Double)]] = [
    "MS": [("ms", 1), ("us", 1e-3), ("µs", 1e-3), ("ns", 1e-6), ("s", 1e3)],
    "S": [("ms", 1e-3), ("s", 1), ("min", 60)],
    "N": [("fps", 1), ("hz", 1)],
    "HZ": [("hz", 1), ("fps", 1)],
    "PERCENT": [("%", 1)],
  ]

  /// The number in the unit of `metavar`, such as 16.6 for `16.6ms` and 10 for `10 s`; `nil` if it
  /// is not a number.
  static func value(_ text: String, in metavar: String) -> Double? {
    if let plain = Double(text) { return plain.isFinite ? plain : nil }
    let word = text.lowercased()
    for (suffix, factor) in units[metavar] ?? [] where word.hasSuffix(suffix) {
      let number = word.dropLast(suffix.count).filter { $0 != " " }
      if let value = Double(number), value.isFinite { return value * factor }
    }
    return nil
  }
}
