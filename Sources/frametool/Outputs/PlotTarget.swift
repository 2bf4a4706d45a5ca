import FrameKit

/// The destination of a plot, and its format.
struct PlotTarget {
  let path: String
  let canvas: PlotCanvas
  /// Whether the plotted data is written as JSON instead of a picture.
  let isData: Bool

  var needsGnuplot: Bool { !isData }

  /// - Parameter output: The path that the user gave; `nil` for the terminal.
  init(
    _ output: String?, theme: PlotCanvas.Theme, size: String?, on console: Console
  ) throws(CommandError) {
    let path = output ?? "-"
    let suffix = Output.suffix(of: path)
    self.path = path
    isData = suffix == "json"
    if isData {
      try console.given.refuse(on: .plottedData, "\(path), which has data and no picture")
    }
    let format: PlotCanvas.Format
    if path == "-" {
      format = console.takesSixels() ? .sixel : .characters
    } else if isData {
      format = .svg
    } else if let named = [PlotCanvas.Format.svg, .png, .pdf].first(where: { $0.rawValue == suffix }
    ) {
      format = named
    } else {
      throw CommandError(
        .usage, "--output: expected a name that ends in .svg, .png, .pdf or .json, found \(path)",
        help: "'-o -' draws in the terminal")
    }
    canvas = PlotCanvas(
      format, theme: theme,
      size: try Self.size(size, format) ?? (format == .characters ? Self.size(of: console) : nil))
  }

  /// The size of the terminal's window without the prompt's line; `nil` if there is none.
  private static func size(of console: Console) -> (width: Int, height: Int)? {
    console.window.map { window in
      let possible = PlotCanvas.possibleSizes(.characters)
      return (
        min(max(window.width - 1, possible.width.lowerBound), possible.width.upperBound),
        min(max(window.height - 2, possible.height.lowerBound), possible.height.upperBound)
      )
    }
  }

  private static func size(
    _ text: String?, _ format: PlotCanvas.Format
  ) throws(CommandError) -> (width: Int, height: Int)? {
    guard let text else { return nil }
    let possible = PlotCanvas.possibleSizes(format)
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      possible.width.contains(width), possible.height.contains(height)
    else {
      throw CommandError(
        .usage,
        "--size: expected WIDTHxHEIGHT from \(possible.width.lowerBound)x\(possible.height.lowerBound) to \(possible.width.upperBound)x\(possible.height.upperBound), found \(text)"
      )
    }
    return (width, height)
  }

  /// Draws and writes a plot; the file appears only when it is complete.
  func write(_ plot: Plot, on console: Console) throws(CommandError) {
    if isData {
      return try Output.write(to: path, on: console) { $0(Array(PlotData.json(plot).utf8)) }
    }
    var picture = try console.gnuplot.draw(plot, on: canvas)
    if canvas.format == .characters { picture = Self.trimmed(picture) }
    try Output.write(to: path, on: console) { $0(picture) }
  }

  /// Character output without gnuplot's initial form feed and without trailing spaces.
  private static func trimmed(_ picture: [UInt8]) -> [UInt8] {
    let lines = picture.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
      var line = line.drop { $0 == 0x0c }
      while line.last == 0x20 { line.removeLast() }
      return line
    }
    let first = lines.firstIndex { !$0.isEmpty } ?? 0
    let last = lines.lastIndex { !$0.isEmpty } ?? 0
    return Array(lines[first...max(first, last)].joined(separator: [0x0a])) + [0x0a]
  }
}
