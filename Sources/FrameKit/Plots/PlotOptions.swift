/// What a user chooses about a plot.
public struct PlotOptions: Sendable {
  /// How many columns of pixels there are: values that fall into the same one are drawn as
  /// their range.
  public var columns = 1200
  /// The metric that is shown, by name; `nil` for the kind's own.
  public var metric: String?
  /// The frame in the middle, by its row; `nil` for the kind's own choice.
  public var frame: Int?
  /// What is measured, and how.
  public var analysis = AnalysisOptions()

  public init() {}
}

/// Why a plot cannot be drawn of what there is.
public struct PlotRefusal: Error, Hashable, Sendable {
  public let message: String
  public let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
