import FrameKit

/// The destination of a report, and its format.
struct ReportTarget {
  let path: String
  private let isHTML: Bool
  private let leavesPlotsOut: Bool
  /// Whether an HTML page has no script.
  private let isStatic: Bool

  init(
    _ output: String?, leavesPlotsOut: Bool = false, isStatic: Bool = false
  ) throws(CommandError) {
    path = output ?? "-"
    self.isStatic = isStatic
    let suffix = Output.suffix(of: path)
    isHTML = suffix == "html" || suffix == "htm"
    self.leavesPlotsOut = leavesPlotsOut
    guard isHTML || suffix == "md" || path == "-" else {
      throw CommandError(
        .usage, "--output: expected a name that ends in .html or .md, found \(path)")
    }
    if isHTML, leavesPlotsOut {
      throw CommandError(
        .usage, "--no-plots applies only to Markdown; an HTML page contains its plots")
    }
    guard isHTML || !isStatic else {
      throw CommandError(.usage, "--static applies only to HTML; Markdown has no script")
    }
  }

  /// Whether the report is an interactive page.
  var isExplored: Bool { isHTML && !isStatic }

  /// - Parameter contents: The interactive contents; `nil` for a page without a script.
  func write(
    _ page: Document, exploring contents: PageContents? = nil, on console: Console
  ) throws(CommandError) {
    if isHTML {
      let text = HTMLPageWriter(drawing: page, exploring: contents).write(page)
      return try Output.write(to: path, on: console) { $0(Array(text.utf8)) }
    }
    // Standard output has no folder for pictures.
    let names = leavesPlotsOut || path == "-" ? nil : try writePictures(page, console)
    let text = Markdown(pictures: names).write(page)
    try Output.write(to: path, on: console) { $0(Array(text.utf8)) }
  }

  /// Writes each plot to a file in a folder next to the page.
  /// - Returns: The relative paths used in the page.
  private func writePictures(
    _ page: Document, _ console: Console
  ) throws(CommandError) -> [String] {
    let folder = String(path.dropLast(3)) + ".plots"
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    do throws(ParseError) { try FileFolder.make(folder) } catch { throw CommandError(error) }
    var paths: [String] = []
    for (number, plot) in page.plots.enumerated() {
      let file = "\(number + 1)-\(plot.kind).svg"
      try Output.write(to: "\(folder)/\(file)", on: console) { sink in
        sink(SVGPicture(plot, .light).bytes)
      }
      paths.append(PercentEncoding.path("\(name)/\(file)"))
    }
    return paths
  }
}
