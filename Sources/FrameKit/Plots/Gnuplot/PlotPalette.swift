/// The colours of a theme.
///
/// Those of things are from Okabe and Ito, "Color Universal Design", 2008, which people with
/// any kind of colour vision can tell apart; neighbours in a row differ in lightness too, for
/// print in black and white.
struct PlotPalette {
  private let isDark: Bool

  init(_ theme: PlotCanvas.Theme) { isDark = theme == .dark }

  var background: String { isDark ? "#16191d" : "#ffffff" }
  var text: String { isDark ? "#e8eaed" : "#1f2328" }
  var muted: String { isDark ? "#8b949e" : "#6e7781" }
  var grid: String { isDark ? "#30363d" : "#e1e4e8" }

  private var blue: String { isDark ? "#4aa3df" : "#0072b2" }
  private let orange = "#e69f00"
  private let green = "#009e73"
  private let sky = "#56b4e9"
  private let purple = "#cc79a7"
  private var vermilion: String { isDark ? "#ff7a33" : "#d55e00" }
  private let yellow = "#f0e442"
  private var black: String { isDark ? "#ffffff" : "#000000" }

  /// The colour for a role, as gnuplot takes it.
  func colour(_ role: PlotColour) -> String {
    switch role {
    case .text: text
    case .onFill: "#ffffff"
    case .muted: muted
    case .fault: vermilion
    case .stage(.app): blue
    case .stage(.compositor): orange
    case .stage(.gpu): green
    case .stage(.display): sky
    case .stage(.unknown): muted
    case .part(let place): [muted, yellow, purple][place % 3]
    case .buffer(let place): [blue, orange, green, purple, sky, yellow][place % 6]
    case .series(let place): [blue, orange, green, purple, black, sky][place % 6]
    }
  }
}
