/// Writes a report as Markdown, its pictures as links to files beside it.
public struct MarkdownPageWriter: Sendable {
  /// The path of each picture, as the page names it; `nil` to leave pictures out.
  let pictures: [String]?

  public init(pictures: [String]?) { self.pictures = pictures }

  public func write(_ page: ReportPage) -> String {
    var lines = ["# \(text(page.title))"]
    for section in page.sections {
      let marks = String(repeating: "#", count: section.level)
      lines += ["", "\(marks) \(text(section.heading))"]
      for block in section.blocks { lines += [""] + self.lines(block, page) }
    }
    return PrintableText.lines(lines.joined(separator: "\n") + "\n")
  }

  private func lines(_ block: ReportPage.Block, _ page: ReportPage) -> [String] {
    switch block {
    case .paragraph(let words): return [text(words)]
    case .list(let items): return items.map { "- \(text($0))" }
    case .table(let name, let table): return ["**\(text(name))**", ""] + table.markdown()
    case .figure(let place):
      let plot = page.plots[place]
      guard let pictures else { return ["*\(text(plot.title))*: \(text(plot.description))"] }
      return ["![\(text(plot.description))](\(pictures[place]))"]
    }
  }

  /// Text on one line that Markdown shows as it is.
  private func text(_ text: String) -> String {
    MarkdownText.escape(String(text.map { $0.isNewline ? " " : $0 }))
  }
}
