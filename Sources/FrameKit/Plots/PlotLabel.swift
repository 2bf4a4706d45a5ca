/// A text at a place of a panel.
public struct PlotLabel: Sendable {
  public enum Alignment: String, Sendable { case left, center, right }

  public let x, y: Double
  public let text: String
  public var alignment = Alignment.center
  public var colour = PlotColour.text
}
