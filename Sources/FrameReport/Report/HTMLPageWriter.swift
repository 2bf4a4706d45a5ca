import FrameTrace

/// Writes a report as one HTML page that needs no other files and no network.
///
/// Plots are images inside the page, for light and dark screens, each with a text alternative. An interactive page has
/// a script that also draws its plots. The page's policy allows only its own style and script, so no name in a trace
/// can make it load or run anything.
package struct HTMLPageWriter: Sendable {
  /// A plot as SVG, for a light and for a dark screen.
  package struct Picture: Sendable {
    let light, dark: [UInt8]

    package init(light: [UInt8], dark: [UInt8]) {
      self.light = light
      self.dark = dark
    }
  }

  private let pictures: [Picture]
  /// The data to explore; `nil` for a page without a script.
  private let contents: PageContents?

  /// The kinds of plots that an interactive page draws itself; their images are only for print.
  private var explored: Set<String> {
    let ofComparison: Set<String> = contents?.comparison == nil ? [] : ["compare"]
    return ofComparison.union(
      contents?.surfaces.isEmpty == false ? ["frame-times", "pipeline"] : [])
  }

  /// - Parameters:
  ///   - pictures: One for each plot of the document.
  ///   - contents: The data to explore; `nil` for a page without a script.
  package init(_ pictures: [Picture], exploring contents: PageContents? = nil) {
    (self.pictures, self.contents) = (pictures, contents)
  }

  /// Draws the plots of a document.
  package init(drawing document: Document, exploring contents: PageContents? = nil) {
    self.init(
      document.plots.map { plot in
        Picture(light: SVGPicture(plot, .light).bytes, dark: SVGPicture(plot, .dark).bytes)
      }, exploring: contents)
  }

  package func write(_ document: Document) -> String {
    let title = MarkupText.escape(document.title)
    var lines = [
      "<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">",
      "<meta name=\"color-scheme\" content=\"light dark\">",
      "<link rel=\"icon\" href=\"data:,\">", "<title>\(title)</title>",
      "<style>\(PageScript.style)</style>", "</head>", "<body>",
      "<a class=\"skip\" href=\"#main\">Skip to the findings</a>",
      "<header><h1><bdi>\(title)</bdi></h1></header>",
    ]
    lines += contents(document)
    lines.append("<main id=\"main\">")
    var number = 0
    for block in document.blocks {
      if case .heading(_, let level, _) = block {
        if number > 0 { lines.append("</section>") }
        // Only the main sections are landmarks, because the names of landmarks must differ.
        lines.append(level == 2 ? "<section aria-labelledby=\"section-\(number)\">" : "<section>")
      }
      lines += self.lines(block, number, document)
      if case .heading = block { number += 1 }
    }
    if number > 0 { lines.append("</section>") }
    lines +=
      ["</main>", "<footer><p>Made by frametool.</p></footer>"] + script + ["</body>", "</html>"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What the page may load and run.
  private var policy: String {
    let images = contents == nil ? "data:" : "data: blob:"
    var code = contents == nil ? "" : "; script-src '\(PageScript.textHash)'"
    if contents?.isServed == true { code += "; connect-src 'self'" }
    return
      "default-src 'none'; img-src \(images); style-src '\(PageScript.styleHash)'\(code); base-uri 'none'; form-action 'none'"
  }

  /// The data to explore, and the script that shows it.
  private var script: [String] {
    guard let contents else { return [] }
    return [
      "<script type=\"application/json\" id=\"page-data\">\(contents.json(pictures: pictures))</script>",
      "<script>\(PageScript.text)</script>",
    ]
  }

  /// The element in which the script shows what can be explored.
  private func explorer(_ name: String, _ isThere: Bool) -> [String] {
    guard isThere else { return [] }
    return [
      "<div class=\"explorer\" id=\"\(name)\" hidden></div>",
      "<noscript><p class=\"unscripted\">Plots and the interactive view need JavaScript; <code>frametool report --static</code> writes a page without it.</p></noscript>",
    ]
  }

  private func contents(_ document: Document) -> [String] {
    var lines = ["<nav aria-label=\"Contents\">", "<ul>"]
    var number = 0
    for case .heading(let heading, let level, _) in document.blocks {
      if level == 2 {
        lines.append(
          "<li><a href=\"#section-\(number)\"><bdi>\(MarkupText.escape(heading))</bdi></a></li>")
      }
      number += 1
    }
    return lines + ["</ul>", "</nav>"]
  }

  private func lines(
    _ block: Document.Block, _ number: Int, _ document: Document
  ) -> [String] {
    switch block {
    case .title, .hint, .marker: return []
    case .heading(let heading, let level, let opening):
      let tag = "h\(level)"
      return [
        "<\(tag) id=\"section-\(number)\"><bdi>\(MarkupText.escape(heading))</bdi></\(tag)>"
      ] + lines(opening)
    case .facts(let facts): return lines(facts.table, "Facts")
    case .sentence(let sentence): return [paragraph(sentence.closed)]
    case .remarks(let remarks): return [paragraph(remarks.sentences)]
    case .lines(let lines): return lines.map(paragraph)
    case .points(let items), .list(let items), .notes(let items): return list(items)
    case .links(let links): return lines(links)
    case .warnings(let warnings): return list(warnings.map { "Warning: \($0)" })
    case .table(let table, let caption): return lines(table, caption.text)
    case .figure(let position): return lines(document.plots[position], position)
    case .explorer: return explorer("explore", contents.map { !$0.surfaces.isEmpty } ?? false)
    case .launchExplorer:
      return explorer("explore-launches", contents.map { !$0.launches.isEmpty } ?? false)
    case .comparisonExplorer: return explorer("explore-comparison", contents?.comparison != nil)
    }
  }

  private func lines(_ opening: Document.Opening) -> [String] {
    switch opening {
    case .itself, .words, .nothing: []
    case .sentence(let sentence): [paragraph(sentence.closed)]
    case .points(let points): list(points)
    }
  }

  private func paragraph(_ text: String) -> String { "<p>\(MarkupText.isolated(text))</p>" }

  private func lines(_ links: [Document.Link]) -> [String] {
    ["<ul>"]
      + links.map { link in
        let text = "<bdi>\(MarkupText.escape(link.text))</bdi>"
        let name = link.address.map { "<a href=\"\(MarkupText.escape($0))\">\(text)</a>" } ?? text
        return "<li>\(name): \(MarkupText.isolated(link.detail))</li>"
      } + ["</ul>"]
  }

  private func list(_ items: [String]) -> [String] {
    ["<ul>"] + items.map { "<li>\(MarkupText.isolated($0))</li>" } + ["</ul>"]
  }

  private func lines(_ plot: Plot, _ position: Int) -> [String] {
    let isPrinted = explored.contains(plot.kind)
    let words = MarkupText.escape(plot.description)
    let size = "width=\"1000\" height=\"\(Int((560 * plot.tallness).rounded()))\" alt=\"\(words)\""
    var image = ["<img src=\"data:,\" data-picture=\"\(position)\" \(size)>"]
    if contents == nil {
      let (light, dark) = (Self.link(pictures[position].light), Self.link(pictures[position].dark))
      image = [
        "<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"\(dark)\">",
        "<img src=\"\(light)\" \(size)>",
      ]
    }
    return ["<figure\(isPrinted ? " class=\"printed\"" : "")>", "<picture>"] + image + [
      "</picture>",
      "<figcaption><bdi>\(MarkupText.escape(plot.title))</bdi>. \(MarkupText.escape(plot.subtitle)).</figcaption>",
      "</figure>",
    ]
  }

  private static func link(_ picture: [UInt8]) -> String {
    "data:image/svg+xml;base64,\(Base64.text(picture))"
  }

  /// A table that scrolls separately, also by keyboard, if the table is wider than the screen.
  private func lines(_ table: TextTable, _ name: String) -> [String] {
    let name = MarkupText.escape(name)
    let cell = { (position: Int) in
      table.columns[position].alignment == .right ? " class=\"number\"" : ""
    }
    var lines = [
      "<div class=\"table\" role=\"group\" aria-label=\"\(name)\" tabindex=\"0\">", "<table>",
      "<caption>\(name)</caption>", "<thead><tr>",
    ]
    for (position, column) in table.columns.enumerated() {
      // A column without a heading contains a note on its row.
      let heading = column.heading.isEmpty ? "note" : column.heading
      lines.append("<th scope=\"col\"\(cell(position))>\(MarkupText.escape(heading))</th>")
    }
    lines += ["</tr></thead>", "<tbody>"]
    for row in table.rows {
      let cells = row.enumerated().map { position, text in
        let text = MarkupText.isolated(text)
        return position == 0
          ? "<th scope=\"row\"\(cell(position))>\(text)</th>" : "<td\(cell(position))>\(text)</td>"
      }
      lines.append("<tr>\(cells.joined())</tr>")
    }
    return lines + ["</tbody>", "</table>", "</div>"]
  }
}
