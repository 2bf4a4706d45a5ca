import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

/// A figure of all runs of a program, which dashboards follow over time.
struct DashboardFigure {
  /// The program: the process, or else the name of the surface, or else the file as the user named it. Names that
  /// change from run to run, such as addresses of swap chains, are excluded.
  let program: String
  let metric: String
  /// The statistic of the metric, such as `p95`; `nil` for a metric that is a single figure.
  let statistic: String?
  let unit: MetricUnit
  let direction: MetricDirection
  /// The value of each run, in the metric's unit.
  private(set) var values: [Double]
  /// The total number of frames or inputs in the runs.
  private(set) var n: Int

  /// The name that histories use: `p95(frameTime)` or `droppedShare`.
  var name: String { statistic.map { "\($0)(\(metric))" } ?? metric }

  /// The median of the runs.
  var value: Double { RealQuantile.type7(values.sorted(), 0.5) }

  /// The lowest and the highest value of the runs; `nil` for one run.
  var range: ClosedRange<Double>? {
    guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
    return low...high
  }
}

extension DashboardFigure {
  /// The figures of the main surface of each analysis, in the order of the analyses, with the runs of a program
  /// combined. The figures are those on the first screen and the rates of drops, or the selected metrics. A figure that
  /// only some runs of a program have is omitted, because it would describe only the bad runs.
  static func all(_ analyses: [TraceAnalysis]) -> [DashboardFigure] {
    var figures: [DashboardFigure] = []
    var positions: [String: Int] = [:]
    var runs: [String: Int] = [:]
    for analysis in analyses {
      guard let surface = ShownSurfaces(analysis, .answer).whole.first else { continue }
      let names = [surface.process, surface.name].compactMap(\.self)
      let program = names.first { !$0.isEmpty } ?? analysis.trace.provenance.file
      runs[program, default: 0] += 1
      for figure in Self.figures(surface, of: analysis, program) {
        let key = "\(program)\n\(figure.name)"
        if let position = positions[key] {
          figures[position].values += figure.values
          figures[position].n += figure.n
        } else {
          positions[key] = figures.count
          figures.append(figure)
        }
      }
    }
    return figures.filter { $0.values.count == runs[$0.program] }
  }

  /// The statistics of a distribution that dashboards show.
  private static func statistics(n: Int) -> [String] {
    ["mean", "p50", "p95", "p99"].filter { HistoryValue.keeps($0, n: n) }
  }

  private static let rates = [
    "droppedShare", "hitchRatio", "missedRefreshShare", "intervalHitchRatio", "averageFrameRate",
    "displayedFrameRate", "onePercentLowAverage",
  ]

  private static func figures(
    _ surface: SurfaceAnalysis, of analysis: TraceAnalysis, _ program: String
  ) -> [DashboardFigure] {
    let metrics =
      analysis.isSelection
      ? surface.metrics
      : SurfaceHeadline(surface, of: analysis).focus.metrics(of: surface)
        + rates.compactMap { surface[$0] }
    return metrics.flatMap { metric -> [DashboardFigure] in
      let make = { (statistic: String?, value: Double, n: Int) in
        DashboardFigure(
          program: program, metric: metric.name, statistic: statistic, unit: metric.unit,
          direction: Metrics.direction(of: metric.name), values: [value], n: n)
      }
      switch metric.figures {
      case .unavailable: return []
      case .figure(let value, let n): return [make(nil, value, n)]
      case .summary(let summary):
        return statistics(n: summary.n).compactMap { name in
          summary[name].map { make(name, $0, summary.n) }
        }
      }
    }
  }
}
