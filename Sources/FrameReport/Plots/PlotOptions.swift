/// What a user chooses about a plot.
public struct PlotOptions: Sendable {
  /// How many columns of pixels there are: values that fall into the same one are drawn as
  /// their range.
  public var columns = 1200
  /// How many of them a character takes.
  public var characterWidth = 8.0
  /// The metric that is shown, by name; `nil` for the kind's own.
  public var metric: String?
  /// The frame in the middle, by its row; `nil` for the kind's own choice.
  public var frame: Int?

  /// The whole trace, as usual.
  public init() {}

  /// How many units of an axis a text takes whose two ends are the panel's.
  func width(of text: String, on axis: ClosedRange<Double>) -> Double {
    share(of: text) * (axis.upperBound - axis.lowerBound)
  }

  /// How far an axis from 0 has to reach so that a text has room after a bar of a length.
  func end(of bar: Double, with text: String) -> Double {
    bar * 1.02 / max(0.3, 1 - share(of: text))
  }

  /// The share of a panel's width that a text takes.
  private func share(of text: String) -> Double {
    // What is left of the width beside the names of the other axis.
    (Double(text.count) + 0.5) * characterWidth / (0.85 * Double(max(1, columns)))
  }
}

/// Why a plot cannot be drawn of what there is.
public struct PlotRefusal: Error, Hashable, Sendable {
  /// What is missing, in one line.
  public let message: String
  /// What to try; `nil` where nothing helps.
  public let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
