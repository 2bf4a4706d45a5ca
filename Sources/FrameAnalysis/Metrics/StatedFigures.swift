import FrameStatistics
package import FrameTrace

/// The figures that a source itself states for one metric, one or more for each run of a scene.
package struct StatedFigures: Sendable {
  /// The scene that was run; `nil` where the source does not say.
  package let scene: String?
  package let metric, unit: String
  /// The source's name for the metric; `nil` where it has none.
  package let label: String?
  /// The values of each run, in order; at least one, and more where a run has several samples.
  package private(set) var runs: [[Double]]
  /// Whether values may be larger, because they are in a bin without an upper bound.
  package private(set) var isLowerBound = false

  /// All values of all runs.
  package var values: [Double] { runs.flatMap { $0 } }

  /// The stated figures of a trace, in the order of the trace.
  package static func all(_ trace: Trace) -> [StatedFigures] {
    var all: [StatedFigures] = []
    var positions: [[String?]: Int] = [:]
    var runs: [Int: [Int64: Int]] = [:]
    let figures = trace.figures
    for row in 0..<figures.count {
      guard let metric = figures.text(row, .metric), let unit = figures.text(row, .unit),
        let value = figures.real(row, .value), value.isFinite
      else { continue }
      let scene = figures.text(row, .scene)
      let position = positions[[scene, metric, unit]] ?? all.count
      if position == all.count {
        positions[[scene, metric, unit]] = position
        all.append(
          StatedFigures(
            scene: scene, metric: metric, unit: unit, label: figures.text(row, .label), runs: []))
      }
      if figures[row, .atLeast] == 1 { all[position].isLowerBound = true }
      let number = figures[row, .run] ?? 0
      if let run = runs[position]?[number] {
        all[position].runs[run].append(value)
      } else {
        runs[position, default: [:]][number] = all[position].runs.count
        all[position].runs.append([value])
      }
    }
    return all
  }

  /// The stated figures of a trace, and the interaction to next paint of its pages where the source does not state it.
  package static func all(of analysis: TraceAnalysis) -> [StatedFigures] {
    let stated = all(analysis.trace)
    let metric = StatedMetric.interactionToNextPaint
    guard !stated.contains(where: { $0.metric == metric.rawValue }),
      let time = analysis.interactions.interactionToNextPaint
    else { return stated }
    let computed = StatedFigures(
      scene: nil, metric: metric.rawValue, unit: metric.unit, label: "computed",
      runs: [[time.milliseconds]])
    return stated + [computed]
  }

  /// A statistic by its name in summaries; `nil` for an unknown name.
  package func statistic(_ name: String) -> Double? {
    let sorted = values.sorted()
    switch name {
    case "min": return sorted.first
    case "max": return sorted.last
    case "mean": return sorted.reduce(0, +) / Double(sorted.count)
    case "p50": return RealQuantile.type7(sorted, 0.5)
    case "p90": return RealQuantile.type7(sorted, 0.9)
    case "p95": return RealQuantile.type7(sorted, 0.95)
    case "p99": return RealQuantile.type7(sorted, 0.99)
    default: return nil
    }
  }
}
