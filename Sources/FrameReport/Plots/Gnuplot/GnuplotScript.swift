import FrameTrace

/// A plot in gnuplot's language: commands, and the numbers that they draw.
///
/// The numbers are not part of the commands. gnuplot reads them from separate files, so that
/// nothing in them can be interpreted as a command.
public struct GnuplotScript: Sendable {
  /// The numbers of each file, row by row.
  public private(set) var data: [[Double]] = []
  /// The commands, with placeholders for the paths of the files in `data`.
  private var parts: [Part] = []

  private enum Part: Sendable {
    case text(String)
    case data(Int)
    case picture
  }

  private let plot: Plot
  private let canvas: PlotCanvas
  private let palette: PlotPalette
  /// The oldest supported version of gnuplot, which supports the required patterns, dashes and
  /// literal text.
  public static let oldestVersion = (major: 5, minor: 2)

  /// The script that draws a plot on a canvas.
  public init(_ plot: Plot, on canvas: PlotCanvas) {
    self.plot = plot
    self.canvas = canvas.fitting(plot)
    palette = PlotPalette(canvas.theme)
    write()
  }

  /// The commands, with the paths of the files.
  /// - Parameters:
  ///   - picture: The path of the picture.
  ///   - data: The paths of the data files.
  public func text(picture: String, data: [String]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .data(let number): GnuplotText.quoted(data[number])
      case .picture: GnuplotText.quoted(picture)
      }
    }.joined()
  }

  /// A readable listing: the commands with placeholder paths, followed by the numbers.
  public var listing: String {
    var lines = text(picture: "picture", data: data.indices.map { "data/\($0)" })
    for (number, values) in data.enumerated() {
      lines += "# data/\(number): \(values.map { "\($0)" }.joined(separator: " "))\n"
    }
    return lines
  }

  private mutating func line(_ text: String) { parts.append(.text(text + "\n")) }
}

extension GnuplotScript {
  private mutating func write() {
    line("set encoding utf8")
    line("set terminal \(terminal)")
    parts += [.text("set output "), .picture, .text("\n")]
    line("set multiplot")
    line("set border 3 linecolor rgb \(quoted(palette.muted))")
    line("set tics nomirror scale 0.5 textcolor rgb \(quoted(palette.text))")
    line("set style fill solid 0.9 border")
    line("set boxwidth 1 absolute")
    writeTitles()
    let layout = PanelLayout(plot, canvas)
    for (index, panel) in plot.panels.enumerated() {
      write(panel, layout.margins[index])
    }
    line("unset multiplot")
    line("unset output")
  }

  private var terminal: String {
    let (width, height) = (canvas.width, canvas.height)
    let background = "background rgb \(quoted(palette.background))"
    let lines = canvas.scale > 1 ? " linewidth \(canvas.scale)" : ""
    let look = "font \(font(canvas.format == .svg ? 12 : 9))\(lines) \(background)"
    switch canvas.format {
    case .svg: return "svg size \(width),\(height) fixed \(look)"
    case .png: return "pngcairo size \(width),\(height) \(look)"
    case .pdf:
      let inches = { (pixels: Int) in FixedNumber.text(Double(pixels) / 96, decimals: 2) }
      return "pdfcairo size \(inches(width))in,\(inches(height))in fontscale 1 \(look)"
    case .characters: return "dumb \(width),\(height) mono"
    case .sixel: return "sixelgd size \(width),\(height) \(background) font \(font(9))"
    }
  }

  /// The font with a size in points, scaled with the picture.
  private func font(_ size: Double) -> String {
    let text = FixedNumber.text(size * canvas.scale, decimals: 1)
    return quoted("DejaVu Sans,\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)")
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  private mutating func writeTitles() {
    let titles = PlotTitles(plot, canvas)
    let sizes = canvas.format == .svg ? (16.0, 12.0) : (12.0, 9.0)
    writeTitle(0, titles.title, titles, palette.text, size: sizes.0)
    for (number, line) in titles.lines.enumerated() {
      writeTitle(number + 1, line, titles, palette.muted, size: sizes.1)
    }
  }

  /// Writes a line above the panels.
  private mutating func writeTitle(
    _ number: Int, _ text: String, _ titles: PlotTitles, _ color: String, size: Double
  ) {
    let isText = canvas.format == .characters
    let y = 1 - titles.distance(of: number, on: canvas) / Double(canvas.height)
    let left = (isText ? 1 : 14 * canvas.scale) / Double(canvas.width)
    let font = isText ? "" : " font \(font(size))"
    line(
      "set label \(number + 1) \(GnuplotText.quoted(text)) at screen \(left), screen \(y) left noenhanced front textcolor rgb \(quoted(color))\(font)"
    )
  }

  private mutating func write(_ panel: PlotPanel, _ margins: PanelLayout.Margins) {
    line("set lmargin at screen \(margins.left)")
    line("set rmargin at screen \(margins.right)")
    line("set tmargin at screen \(margins.top)")
    line("set bmargin at screen \(margins.bottom)")
    write(panel.x, "x")
    write(panel.y, "y")
    if panel.hasLegend {
      line(
        "set key at screen \(margins.right), screen \(margins.legend) top right horizontal noenhanced samplen 1.5 textcolor rgb \(quoted(palette.text))"
      )
    } else {
      line("unset key")
    }
    for (index, text) in panel.labels.enumerated() where isInside(text, panel) {
      line(
        "set label \(index + 100) \(GnuplotText.quoted(text.text)) at \(text.x),\(text.y) \(text.alignment.rawValue) noenhanced front textcolor rgb \(quoted(palette.color(text.color)))"
      )
    }
    writeLayers(of: panel)
    line("unset label")
  }

  private func isInside(_ label: PlotLabel, _ panel: PlotPanel) -> Bool {
    panel.x.range.contains(label.x) && panel.y.range.contains(label.y)
  }

  private mutating func write(_ axis: PlotAxis, _ name: String) {
    let (low, high) = (axis.range.lowerBound, axis.range.upperBound)
    // An axis range must not be empty.
    let top = high > low ? high : low + 1
    line("set \(name)range [\(axis.isReversed ? top : low):\(axis.isReversed ? low : top)]")
    line(
      "set \(name)label \(GnuplotText.quoted(axis.label)) noenhanced textcolor rgb \(quoted(palette.text))"
    )
    if let ticks = axis.ticks {
      let marks = ticks.map { "\(GnuplotText.quotedFormat($0.text)) \($0.position)" }
      line("set \(name)tics noenhanced (\(marks.joined(separator: ", ")))")
    } else {
      line("set \(name)tics autofreq noenhanced format \"%g\"")
    }
    let grid = "linetype 1 linewidth 0.5 linecolor rgb \(quoted(palette.grid))"
    let isDrawn = axis.hasGrid && canvas.format != .characters
    line(isDrawn ? "set grid \(name)tics back \(grid)" : "set grid no\(name)tics")
  }
}

extension GnuplotScript {
  private mutating func writeLayers(of panel: PlotPanel) {
    parts.append(.text("plot "))
    var isFirst = true
    for layer in panel.layers {
      let rows = PanelClip(panel).clip(layer)
      guard !rows.isEmpty else { continue }
      if !isFirst { parts.append(.text(", \\\n  ")) }
      isFirst = false
      parts.append(.data(data.count))
      data.append(rows.flatMap { $0 })
      let format = String(repeating: "%double", count: layer.shape.columns.count)
      let name = layer.name.map { "title \(GnuplotText.quoted($0))" } ?? "notitle"
      parts.append(
        .text(
          " binary format=\"\(format)\" record=(\(rows.count)) endian=default \(style(layer)) \(name)"
        ))
    }
    // Empty axes are also a valid plot.
    parts.append(.text(isFirst ? "NaN notitle\n" : "\n"))
  }

  private func style(_ layer: PlotLayer) -> String {
    let color = "linecolor rgb \(quoted(palette.color(layer.color)))"
    let dash = layer.isBroken ? " dashtype 2" : ""
    let line = "linewidth \(layer.lineWidth) \(color)\(dash)"
    switch layer.shape {
    case .line: return "using 1:2 with lines \(line)"
    case .steps: return "using 1:2 with steps \(line)"
    case .points:
      return "using 1:2 with points pointtype \(mark(layer)) pointsize \(size(layer)) \(color)"
    case .boxes: return "using 1:3:1:2:3:4 with boxxyerror \(fill(layer))"
    case .segments: return "using 1:2:($3-$1):($4-$2) with vectors nohead \(line)"
    case .arrows:
      return "using 1:2:($3-$1):($4-$2) with vectors head filled size screen 0.006,20 \(line)"
    case .ranges:
      return
        "using 1:2:3:4 with xerrorbars pointtype 7 pointsize \(0.8 * max(1, canvas.scale)) \(line)"
    }
  }

  private func size(_ layer: PlotLayer) -> Double {
    let size =
      switch layer.emphasis {
      case .faint: 0.25
      case .normal: 0.5
      case .strong: 0.9
      }
    return size * max(1, canvas.scale)
  }

  /// gnuplot's number of a mark.
  private func mark(_ layer: PlotLayer) -> Int {
    switch layer.mark {
    case .disc: 7
    case .square: 5
    case .diamond: 13
    case .triangle: layer.color == .fault ? 9 : 8
    case .plus: 1
    case .cross: 2
    }
  }

  private func fill(_ layer: PlotLayer) -> String {
    let color = quoted(palette.color(layer.color))
    let outline = "border linecolor rgb \(quoted(palette.muted))"
    if layer.isBroken {
      return
        "fillcolor rgb \(color) fillstyle transparent pattern 4 border linecolor rgb \(color) linewidth 0.8"
    }
    let strength = layer.emphasis == .faint ? "transparent solid 0.35" : "solid 1.0"
    return "fillcolor rgb \(color) fillstyle \(strength) \(outline) linewidth 0.4"
  }
}
