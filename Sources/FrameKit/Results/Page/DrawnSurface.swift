/// The plots of a surface, and why others cannot be drawn of it.
public struct DrawnSurface: Sendable {
  public let plots: [Plot]
  /// The kinds that were not drawn, each with the reason.
  public let refused: [(kind: String, why: String)]

  /// The kinds that a report shows of a surface, the most telling first.
  static let kinds: [TracePlot] = [
    .frameTimes, .pipeline, .occupancy, .drops, .frameTimeHistogram, .frameTimeDistribution,
    .latency, .latencyWaterfall, .jitter,
  ]

  /// - Parameter surface: Its place in the trace's list.
  init(_ study: Study, surface: Int) {
    var plots: [Plot] = []
    var refused: [(kind: String, why: String)] = []
    let plotted = PlottedSurface(study, surface: surface)
    for kind in Self.kinds {
      do throws(PlotRefusal) {
        guard let plotted else {
          throw PlotRefusal("\(study.trace.provenance.file): there are no frames to draw")
        }
        plots.append(try kind.draw([plotted], PlotOptions()))
      } catch {
        refused.append((kind.name, error.message))
      }
    }
    self.plots = plots
    self.refused = refused
  }
}
