import FrameTrace

/// A picture of facts, before anything draws it: what is shown, where, and in what role.
///
/// A plot knows neither pixels nor colors. Whatever draws it gives all plots the same look.
public struct Plot: Sendable {
  /// The kind's name, as on the command line.
  public let kind: String
  /// What is shown, of what. May hold names of processes and files, so it is any text.
  public var title: String
  /// How many values there are, and what else has to be known to read it.
  public var subtitle: String
  /// What is to be seen, in words, for those who do not see it.
  public var description: String
  /// The panels from the top down, their x axes below one another.
  public var panels: [PlotPanel]
  /// How much taller it is drawn than others, if no size is given.
  public var tallness = 1.0

  init(
    _ kind: String, title: String, subtitle: String, description: String, panels: [PlotPanel]
  ) {
    self.kind = kind
    self.title = title
    self.subtitle = subtitle
    self.description = description
    self.panels = panels
  }
}

/// One pair of axes with what is drawn between them.
public struct PlotPanel: Sendable {
  /// The axes of the panel.
  public var x, y: PlotAxis
  /// What is drawn, the first at the bottom.
  public var layers: [PlotLayer]
  /// Texts at places of the panel.
  public var labels: [PlotLabel] = []
  /// Its share of the height, beside the other panels' shares.
  public var height = 1.0
  /// Whether the names of the layers are listed.
  public var hasLegend = true

  init(x: PlotAxis, y: PlotAxis, layers: [PlotLayer]) {
    self.x = x
    self.y = y
    self.layers = layers
  }
}

/// A text at a place of a panel.
public struct PlotLabel: Sendable {
  /// Which side of its point a label is on.
  public enum Alignment: String, Sendable { case left, center, right }

  /// Where it stands, in the units of the axes.
  public let x, y: Double
  /// What it says.
  public let text: String
  /// Which side of the point it is on.
  public var alignment = Alignment.center
  /// The role that its color stands for.
  public var color = PlotColor.text
}

/// An axis: what its numbers are and which of them are in the picture.
public struct PlotAxis: Sendable {
  /// What the numbers are, with their unit.
  public let label: String
  /// From where to where the axis goes.
  public let range: ClosedRange<Double>
  /// Marks with a text of their own in place of numbers; `nil` for numbers.
  public var ticks: [(place: Double, text: String)]?
  /// Whether it grows upwards or to the right, as is usual.
  public var isReversed = false
  /// Whether lines across the panel go with the marks.
  public var hasGrid = true

  init(_ label: String, _ range: ClosedRange<Double>) {
    self.label = label
    self.range = range
  }

  /// An axis of things that have names, each one apart from the next.
  init(_ label: String, naming names: [String]) {
    self.init(label, -0.6...max(0.4, Double(names.count) - 0.4))
    ticks = names.enumerated().map { (Double($0), $1) }
    hasGrid = false
  }
}

extension PlotAxis {
  /// An axis of counts from 0, with marks at whole numbers only.
  static func counting(_ label: String, to most: Double) -> PlotAxis {
    var axis = PlotAxis(label, 0...(most * 1.06 + 0.1))
    let step = max(1, ValueBins.round(most / 8))
    axis.ticks = stride(from: 0, through: most, by: step).map {
      ($0, FixedNumber.text($0, decimals: 0))
    }
    return axis
  }

  /// A range around values with some room, which starts at 0 unless a value is below it.
  static func fromZero(_ label: String, to high: Double, low: Double = 0) -> PlotAxis {
    let top = max(high, 0)
    let bottom = min(low, 0)
    let room = top > bottom ? (top - bottom) * 0.06 : 1
    return PlotAxis(label, (bottom < 0 ? bottom - room : 0)...(top + room))
  }
}

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

  /// How values are drawn.
  public let shape: Shape
  /// What it is, for the legend; `nil` to leave it out there.
  public let name: String?
  /// The role that the color stands for.
  public let color: PlotColor
  /// Whether it stands out or stays back.
  public var emphasis = Emphasis.normal
  /// Whether a filled shape is hatched, or a line broken, to be distinguishable without color.
  public var isBroken = false
  /// The rows, one number for each of the shape's columns.
  public private(set) var rows: [[Double]]
  /// How many places the data had before those that cannot be told apart were left out; `nil`
  /// when all are here.
  public var count: Int?

  init(_ shape: Shape, _ name: String?, _ color: PlotColor, _ rows: [[Double]]) {
    self.shape = shape
    self.name = name
    self.color = color
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
    _ name: String?, _ color: PlotColor, at y: Double, _ x: ClosedRange<Double>
  ) -> PlotLayer {
    PlotLayer(.segments, name, color, [[x.lowerBound, y, x.upperBound, y]])
      .with(.normal, isBroken: true)
  }

  /// Lines from the bottom to the top of a panel.
  static func verticals(
    _ name: String?, _ color: PlotColor, at xs: [Double], _ y: ClosedRange<Double>
  ) -> PlotLayer {
    PlotLayer(.segments, name, color, xs.map { [$0, y.lowerBound, $0, y.upperBound] })
  }
}
