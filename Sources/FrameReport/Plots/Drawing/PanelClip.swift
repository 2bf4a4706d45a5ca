/// Clips a panel's layers to its axes, so that nothing is drawn over the surrounding text.
struct PanelClip {
  private let x, y: ClosedRange<Double>

  init(_ panel: PlotPanel) {
    x = panel.x.range
    y = panel.y.range
  }

  /// The rows of a layer, clipped to the axes.
  func clip(_ layer: PlotLayer) -> [[Double]] {
    switch layer.shape {
    case .line, .steps: layer.rows
    case .points: layer.rows.filter { x.contains($0[0]) && y.contains($0[1]) }
    case .boxes: layer.rows.compactMap(box)
    case .segments, .arrows: layer.rows.compactMap(segment)
    case .ranges: layer.rows.compactMap(range)
    }
  }

  private func box(_ row: [Double]) -> [Double]? {
    guard row[1] >= x.lowerBound, row[0] <= x.upperBound, row[3] >= y.lowerBound,
      row[2] <= y.upperBound
    else { return nil }
    return [
      max(row[0], x.lowerBound), min(row[1], x.upperBound), max(row[2], y.lowerBound),
      min(row[3], y.upperBound),
    ]
  }

  private func segment(_ row: [Double]) -> [Double]? {
    let isInside =
      (x.contains(row[0]) || x.contains(row[2])) && (y.contains(row[1]) || y.contains(row[3]))
    guard isInside else { return nil }
    return [clamp(row[0], x), clamp(row[1], y), clamp(row[2], x), clamp(row[3], y)]
  }

  private func range(_ row: [Double]) -> [Double]? {
    guard y.contains(row[1]), row[3] >= x.lowerBound, row[2] <= x.upperBound else { return nil }
    return [clamp(row[0], x), row[1], clamp(row[2], x), clamp(row[3], x)]
  }

  private func clamp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
    min(max(value, range.lowerBound), range.upperBound)
  }
}
