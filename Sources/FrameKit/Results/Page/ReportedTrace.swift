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
  public init(_ study: Study) {
    analysis = TraceAnalysis(of: study)
    let drawn = Set(study.largest.prefix(Self.mostDrawn))
    surfaces = study.surfaces.map { drawn.contains($0) ? DrawnSurface(study, surface: $0) : nil }
    launches = study.launches.isEmpty ? nil : try? TracePlot.launch.draw([study])
  }
}
