/// The area of a panel on a canvas, and the positions of values in it, in pixels from the top left.
struct PanelArea {
  let left, right, top, bottom: Double
  private let panel: PlotPanel

  init(_ panel: PlotPanel, _ margins: PanelLayout.Margins, _ canvas: PlotCanvas) {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    (left, right) = (margins.left * width, margins.right * width)
    (top, bottom) = ((1 - margins.top) * height, (1 - margins.bottom) * height)
    self.panel = panel
  }

  func x(_ value: Double) -> Double { left + Self.share(value, panel.x) * (right - left) }

  func y(_ value: Double) -> Double { bottom - Self.share(value, panel.y) * (bottom - top) }

  /// Whether a label's point is within the axes.
  func contains(_ label: PlotLabel) -> Bool {
    panel.x.range.contains(label.x) && panel.y.range.contains(label.y)
  }

  /// The position of a value along an axis, as a share of its length. Values far outside are clamped, so that a path
  /// can end near the panel.
  private static func share(_ value: Double, _ axis: PlotAxis) -> Double {
    let (low, high) = (axis.range.lowerBound, axis.range.upperBound)
    // An axis with an empty range has a length of 1.
    let share = min(max((value - low) / (high > low ? high - low : 1), -10), 11)
    return axis.isReversed ? 1 - share : share
  }
}
