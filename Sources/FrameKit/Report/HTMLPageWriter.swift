/// Writes a report as one HTML page that needs nothing else: no network, no script.
///
/// Pictures are images inside the page, for a light and for a dark screen, each with what is to
/// be seen in words. The page forbids itself everything else, so that no name in a trace can make
/// it load or run anything.
public struct HTMLPageWriter: Sendable {
  /// A plot as SVG, for a light and for a dark screen.
  public struct Picture: Sendable {
    let light, dark: [UInt8]

    public init(light: [UInt8], dark: [UInt8]) {
      self.light = light
      self.dark = dark
    }
  }

  private let pictures: [Picture]

  /// - Parameter pictures: As many as the document has plots.
  public init(_ pictures: [Picture]) { self.pictures = pictures }

  public func write(_ document: Document) -> String {
    let title = MarkupText.escape(document.title)
    var lines = [
      "<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">",
      "<meta name=\"color-scheme\" content=\"light dark\">",
      "<link rel=\"icon\" href=\"data:,\">", "<title>\(title)</title>",
      "<style>", HTMLStyle.sheet, "</style>", "</head>", "<body>",
      "<a class=\"skip\" href=\"#main\">Skip to the findings</a>",
      "<header><h1><bdi>\(title)</bdi></h1></header>",
    ]
    lines += contents(document)
    lines.append("<main id=\"main\">")
    var number = 0
    for block in document.blocks {
      if case .heading = block {
        if number > 0 { lines.append("</section>") }
        lines.append("<section aria-labelledby=\"section-\(number)\">")
      }
      lines += self.lines(block, number, document)
      if case .heading = block { number += 1 }
    }
    if number > 0 { lines.append("</section>") }
    lines += ["</main>", "<footer><p>Made by frametool.</p></footer>", "</body>", "</html>"]
    return lines.joined(separator: "\n") + "\n"
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
    case .title, .hint: return []
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
    case .warnings(let warnings): return list(warnings.map { "Warning: \($0)" })
    case .table(let table, let caption): return lines(table, caption.text)
    case .figure(let place): return lines(document.plots[place], pictures[place])
    }
  }

  private func lines(_ opening: Document.Opening) -> [String] {
    switch opening {
    case .itself, .words, .nothing: []
    case .sentence(let sentence): [paragraph(sentence.closed)]
    case .points(let points): list(points)
    }
  }

  private func paragraph(_ text: String) -> String { "<p>\(MarkupText.escape(text))</p>" }

  private func list(_ items: [String]) -> [String] {
    ["<ul>"] + items.map { "<li>\(MarkupText.escape($0))</li>" } + ["</ul>"]
  }

  private func lines(_ plot: Plot, _ picture: Picture) -> [String] {
    let (light, dark) = (Self.link(picture.light), Self.link(picture.dark))
    return [
      "<figure>", "<picture>",
      "<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"\(dark)\">",
      "<img src=\"\(light)\" width=\"1000\" height=\"\(Int((560 * plot.tallness).rounded()))\" alt=\"\(MarkupText.escape(plot.description))\">",
      "</picture>",
      "<figcaption><bdi>\(MarkupText.escape(plot.title))</bdi>. \(MarkupText.escape(plot.subtitle)).</figcaption>",
      "</figure>",
    ]
  }

  private static func link(_ picture: [UInt8]) -> String {
    "data:image/svg+xml;base64,\(Base64.text(picture))"
  }

  /// A table that is scrolled by itself where it is wider than the screen, by keyboard too.
  private func lines(_ table: TextTable, _ name: String) -> [String] {
    let name = MarkupText.escape(name)
    let cell = { (place: Int) in
      table.columns[place].alignment == .right ? " class=\"number\"" : ""
    }
    var lines = [
      "<div class=\"table\" role=\"region\" aria-label=\"\(name)\" tabindex=\"0\">", "<table>",
      "<caption>\(name)</caption>", "<thead><tr>",
    ]
    for (place, column) in table.columns.enumerated() {
      // What has no heading is a note on its row.
      let heading = column.heading.isEmpty ? "note" : column.heading
      lines.append("<th scope=\"col\"\(cell(place))>\(MarkupText.escape(heading))</th>")
    }
    lines += ["</tr></thead>", "<tbody>"]
    for row in table.rows {
      let cells = row.enumerated().map { place, text in
        let text = MarkupText.escape(text)
        return place == 0
          ? "<th scope=\"row\"\(cell(place))>\(text)</th>" : "<td\(cell(place))>\(text)</td>"
      }
      lines.append("<tr>\(cells.joined())</tr>")
    }
    return lines + ["</tbody>", "</table>", "</div>"]
  }
}

/// Bytes as text of 64 characters (RFC 4648).
private enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for place in 0..<4 {
        let index = Int(word >> (18 - 6 * UInt32(place)) & 0x3f)
        text.append(place <= group.count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
