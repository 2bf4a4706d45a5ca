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

  /// Each figure of other tools for a metric, of the frame times of a trace's largest surface.
  public static func explain(
    _ metric: String, of trace: Trace
  ) -> [(
    dialect: String, name: String, value: Double?, unit: String, formula: String, because: String
  )] {
    let largest = trace.surfaces.indices.max {
      trace.surfaces[$0].frames.count < trace.surfaces[$1].frames.count
    }
    guard let largest else { return [] }
    let measured = MeasuredSurface(Pipeline(reconstructing: trace, .outcomes), index: largest)
    guard case .sample(let sample) = FrameMetric.frameTime.measure(measured).content else {
      return []
    }
    let times = DialectTimes(sample)
    return figures(for: metric).map { dialect, figure in
      (
        dialect.name, figure.name, times.count > 0 ? figure.value(times) : nil, figure.unit,
        figure.formula, figure.because
      )
    }
  }
}
