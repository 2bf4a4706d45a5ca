import FrameTrace

/// An SVG document under construction: elements with attributes, paths with short numbers, and escaped text.
struct SVGText {
  private(set) var bytes: [UInt8] = []

  /// Adds markup unchanged.
  mutating func add(_ markup: String) { bytes.append(contentsOf: markup.utf8) }

  /// Adds a coordinate with at most two decimals, which is finer than any screen.
  mutating func add(_ coordinate: Double) {
    let hundredths = Int64((coordinate * 100).rounded())
    if hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    add("\(whole)")
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(rest / 10))
    if rest % 10 > 0 { bytes.append(UInt8(ascii: "0") + UInt8(rest % 10)) }
  }

  /// Adds a path command with its coordinates.
  mutating func add(_ command: String, _ coordinates: Double...) {
    add(command)
    for (position, coordinate) in coordinates.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: " ")) }
      add(coordinate)
    }
  }

  /// Adds a line of text, vertically centered.
  /// - Parameters:
  ///   - anchor: Whether `start`, `middle` or `end` of the text is at the point.
  ///   - attributes: Further attributes, each after a blank.
  mutating func text(
    _ text: String, at point: (x: Double, y: Double), _ anchor: String, color: String,
    _ attributes: String = ""
  ) {
    add("<text x=\"", point.x)
    add("\" y=\"", point.y)
    add("\" dy=\".35em\" text-anchor=\"\(anchor)\" fill=\"\(color)\"\(attributes)>")
    add("\(MarkupText.escape(PlotText.printable(text)))</text>\n")
  }
}
