/// The title of a plot and the lines below it, fitted to a canvas.
struct PlotTitles {
  let title: String
  /// The subtitle, split into lines.
  let lines: [String]
  /// The height of the title and the lines, in pixels or character rows.
  let height: Double

  init(_ plot: Plot, _ canvas: PlotCanvas) {
    let isText = canvas.format == .characters
    let scale = canvas.scale
    let width = Double(canvas.width) - (isText ? 2 : 28 * scale)
    // A character of the subtitle's font takes about seven pixels.
    let room = max(20, Int(isText ? width : width / (7 * scale)))
    title = Self.cut(plot.title, to: isText ? room : room * 3 / 4)
    lines = Self.wrap(plot.subtitle, to: room)
    height = isText ? Double(lines.count) + 1 : scale * (36 + 18 * Double(lines.count))
  }

  /// The vertical center of a line, measured from the top; line 0 is the title.
  func distance(of line: Int, on canvas: PlotCanvas) -> Double {
    if canvas.format == .characters { return Double(line) + 0.5 }
    return canvas.scale * (line == 0 ? 20 : 24 + 18 * Double(line))
  }

  private static func cut(_ text: String, to length: Int) -> String {
    text.count > length ? text.prefix(length - 1) + "…" : text
  }

  /// Splits a line between its parts, with as many parts on each line as fit.
  private static func wrap(_ text: String, to length: Int) -> [String] {
    var lines: [String] = []
    for part in text.split(separator: "; ").map(String.init) {
      if let last = lines.last, last.count + 2 + part.count <= length {
        lines[lines.count - 1] = last + "; " + part
      } else {
        lines.append(cut(part, to: length))
      }
    }
    return lines
  }
}
