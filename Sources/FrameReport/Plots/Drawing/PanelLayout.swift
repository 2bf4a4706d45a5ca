/// The positions of a plot's panels on its canvas, as shares of it.
struct PanelLayout {
  struct Margins {
    let left, right, top, bottom: Double
    /// The top of the legend.
    let legend: Double
  }

  let margins: [Margins]

  init(_ plot: Plot, _ canvas: PlotCanvas) {
    let room = Room(plot, canvas)
    let wanted = plot.panels.map { room.legend(of: $0) }
    let between = wanted.reduce(0, +) + Double(plot.panels.count) * room.axis
    // On a small picture, text is set closer together, so that the panels remain visible.
    let shrink = min(1, (1 - room.titles) * 0.6 / max(between, 0.001))
    let legends = wanted.map { $0 * shrink }
    let axis = room.axis * shrink
    let left = max(0.05, 1 - room.titles - between * shrink)
    let sum = plot.panels.reduce(0) { $0 + $1.height }
    var top = 1 - room.titles
    margins = zip(plot.panels, legends).map { panel, height in
      let legend = top
      top -= height
      let bottom = top - left * panel.height / sum
      defer { top = bottom - axis }
      return Margins(
        left: room.left, right: 1 - room.right, top: top, bottom: bottom, legend: legend)
    }
  }

  /// The space that text needs around the panels.
  private struct Room {
    let titles, axis, left, right: Double
    private let canvas: PlotCanvas

    init(_ plot: Plot, _ canvas: PlotCanvas) {
      let isText = canvas.format == .characters
      let (width, height) = (Double(canvas.width), Double(canvas.height))
      // Tick labels are to the left of the y axis; each character takes some pixels.
      let names = plot.panels.compactMap(\.y.ticks).flatMap { $0 }.map(\.text.count).max() ?? 0
      let scale = canvas.scale
      // The labels take at most two fifths of the width.
      let most = Int(0.4 * width / (isText ? 1 : 7 * scale))
      let characters = min(max(7, names + 2), max(7, most))
      left = (isText ? Double(characters + 2) : scale * (Double(characters) * 7 + 24)) / width
      right = (isText ? 3 : 24 * scale) / width
      titles = PlotTitles(plot, canvas).height / height
      axis = (isText ? 3 : scale * (canvas.format == .png ? 48 : 56)) / height
      self.canvas = canvas
    }

    /// The height of a panel's legend, with columns as wide as the longest name.
    func legend(of panel: PlotPanel) -> Double {
      let isText = canvas.format == .characters
      let names = panel.hasLegend ? panel.layers.filter { !$0.rows.isEmpty }.compactMap(\.name) : []
      let longest = Double(names.map(\.count).max() ?? 0)
      let scale = canvas.scale
      let column = isText ? longest + 6 : scale * (longest * 7.5 + 40)
      let width = Double(canvas.width) * (1 - left - right)
      let columns = max(1, (width / column).rounded(.down))
      let rows = (Double(names.count) / columns).rounded(.up)
      return (isText ? rows + 1 : scale * (8 + rows * (canvas.format == .png ? 15 : 18)))
        / Double(canvas.height)
    }
  }
}
