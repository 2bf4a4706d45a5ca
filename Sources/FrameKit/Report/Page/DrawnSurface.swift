/// The plots of a surface, and why others cannot be drawn of it.
public struct DrawnSurface: Sendable {
  public let plots: [Plot]
  /// The kinds that were not drawn, each with the reason.
  public let refused: [(kind: String, why: String)]

  /// The kinds that a report shows of a surface, the most telling first.
  static let kinds: [PlotKind] = [
    .frameTimes, .pipeline, .occupancy, .drops, .frameTimeHistogram, .frameTimeDistribution,
    .latency, .latencyWaterfall, .jitter,
  ]

  init(_ trace: PlottedTrace, surface: Int, _ options: PlotOptions) {
    var plots: [Plot] = []
    var refused: [(kind: String, why: String)] = []
    let id = trace.trace.surfaces[surface].id
    for kind in Self.kinds {
      do throws(PlotRefusal) {
        plots.append(try kind.draw([trace], options) { $0.id == id })
      } catch {
        refused.append((kind.name, error.message))
      }
    }
    self.plots = plots
    self.refused = refused
  }
}
