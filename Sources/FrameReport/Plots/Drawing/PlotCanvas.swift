/// The output on which a plot is drawn.
public struct PlotCanvas: Sendable {
  /// The format of the picture.
  public enum Format: String, Sendable, CaseIterable {
    case svg, png, pdf
    /// Text characters for a terminal.
    case characters
    /// Sixel graphics for a terminal.
    case sixel
  }

  /// The brightness of the background.
  public enum Theme: String, Sendable, CaseIterable { case light, dark }

  /// The format of the picture.
  public let format: Format
  /// The picture's background.
  public let theme: Theme
  /// The width, in pixels or in characters.
  public let width: Int
  /// The height, in pixels or in characters.
  public private(set) var height: Int
  /// Whether the default size is used.
  private let isUsual: Bool

  /// - Parameter size: The width and the height; `nil` for the format's default.
  package init(_ format: Format, theme: Theme = .light, size: (width: Int, height: Int)? = nil) {
    self.format = format
    self.theme = theme
    let usual = format == .characters ? (79, 32) : (1000, 560)
    (width, height) = size ?? usual
    isUsual = size == nil
  }

  /// The same canvas, with the height that a plot needs if no size was given.
  func fitting(_ plot: Plot) -> PlotCanvas {
    var canvas = self
    if isUsual { canvas.height = Int((Double(height) * plot.tallness).rounded()) }
    return canvas
  }

  /// The number of columns in which values can be distinguished.
  public var columns: Int { width }

  /// The width of a character, in columns.
  public var characterWidth: Double { format == .characters ? 1 : 8 * scale }

  /// The scale of text and lines relative to a picture of the default size.
  var scale: Double {
    if format == .characters { return 1 }
    let scale = min(Double(width) / 1000, Double(height) / 450)
    return min(max((scale * 10).rounded() / 10, 0.7), 8)
  }

  /// The allowed sizes of a picture.
  public static func possibleSizes(_ format: Format) -> (
    width: ClosedRange<Int>, height: ClosedRange<Int>
  ) {
    format == .characters ? (40...400, 16...200) : (200...8000, 150...8000)
  }

  /// Whether the bytes are a complete picture, judged by their beginning and end.
  public func isWhole(_ picture: [UInt8]) -> Bool {
    let (first, last) = ends
    var rest = picture[...]
    while let byte = rest.last, [0x0a, 0x0d, 0x20].contains(byte) { rest.removeLast() }
    return !rest.isEmpty && picture.starts(with: first)
      && rest.suffix(last.count).elementsEqual(last)
  }

  /// A picture without its creation date, so that the same input gives the same bytes: the date in
  /// a PDF is replaced by 1970-01-01.
  public func withoutDate(_ picture: [UInt8]) -> [UInt8] {
    guard format == .pdf else { return picture }
    let key = Array("/CreationDate (D:".utf8)
    let date = Array("19700101000000".utf8)
    guard let position = picture.firstRange(of: key)?.upperBound,
      position + date.count <= picture.count
    else { return picture }
    var picture = picture
    picture.replaceSubrange(position..<position + date.count, with: date)
    return picture
  }

  /// The first and last bytes of a picture.
  private var ends: (first: [UInt8], last: [UInt8]) {
    switch format {
    case .svg: (Array("<?xml".utf8), Array("</svg>".utf8))
    case .png: ([0x89, 0x50, 0x4e, 0x47], [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
    case .pdf: (Array("%PDF".utf8), Array("%%EOF".utf8))
    case .sixel: ([0x1b, 0x50], [0x1b, 0x5c])
    case .characters: ([], [])
    }
  }
}
