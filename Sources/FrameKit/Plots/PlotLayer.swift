/// What is drawn in one go between the axes of a panel: one shape, one role, many places.
public struct PlotLayer: Sendable {
  /// What is drawn at each row, and what the row's numbers are.
  public enum Shape: String, Sendable, CaseIterable {
    /// A line through places.
    case line
    /// A line that keeps its height until the next place.
    case steps
    /// A mark at each place.
    case points
    /// A filled box from one x to another and from one y to another.
    case boxes
    /// A line from one place to another.
    case segments
    /// An arrow from one place to another.
    case arrows
    /// A mark at an x with a whisker from one x to another.
    case ranges

    /// What the numbers of a row are.
    public var columns: [String] {
      switch self {
      case .line, .steps, .points: ["x", "y"]
      case .boxes: ["x_low", "x_high", "y_low", "y_high"]
      case .segments, .arrows: ["x_from", "y_from", "x_to", "y_to"]
      case .ranges: ["x", "y", "x_low", "x_high"]
      }
    }
  }

  /// How much a layer stands out.
  public enum Emphasis: String, Sendable { case faint, normal, strong }

  public let shape: Shape
  /// What it is, for the legend; `nil` to leave it out there.
  public let name: String?
  public let colour: PlotColour
  public var emphasis = Emphasis.normal
  /// Whether a filled shape is hatched, or a line broken, to be told apart without colours.
  public var isBroken = false
  /// The rows, one number for each of the shape's columns.
  public private(set) var rows: [[Double]]
  /// How many places the data had before those that cannot be told apart were left out; `nil`
  /// when all are here.
  public var count: Int?

  init(_ shape: Shape, _ name: String?, _ colour: PlotColour, _ rows: [[Double]]) {
    self.shape = shape
    self.name = name
    self.colour = colour
    // What is no number has no place.
    self.rows = rows.filter { row in row.allSatisfy(\.isFinite) }
  }

  /// The same, with less or more weight.
  func with(_ emphasis: Emphasis, isBroken: Bool = false) -> PlotLayer {
    var layer = self
    layer.emphasis = emphasis
    layer.isBroken = isBroken
    return layer
  }

  /// The same, drawn from so many places.
  func with(count: Int) -> PlotLayer {
    var layer = self
    layer.count = count
    return layer
  }
}

extension PlotLayer {
  /// A line across the panel at a height.
  static func level(
    _ name: String?, _ colour: PlotColour, at y: Double, _ x: ClosedRange<Double>
  ) -> PlotLayer {
    PlotLayer(.segments, name, colour, [[x.lowerBound, y, x.upperBound, y]])
      .with(.normal, isBroken: true)
  }

  /// Lines from the bottom to the top of a panel.
  static func verticals(
    _ name: String?, _ colour: PlotColour, at xs: [Double], _ y: ClosedRange<Double>
  ) -> PlotLayer {
    PlotLayer(.segments, name, colour, xs.map { [$0, y.lowerBound, $0, y.upperBound] })
  }
}
