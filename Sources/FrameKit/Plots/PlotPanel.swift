/// One pair of axes with what is drawn between them.
public struct PlotPanel: Sendable {
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
