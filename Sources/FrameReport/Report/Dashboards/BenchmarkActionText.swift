import FrameAnalysis
import FrameTrace

/// Figures for `github-action-benchmark`, tool `customSmallerIsBetter`: a list of figures for which lower is better;
/// see the README of benchmark-action/github-action-benchmark.
enum BenchmarkActionText {
  /// Metrics that may be below 0: the action compares ratios, which have no meaning for such metrics.
  private static let signed: Set = ["frameOverrun", "gpuLatency", "renderLatency"]

  static func write(_ figures: [DashboardFigure]) -> String {
    var json = JSONWriter(indented: true)
    json.array { json in
      for figure in figures
      where figure.direction == .lowerIsBetter && !signed.contains(figure.metric) {
        json.object { json in
          json.member("name", "\(figure.program): \(figure.name)")
          json.member("unit", figure.unit.rawValue)
          json.member("value", RoundedNumber.of(figure.value))
          if let range = figure.range {
            let ends = [range.lowerBound, range.upperBound].map { "\(RoundedNumber.of($0))" }
            json.member("range", "\(ends[0]) to \(ends[1])")
          }
          json.member("extra", "n \(figure.n), runs \(figure.values.count)")
        }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
