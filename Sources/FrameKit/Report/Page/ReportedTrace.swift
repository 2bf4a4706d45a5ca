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
