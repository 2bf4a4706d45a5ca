/// What a report shows of a trace: its figures and its plots.
public struct ReportedTrace: Sendable {
  public let analysis: TraceAnalysis
  /// The plots of each surface, in the order of the analysis; `nil` for those that are not among
  /// the largest.
  public let surfaces: [DrawnSurface?]
  /// The plot of its launches; `nil` when it has none that can be drawn.
  public let launches: Plot?

  /// How many surfaces of a trace have pictures.
  static let mostDrawn = 20

  /// Measures and draws a trace.
  /// - Parameter isWanted: Which surfaces are measured and drawn.
  public init(
    _ trace: Trace, _ options: AnalysisOptions = .init(),
    where isWanted: (Surface) -> Bool = { _ in true }
  ) {
    analysis = TraceAnalysis(of: trace, .all, options, where: isWanted)
    var plotOptions = PlotOptions()
    plotOptions.analysis = options
    let plotted = PlottedTrace(trace)
    let largest = Set(
      analysis.surfaces.sorted { ($1.outcomes.count, $0.index) < ($0.outcomes.count, $1.index) }
        .prefix(Self.mostDrawn).map(\.index))
    surfaces = analysis.surfaces.map { surface in
      largest.contains(surface.index)
        ? DrawnSurface(plotted, surface: surface.index, plotOptions) : nil
    }
    launches =
      trace.launches.count > 0 ? try? PlotKind.launch.draw([plotted], plotOptions) : nil
  }
}

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
