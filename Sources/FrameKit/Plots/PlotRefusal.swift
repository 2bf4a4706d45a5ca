/// Why a plot cannot be drawn of what there is.
public struct PlotRefusal: Error, Hashable, Sendable {
  public let message: String
  public let help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
