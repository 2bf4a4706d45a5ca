import FrameAnalysis
import FrameTrace

/// Panels below a plot over time, which show the readings of sensors and counters in the same period.
struct TelemetryPanels {
  private static let height = 0.35

  let panels: [PlotPanel]

  /// - Parameters:
  ///   - names: The names of sensors as users write them: in any case, with `-` for spaces.
  ///   - x: The time axis of the plot.
  init(
    _ names: [String], of surfaces: [PlottedSurface], on x: PlotAxis, _ options: PlotOptions
  ) throws(PlotRefusal) {
    var panels: [PlotPanel] = []
    for name in names {
      var (layers, unit, label): ([PlotLayer], String?, String) = ([], nil, name)
      var (high, low) = (0.0, 0.0)
      for (position, surface) in surfaces.enumerated() {
        guard let series = surface.telemetry.first(where: { Self.key($0.name) == Self.key(name) })
        else { continue }
        (unit, label) = (series.unit, series.name)
        var columns = PixelColumns(x.range, count: options.columns)
        for (time, value) in zip(series.times, series.values) {
          let seconds = surface.seconds(time)
          if x.range.contains(seconds) { columns.add(seconds, value) }
        }
        high = max(high, columns.limits?.upperBound ?? 0)
        low = min(low, columns.limits?.lowerBound ?? 0)
        let layer = surfaces.count == 1 ? label : surfaces.names[position]
        layers.append(
          PlotLayer(.line, layer, .series(position + 3), columns.rows).with(count: columns.count))
      }
      guard !layers.isEmpty else { throw Self.refusal(name, surfaces) }
      let words = unit.map { "\(label) in \($0)" } ?? label
      var panel = PlotPanel(x: x, y: .fromZero(words, to: high, low: low), layers: layers)
      panel.height = Self.height
      panel.hasLegend = surfaces.count > 1
      panels.append(panel)
    }
    self.panels = panels
  }

  private static func key(_ name: String) -> String {
    name.lowercased().replacing("-", with: " ")
  }

  private static func refusal(_ name: String, _ surfaces: [PlottedSurface]) -> PlotRefusal {
    let known = surfaces.flatMap { $0.telemetry.map(\.name) }
    var seen: Set<String> = []
    let names = known.filter { seen.insert($0).inserted }.prefix(20).joined(separator: ", ")
    return PlotRefusal(
      "\(surfaces.first?.path ?? "the trace"): there are no readings of '\(name)'",
      help: names.isEmpty
        ? "captures on Linux read sensors once a second" : "there are readings of \(names)")
  }
}
