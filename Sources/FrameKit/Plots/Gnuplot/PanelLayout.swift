/// Where the panels of a plot are on its canvas, in shares of it.
struct PanelLayout {
  struct Margins {
    let left, right, top, bottom: Double
    /// The top of the list of names.
    let legend: Double
  }

  let margins: [Margins]

  init(_ plot: Plot, _ canvas: PlotCanvas) {
    let room = Room(plot, canvas)
    let between = Double(plot.panels.count) * (room.legend + room.axis)
    let left = max(0.2, 1 - room.titles - between)
    let sum = plot.panels.reduce(0) { $0 + $1.height }
    var top = 1 - room.titles
    margins = plot.panels.map { panel in
      let legend = top
      top -= room.legend
      let bottom = top - left * panel.height / sum
      defer { top = bottom - room.axis }
      return Margins(
        left: room.left, right: 1 - room.right, top: top, bottom: bottom, legend: legend)
    }
  }

  /// What texts take around the panels.
  private struct Room {
    let titles, legend, axis, left, right: Double

    init(_ plot: Plot, _ canvas: PlotCanvas) {
      let isText = canvas.format == .characters
      let (width, height) = (Double(canvas.width), Double(canvas.height))
      // Names of marks stand to the left of an axis, each character some pixels wide.
      let names = plot.panels.compactMap(\.y.ticks).flatMap { $0 }.map(\.text.count).max() ?? 0
      let characters = min(max(7, names + 2), 28)
      left = (isText ? Double(characters + 2) : Double(characters) * 7 + 24) / width
      right = (isText ? 3 : 24) / width
      titles = (isText ? 2 : 56) / height
      legend = (isText ? 2 : 22) / height
      axis = (isText ? 3 : 46) / height
    }
  }
}
