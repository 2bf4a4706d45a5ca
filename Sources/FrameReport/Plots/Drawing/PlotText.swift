import FrameAnalysis
import FrameTrace

/// Formatting of figures in plots.
enum PlotText {
  /// A duration in milliseconds with at most two decimals.
  static func milliseconds(_ value: Double) -> String {
    "\(FixedNumber.text(value, decimals: abs(value) < 100 ? 2 : 1)) ms"
  }

  /// A value with its unit.
  static func value(_ value: Double, _ unit: MetricUnit) -> String {
    "\(FixedNumber.text(value, decimals: abs(value) < 100 ? 2 : 1)) \(unit.rawValue)"
  }

  /// Joins the parts of a subtitle.
  static func line(_ parts: [String?]) -> String {
    parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// A list of words, limited to the first few.
  static func list(_ words: [String]) -> String {
    let rest = words.count > 6 ? " and \(words.count - 6) more" : ""
    return words.prefix(6).joined(separator: ", ") + rest
  }

  /// A count with its noun, such as "1 refresh" or "3 refreshes".
  static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
