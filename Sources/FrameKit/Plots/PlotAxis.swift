/// An axis: what its numbers are and which of them are in the picture.
public struct PlotAxis: Sendable {
  /// What the numbers are, with their unit.
  public let label: String
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
