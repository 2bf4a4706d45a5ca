import FrameTrace

/// A plot drawn as SVG for pages, without another program.
///
/// Layout, colors and text match the pictures that gnuplot draws; only the drawing code differs.
package struct SVGPicture {
  private let plot: Plot
  private let canvas: PlotCanvas
  private let palette: PlotPalette
  private var svg = SVGText()
  /// The colors that already have a pattern.
  private var hatched: Set<String> = []

  /// - Parameter theme: The brightness of the background.
  package init(_ plot: Plot, _ theme: PlotCanvas.Theme) {
    self.plot = plot
    canvas = PlotCanvas(.svg, theme: theme).fitting(plot)
    palette = PlotPalette(theme)
    write()
  }

  /// The bytes of the complete picture.
  package var bytes: [UInt8] { svg.bytes }

  private mutating func write() {
    let (width, height) = (canvas.width, canvas.height)
    svg.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    svg.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"\(fontSize)\">\n"
    )
    svg.add("<title>\(MarkupText.escape(PlotText.printable(plot.title)))</title>\n")
    svg.add("<rect width=\"100%\" height=\"100%\" fill=\"\(palette.background)\"/>\n")
    writeTitles()
    let margins = PanelLayout(plot, canvas).margins
    for (number, panel) in plot.panels.enumerated() { write(panel, margins[number], number) }
    svg.add("</svg>\n")
  }

  private var fontSize: String {
    FixedNumber.text(12 * canvas.scale, decimals: 1)
  }

  private mutating func writeTitles() {
    let titles = PlotTitles(plot, canvas)
    let x = 14 * canvas.scale
    svg.text(
      titles.title, at: (x, titles.distance(of: 0, on: canvas)), "start", color: palette.text,
      " font-size=\"\(FixedNumber.text(16 * canvas.scale, decimals: 1))\"")
    for (number, line) in titles.lines.enumerated() {
      svg.text(
        line, at: (x, titles.distance(of: number + 1, on: canvas)), "start", color: palette.muted)
    }
  }

  private mutating func write(
    _ panel: PlotPanel, _ margins: PanelLayout.Margins, _ number: Int
  ) {
    let area = PanelArea(panel, margins, canvas)
    writeAxes(panel, area)
    svg.add("<clipPath id=\"panel\(number)\"><rect ")
    svg.add("x=\"", area.left)
    svg.add("\" y=\"", area.top)
    svg.add("\" width=\"", area.right - area.left)
    svg.add("\" height=\"", area.bottom - area.top)
    svg.add("\"/></clipPath>\n<g clip-path=\"url(#panel\(number))\">\n")
    let clip = PanelClip(panel)
    for layer in panel.layers { write(layer, clip.clip(layer), area) }
    for label in panel.labels where area.contains(label) {
      let anchor =
        switch label.alignment {
        case .left: "start"
        case .center: "middle"
        case .right: "end"
        }
      svg.text(
        label.text, at: (area.x(label.x), area.y(label.y)), anchor,
        color: palette.color(label.color))
    }
    svg.add("</g>\n")
    if panel.hasLegend { writeLegend(panel, area, margins) }
  }
}

// MARK: Axes

extension SVGPicture {
  private mutating func writeAxes(_ panel: PlotPanel, _ area: PanelArea) {
    let scale = canvas.scale
    let x = AxisTicks(panel.x, most: Int((area.right - area.left) / (80 * scale))).ticks
    let y = AxisTicks(panel.y, most: Int((area.bottom - area.top) / (34 * scale))).ticks
    svg.add("<path stroke=\"\(palette.grid)\" stroke-width=\"\(0.7 * scale)\" d=\"")
    if panel.x.hasGrid {
      for tick in x {
        svg.add("M", area.x(tick.position), area.top)
        svg.add("V", area.bottom)
      }
    }
    if panel.y.hasGrid {
      for tick in y {
        svg.add("M", area.left, area.y(tick.position))
        svg.add("H", area.right)
      }
    }
    svg.add("\"/>\n<path fill=\"none\" stroke=\"\(palette.muted)\" stroke-width=\"\(scale)\" d=\"")
    svg.add("M", area.left, area.top)
    svg.add("V", area.bottom)
    svg.add("H", area.right)
    for tick in x {
      svg.add("M", area.x(tick.position), area.bottom)
      svg.add("v", 4 * scale)
    }
    for tick in y {
      svg.add("M", area.left, area.y(tick.position))
      svg.add("h", -4 * scale)
    }
    svg.add("\"/>\n")
    for tick in x {
      svg.text(
        tick.text, at: (area.x(tick.position), area.bottom + 13 * scale), "middle",
        color: palette.text)
    }
    for tick in y {
      svg.text(
        tick.text, at: (area.left - 8 * scale, area.y(tick.position)), "end", color: palette.text)
    }
    svg.text(
      panel.x.label, at: ((area.left + area.right) / 2, area.bottom + 32 * scale), "middle",
      color: palette.text)
    let (across, down) = (12 * scale, (area.top + area.bottom) / 2)
    let turn = "\(FixedNumber.text(across, decimals: 1)) \(FixedNumber.text(down, decimals: 1))"
    svg.text(
      panel.y.label, at: (across, down), "middle", color: palette.text,
      " transform=\"rotate(-90 \(turn))\"")
  }
}

// MARK: Layers

extension SVGPicture {
  private mutating func write(_ layer: PlotLayer, _ rows: [[Double]], _ area: PanelArea) {
    guard !rows.isEmpty else { return }
    switch layer.shape {
    case .line, .steps: writeLine(layer, rows, area)
    case .points: writePoints(layer, rows.map { (area.x($0[0]), area.y($0[1])) })
    case .boxes: writeBoxes(layer, rows, area)
    case .segments: writeSegments(layer, rows, area)
    case .arrows:
      writeSegments(layer, rows, area)
      writeHeads(layer, rows, area)
    case .ranges:
      writeWhiskers(layer, rows, area)
      writePoints(layer.with(.strong), rows.map { (area.x($0[0]), area.y($0[1])) })
    }
  }

  private func stroke(_ layer: PlotLayer) -> String {
    let width = FixedNumber.text(layer.lineWidth * canvas.scale, decimals: 2)
    let dash = layer.isBroken ? " stroke-dasharray=\"\(5 * canvas.scale) \(4 * canvas.scale)\"" : ""
    return "fill=\"none\" stroke=\"\(palette.color(layer.color))\" stroke-width=\"\(width)\"\(dash)"
  }

  private mutating func writeLine(_ layer: PlotLayer, _ rows: [[Double]], _ area: PanelArea) {
    svg.add("<path \(stroke(layer)) stroke-linejoin=\"round\" d=\"")
    for (index, row) in rows.enumerated() {
      let (x, y) = (area.x(row[0]), area.y(row[1]))
      if index == 0 {
        svg.add("M", x, y)
      } else if layer.shape == .steps {
        svg.add("H", x)
        svg.add("V", y)
      } else {
        svg.add("L", x, y)
      }
    }
    svg.add("\"/>\n")
  }

  /// Marks as zero-length strokes, round or square, or as small shapes: one element for all marks.
  private mutating func writePoints(_ layer: PlotLayer, _ points: [(x: Double, y: Double)]) {
    let size = layer.markSize * canvas.scale
    let color = palette.color(layer.color)
    let mark = layer.mark
    switch mark {
    case .disc, .square:
      let cap = mark == .disc ? "round" : "square"
      svg.add(
        "<path fill=\"none\" stroke=\"\(color)\" stroke-linecap=\"\(cap)\" stroke-width=\"\(FixedNumber.text(size, decimals: 2))\" d=\""
      )
      for point in points {
        svg.add("M", point.x, point.y)
        svg.add("h0")
      }
    case .triangle, .diamond:
      svg.add("<path fill=\"\(color)\" d=\"")
      for point in points { add(mark, at: point, size) }
    case .plus, .cross:
      svg.add(
        "<path fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(FixedNumber.text(1.2 * canvas.scale, decimals: 2))\" d=\""
      )
      for point in points { add(mark, at: point, size) }
    }
    svg.add("\"/>\n")
  }

  private mutating func add(
    _ mark: PlotLayer.Mark, at point: (x: Double, y: Double), _ size: Double
  ) {
    let half = size * 0.6
    switch mark {
    case .disc, .square: break
    case .triangle:
      svg.add("M", point.x - half, point.y + half * 0.8)
      svg.add("h", 2 * half)
      svg.add("l", -half, -half * 1.8)
      svg.add("z")
    case .diamond:
      svg.add("M", point.x - half, point.y)
      svg.add("l", half, -half)
      svg.add("l", half, half)
      svg.add("l", -half, half)
      svg.add("z")
    case .plus:
      svg.add("M", point.x - half, point.y)
      svg.add("h", 2 * half)
      svg.add("M", point.x, point.y - half)
      svg.add("v", 2 * half)
    case .cross:
      svg.add("M", point.x - half, point.y - half)
      svg.add("l", 2 * half, 2 * half)
      svg.add("M", point.x - half, point.y + half)
      svg.add("l", 2 * half, -2 * half)
    }
  }

  private mutating func writeBoxes(_ layer: PlotLayer, _ rows: [[Double]], _ area: PanelArea) {
    svg.add("<path \(fill(layer)) d=\"")
    for row in rows {
      let (x, y) = (area.x(row[0]), area.y(row[2]))
      svg.add("M", x, y)
      svg.add("H", area.x(row[1]))
      svg.add("V", area.y(row[3]))
      svg.add("H", x)
      svg.add("z")
    }
    svg.add("\"/>\n")
  }

  /// The attributes of a filled shape; also writes the pattern that the fill needs.
  private mutating func fill(_ layer: PlotLayer) -> String {
    let color = palette.color(layer.color)
    let width = FixedNumber.text(0.5 * canvas.scale, decimals: 2)
    guard layer.isBroken else {
      let opacity = layer.emphasis == .faint ? " fill-opacity=\".35\"" : ""
      return "fill=\"\(color)\"\(opacity) stroke=\"\(palette.muted)\" stroke-width=\"\(width)\""
    }
    let name = "hatch\(color.dropFirst())"
    if hatched.insert(name).inserted {
      svg.add(
        "<pattern id=\"\(name)\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" stroke=\"\(color)\" stroke-width=\"2.4\"/></pattern>\n"
      )
    }
    return "fill=\"url(#\(name))\" stroke=\"\(color)\" stroke-width=\"\(width)\""
  }

  private mutating func writeSegments(_ layer: PlotLayer, _ rows: [[Double]], _ area: PanelArea) {
    svg.add("<path \(stroke(layer)) d=\"")
    for row in rows {
      svg.add("M", area.x(row[0]), area.y(row[1]))
      svg.add("L", area.x(row[2]), area.y(row[3]))
    }
    svg.add("\"/>\n")
  }

  private mutating func writeHeads(_ layer: PlotLayer, _ rows: [[Double]], _ area: PanelArea) {
    svg.add("<path fill=\"\(palette.color(layer.color))\" d=\"")
    let size = 6 * canvas.scale
    for row in rows {
      let (x, y) = (area.x(row[2]), area.y(row[3]))
      let (across, down) = (x - area.x(row[0]), y - area.y(row[1]))
      let length = (across * across + down * down).squareRoot()
      guard length > 0 else { continue }
      let (dx, dy) = (across / length * size, down / length * size)
      svg.add("M", x, y)
      svg.add("L", x - dx - dy * 0.35, y - dy + dx * 0.35)
      svg.add("L", x - dx + dy * 0.35, y - dy - dx * 0.35)
      svg.add("z")
    }
    svg.add("\"/>\n")
  }

  private mutating func writeWhiskers(_ layer: PlotLayer, _ rows: [[Double]], _ area: PanelArea) {
    svg.add("<path \(stroke(layer)) d=\"")
    let cap = 4 * canvas.scale
    for row in rows {
      let y = area.y(row[1])
      for end in [area.x(row[2]), area.x(row[3])] {
        svg.add("M", end, y - cap)
        svg.add("v", 2 * cap)
      }
      svg.add("M", area.x(row[2]), y)
      svg.add("H", area.x(row[3]))
    }
    svg.add("\"/>\n")
  }
}

// MARK: Legend

extension SVGPicture {
  /// The names, each with a sample, in as many columns as fit, aligned to the right.
  private mutating func writeLegend(
    _ panel: PlotPanel, _ area: PanelArea, _ margins: PanelLayout.Margins
  ) {
    let clip = PanelClip(panel)
    let layers = panel.layers.filter { $0.name != nil && !clip.clip($0).isEmpty }
    guard !layers.isEmpty else { return }
    let scale = canvas.scale
    let longest = Double(layers.compactMap { $0.name?.count }.max() ?? 0)
    let column = scale * (longest * 7.5 + 40)
    let columns = min(layers.count, max(1, Int((area.right - area.left) / column)))
    let start = max(area.left, area.right - Double(columns) * column)
    let top = (1 - margins.legend) * Double(canvas.height)
    for (index, layer) in layers.enumerated() {
      let x = start + Double(index % columns) * column
      let y = top + scale * (9 + 18 * Double(index / columns))
      writeSample(layer, at: (x, y))
      svg.text(layer.name ?? "", at: (x + 28 * scale, y), "start", color: palette.text)
    }
  }

  private mutating func writeSample(_ layer: PlotLayer, at point: (x: Double, y: Double)) {
    let width = 22 * canvas.scale
    switch layer.shape {
    case .points: writePoints(layer.with(.strong), [(point.x + width / 2, point.y)])
    case .boxes:
      svg.add("<path \(fill(layer)) d=\"")
      svg.add("M", point.x, point.y - 5 * canvas.scale)
      svg.add("h", width)
      svg.add("v", 10 * canvas.scale)
      svg.add("h", -width)
      svg.add("z\"/>\n")
    case .line, .steps, .segments, .arrows, .ranges:
      svg.add("<path \(stroke(layer)) d=\"")
      svg.add("M", point.x, point.y)
      svg.add("h", width)
      svg.add("\"/>\n")
      if layer.shape == .ranges {
        writePoints(layer.with(.strong), [(point.x + width / 2, point.y)])
      }
    }
  }
}
