import FrameAnalysis
import FrameTrace

/// Figures as plots write them.
enum PlotText {
  /// A length of time in milliseconds, as short as two decimals allow.
  static func milliseconds(_ value: Double) -> String {
    "\(FixedNumber.text(value, decimals: abs(value) < 100 ? 2 : 1)) ms"
  }

  /// A value with its unit.
  static func value(_ value: Double, _ unit: MetricUnit) -> String {
    "\(FixedNumber.text(value, decimals: abs(value) < 100 ? 2 : 1)) \(unit.rawValue)"
  }

  /// Parts of a line below the title.
  static func line(_ parts: [String?]) -> String {
    parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// Words in a row, the first few of many.
  static func list(_ words: [String]) -> String {
    let rest = words.count > 6 ? " and \(words.count - 6) more" : ""
    return words.prefix(6).joined(separator: ", ") + rest
  }

  /// A count with its noun, as "1 refresh" or "3 refreshes".
  static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
