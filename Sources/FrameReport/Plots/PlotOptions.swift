/// The options of a plot.
public struct PlotOptions: Sendable {
  /// The number of pixel columns; values in the same column are drawn as their range.
  public var columns = 1200
  /// The width of a character, in columns.
  public var characterWidth = 8.0
  /// The name of the metric; `nil` for the plot's default.
  public var metric: String?
  /// The names of sensors and counters to show below the plot.
  public var telemetry: [String] = []
  /// The row of the frame at the center; `nil` for the plot's default.
  public var frame: Int?

  /// The default options, for the complete trace.
  public init() {}

  /// The width of a text in units of an axis that spans the panel.
  func width(of text: String, on axis: ClosedRange<Double>) -> Double {
    share(of: text) * (axis.upperBound - axis.lowerBound)
  }

  /// How far an axis from 0 must extend so that a text fits after a bar of the given length.
  func end(of bar: Double, with text: String) -> Double {
    bar * 1.02 / max(0.3, 1 - share(of: text))
  }

  /// The share of a panel's width that a text takes.
  private func share(of text: String) -> Double {
    // The panel's width without the labels of the other axis.
    (Double(text.count) + 0.5) * characterWidth / (0.85 * Double(max(1, columns)))
  }
}

/// Why a plot cannot be drawn from the available data.
public struct PlotRefusal: Error, Hashable, Sendable {
  /// What is missing, in one line.
  public let message: String
  /// What to try; `nil` if nothing helps.
  public let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
