/// The dialects there are.
public enum Dialects {
  public static let all: [MetricDialect] = [
    .presentMon, .capFrameX, .capFrameXLinux, .mangoHud, .mangoPlot, .ocatOverlay, .ocatFile,
    .frameTimeAnalysis, .flutter, .afterburner,
  ]

  /// The dialect of that name; `nil` when there is none.
  public static func named(_ name: String) -> MetricDialect? { all.first { $0.name == name } }

  /// All figures of other tools that stand for one of our metrics.
  public static func figures(for metric: String) -> [(
    dialect: MetricDialect, figure: MetricDialect.Figure
  )] {
    all.flatMap { dialect in
      dialect.figures.filter { $0.counterpart == metric }.map { (dialect, $0) }
    }
  }

  /// Our metrics that other tools have figures for.
  public static var counterparts: [String] {
    Metrics.entries.map(\.name).filter { !figures(for: $0).isEmpty }
  }
}
