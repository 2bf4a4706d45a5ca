import FrameAnalysis
import FrameStatistics

/// The colors of a theme.
///
/// The colors of data are from Okabe and Ito, "Color Universal Design", 2008, and are
/// distinguishable with any kind of color vision. Adjacent colors also differ in lightness, for
/// black-and-white print.
struct PlotPalette {
  private let isDark: Bool

  init(_ theme: PlotCanvas.Theme) { isDark = theme == .dark }

  var background: String { isDark ? "#16191d" : "#ffffff" }
  var text: String { isDark ? "#e8eaed" : "#1f2328" }
  var muted: String { isDark ? "#8b949e" : "#6e7781" }
  var grid: String { isDark ? "#3a424b" : "#e1e4e8" }

  private var blue: String { isDark ? "#4aa3df" : "#0072b2" }
  private let orange = "#e69f00"
  private let green = "#009e73"
  private let sky = "#56b4e9"
  private let purple = "#cc79a7"
  private var vermilion: String { isDark ? "#ff7a33" : "#d55e00" }
  private let yellow = "#f0e442"
  private var black: String { isDark ? "#ffffff" : "#000000" }

  /// Whether black text is more readable than white text on a color: the color's relative luminance is above 0.18,
  /// where both have the same contrast (Web Content Accessibility Guidelines 2.1).
  private func isLight(_ color: String) -> Bool {
    let number = Int(color.dropFirst(), radix: 16) ?? 0
    let weights = [(16, 0.2126), (8, 0.7152), (0, 0.0722)]
    let luminance = weights.reduce(0.0) { sum, weight in
      let share = Double(number >> weight.0 & 0xff) / 255
      let linear = share <= 0.04045 ? share / 12.92 : Elementary.power((share + 0.055) / 1.055, 2.4)
      return sum + weight.1 * linear
    }
    return luminance > 0.18
  }

  /// The color for a role, as `#rrggbb`.
  func color(_ role: PlotColor) -> String {
    switch role {
    case .text: text
    case .upon(let fill): isLight(color(fill)) ? "#000000" : "#ffffff"
    case .muted: muted
    case .fault: vermilion
    case .stage(.app): blue
    case .stage(.compositor): orange
    case .stage(.gpu): green
    case .stage(.display): sky
    case .stage(.unknown): muted
    case .part(let position): [muted, yellow, purple][position % 3]
    case .buffer(let position): [blue, orange, yellow, green, purple, sky][position % 6]
    case .series(let position): [blue, orange, green, purple, black, sky][position % 6]
    }
  }
}
