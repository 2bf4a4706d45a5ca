import FrameTrace

/// A plot before it is drawn: what is shown, where, and in what role.
///
/// A plot has neither pixels nor colors. The drawing code gives all plots the same look.
public struct Plot: Sendable {
  /// The kind's name, as on the command line.
  public let kind: String
  /// The title. The title may contain names of processes and files, so it is arbitrary text.
  public var title: String
  /// The number of values, and other facts needed to read the plot.
  public var subtitle: String
  /// A text description of the plot, for readers who cannot see it.
  public var description: String
  /// The panels from top to bottom, with their x axes aligned.
  public var panels: [PlotPanel]
  /// The factor on the default height, used if no size is given.
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

/// A pair of axes with the layers drawn between them.
public struct PlotPanel: Sendable {
  /// The axes of the panel.
  public var x, y: PlotAxis
  /// The layers, drawn from bottom to top.
  public var layers: [PlotLayer]
  /// Text labels inside the panel.
  public var labels: [PlotLabel] = []
  /// The panel's relative height.
  public var height = 1.0
  /// Whether a legend lists the layers' names.
  public var hasLegend = true

  init(x: PlotAxis, y: PlotAxis, layers: [PlotLayer]) {
    self.x = x
    self.y = y
    self.layers = layers
  }
}

/// A text label at a point of a panel.
public struct PlotLabel: Sendable {
  /// The alignment of a label relative to its point.
  public enum Alignment: String, Sendable { case left, center, right }

  /// The label's position, in the units of the axes.
  public let x, y: Double
  /// The label's text.
  public let text: String
  /// The label's alignment relative to the point.
  public var alignment = Alignment.center
  /// The role that determines the label's color.
  public var color = PlotColor.text
}

/// An axis with its label and its visible range.
public struct PlotAxis: Sendable {
  /// The axis label, with the unit.
  public let label: String
  /// The visible range of the axis.
  public let range: ClosedRange<Double>
  /// A tick mark with a text.
  public struct Tick: Hashable, Sendable {
    /// The tick's position on the axis.
    public let position: Double
    /// The text next to the tick.
    public let text: String
  }

  /// Tick marks with text instead of numbers; `nil` for numbers.
  public var ticks: [Tick]?
  /// Whether the axis is reversed: growing downward, or to the left.
  public var isReversed = false
  /// Whether grid lines are drawn at the ticks.
  public var hasGrid = true

  init(_ label: String, _ range: ClosedRange<Double>) {
    self.label = label
    self.range = range
  }

  /// An axis of named categories at equal distances.
  init(_ label: String, naming names: [String]) {
    self.init(label, -0.6...max(0.4, Double(names.count) - 0.4))
    ticks = names.enumerated().map { Tick(position: Double($0), text: $1) }
    hasGrid = false
  }
}

extension PlotAxis {
  /// An axis for counts from 0, with ticks only at whole numbers.
  static func counting(_ label: String, to most: Double) -> PlotAxis {
    var axis = PlotAxis(label, 0...(most * 1.06 + 0.1))
    let step = max(1, ValueBins.round(most / 8))
    axis.ticks = stride(from: 0, through: most, by: step).map {
      Tick(position: $0, text: FixedNumber.text($0, decimals: 0))
    }
    return axis
  }

  /// An axis with some margin around the values, which starts at 0 unless a value is negative.
  static func fromZero(_ label: String, to high: Double, low: Double = 0) -> PlotAxis {
    let top = max(high, 0)
    let bottom = min(low, 0)
    let room = top > bottom ? (top - bottom) * 0.06 : 1
    return PlotAxis(label, (bottom < 0 ? bottom - room : 0)...(top + room))
  }
}

/// A layer of a panel: many rows drawn with one shape and in one role.
public struct PlotLayer: Sendable {
  /// The shape drawn for each row, which determines the meaning of the row's numbers.
  public enum Shape: String, Sendable, CaseIterable {
    /// A line through points.
    case line
    /// A line that keeps its height until the next point.
    case steps
    /// A mark at each point.
    case points
    /// A filled box between two x values and two y values.
    case boxes
    /// A line from one point to another.
    case segments
    /// An arrow from one point to another.
    case arrows
    /// A mark with a horizontal whisker between two x values.
    case ranges

    /// The meaning of the numbers in a row.
    public var columns: [String] {
      switch self {
      case .line, .steps, .points: ["x", "y"]
      case .boxes: ["x_low", "x_high", "y_low", "y_high"]
      case .segments, .arrows: ["x_from", "y_from", "x_to", "y_to"]
      case .ranges: ["x", "y", "x_low", "x_high"]
      }
    }
  }

  /// How prominent a layer is.
  public enum Emphasis: String, Sendable { case faint, normal, strong }

  /// The shape of the layer.
  public let shape: Shape
  /// The name in the legend; `nil` to omit it there.
  public let name: String?
  /// The role that determines the layer's color.
  public let color: PlotColor
  /// How prominent the layer is.
  public var emphasis = Emphasis.normal
  /// Whether fills are hatched and lines dashed, so that they are distinguishable without color.
  public var isBroken = false
  /// The rows, one number for each of the shape's columns.
  public private(set) var rows: [[Double]]
  /// The number of points before indistinguishable ones were removed; `nil` if none were removed.
  public var count: Int?

  init(_ shape: Shape, _ name: String?, _ color: PlotColor, _ rows: [[Double]]) {
    self.shape = shape
    self.name = name
    self.color = color
    // Points with non-finite values cannot be drawn.
    self.rows = rows.filter { row in row.allSatisfy(\.isFinite) }
  }

  /// The same layer with a different emphasis.
  func with(_ emphasis: Emphasis, isBroken: Bool = false) -> PlotLayer {
    var layer = self
    layer.emphasis = emphasis
    layer.isBroken = isBroken
    return layer
  }

  /// The same layer with the original number of points.
  func with(count: Int) -> PlotLayer {
    var layer = self
    layer.count = count
    return layer
  }
}

extension PlotLayer {
  /// A horizontal line across the panel.
  static func level(
    _ name: String?, _ color: PlotColor, at y: Double, _ x: ClosedRange<Double>
  ) -> PlotLayer {
    PlotLayer(.segments, name, color, [[x.lowerBound, y, x.upperBound, y]])
      .with(.normal, isBroken: true)
  }

  /// Vertical lines from the bottom to the top of a panel.
  static func verticals(
    _ name: String?, _ color: PlotColor, at xs: [Double], _ y: ClosedRange<Double>
  ) -> PlotLayer {
    PlotLayer(.segments, name, color, xs.map { [$0, y.lowerBound, $0, y.upperBound] })
  }
}
