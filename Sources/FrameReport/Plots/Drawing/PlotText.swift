import FrameAnalysis
import FrameTrace

/// Formatting of figures in plots.
enum PlotText {
  /// The longest text that is drawn, in characters.
  static let longest = 160

  /// The text without characters that a picture cannot contain, cut to the maximum length.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest * 4) {
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: scalars.append(" ")
      // Bidirectional control characters would affect the rest of the picture's text.
      case 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: continue
      case 0xfffe, 0xffff: scalars.append("\u{fffd}")
      default: scalars.append(scalar)
      }
    }
    // gnuplot writes this sequence unescaped into SVG, where it is not allowed.
    let printable = String(scalars).replacing("]]>", with: "]] >")
    return printable.count > longest ? printable.prefix(longest - 1) + "…" : printable
  }

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
