package import FrameAnalysis
import FrameStatistics
import FrameTrace

/// A figure that the source of a run reports.
package struct ReportedFigure: Hashable, Sendable {
  /// The scene that was run; `nil` where the source does not name it.
  let scene: String?
  let value: HistoryValue

  /// The figure's name, including the scene if there are several.
  func name(withScene: Bool) -> String {
    guard withScene, let scene else { return value.metric }
    return "\(value.metric) of \(scene)"
  }
}

extension RunSummary {
  /// The runs of a trace without frames whose source reports figures for each run, such as the iterations of a
  /// benchmark.
  /// - Returns: `nil` for any other trace, or if the source does not report the chosen metric.
  package static func reported(_ study: Study, _ figures: ComparedFigures) -> [RunSummary]? {
    let trace = study.trace
    guard trace.frameCount == 0, figures.isMetricChosen || trace.launches.count == 0,
      RunTimes.counted(study, figures) == nil
    else { return nil }
    let scenes = HistoryResult.stated(trace.figures, trace.bins.histograms, isField: false)
    let count = scenes.map { max($0.runs.count, 1) }.max() ?? 0
    let names = scenes.compactMap(\.scene)
    let times = RunTimes(
      file: trace.provenance.file, process: nil,
      surface: names.isEmpty ? trace.provenance.format : names.joined(separator: ", "),
      metric: "reported figures", definition: "figures as the source reports them",
      setup: RunTimes.setup(trace), losses: RunTimes.losses(trace, leftOut: 0))
    let runs = (0..<count).map { run -> RunSummary in
      var summary = times.summary
      summary.reported = scenes.flatMap { scene in
        let values = run < scene.runs.count ? scene.runs[run] : []
        let counted = run == 0 ? scene.histograms.flatMap(\.values) : []
        return (values + counted).map { ReportedFigure(scene: scene.scene, value: $0) }
      }
      summary.iteration = run
      return summary
    }.filter { !ReportedMeasures.chosen($0.reported, figures).isEmpty }
    return runs.isEmpty ? nil : runs
  }
}

/// Figures that sources report, compared by their value in each run.
enum ReportedMeasures {
  static func all(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) -> [RunMeasure] {
    let figures = options.figures
    let runs = before + after + options.history.joined()
    let common = common(runs, figures)
    guard !common.isEmpty else {
      throw ComparisonRefusal.noCommonFigures(
        before.first?.file ?? "", after.first?.file ?? "")
    }
    let names = Set(common.map(\.value.metric))
    let withScene = hasScenes(runs)
    return common.map { figure in
      let shape = shape(of: figure)
      let name = figure.name(withScene: withScene)
      return RunMeasure(
        name: isRate(figure) ? "frameTime by \(name)" : name, metric: shape,
        isGating: figures.isMetricChosen || decides(figure.value.metric, among: names),
        unit: isRate(figure) ? "ms" : figure.value.unit
      ) { run in
        let own = run.reported.first { $0.name(withScene: withScene) == name }
        let value = own?.value.value ?? 0
        return shape.scaled(isRate(figure) ? 1000 / max(value, leastRate) : value)
      }
    }
  }

  /// Whether any run has several scenes, so that the name of a figure includes its scene.
  private static func hasScenes(_ runs: [RunSummary]) -> Bool {
    runs.contains { Set($0.reported.map(\.scene)).count > 1 }
  }

  /// The chosen figures that all runs have, with comparable values.
  private static func common(
    _ runs: [RunSummary], _ figures: ComparedFigures
  ) -> [ReportedFigure] {
    let withScene = hasScenes(runs)
    return chosen(runs.first?.reported ?? [], figures).filter { figure in
      let name = figure.name(withScene: withScene)
      return runs.allSatisfy { run in
        run.reported.contains { $0.name(withScene: withScene) == name && isComparable($0, figure) }
      }
    }
  }

  /// The number of requested figures that are left out because a run lacks them, or because a run has a value of 0 or
  /// less when ratios are compared.
  static func leftOut(_ runs: [RunSummary], _ figures: ComparedFigures) -> Int {
    let withScene = hasScenes(runs)
    let all = runs.flatMap { chosen($0.reported, figures) }.map { $0.name(withScene: withScene) }
    return Set(all).count - common(runs, figures).count
  }

  /// The requested figures: those of the metric, or all figures with a better direction.
  static func chosen(_ reported: [ReportedFigure], _ figures: ComparedFigures) -> [ReportedFigure] {
    reported.filter { figure in
      let own = HistoryMetric(figure.value.metric, unit: figure.value.unit)
      // The high quantiles of a rate describe its best moments.
      guard !isRate(figure) || !["p95", "p99"].contains(own.statistic) else { return false }
      guard own.higherIsWorse != nil, figures.isMetricChosen || !isCount(own) else { return false }
      guard figures.chosen.map({ $0.contains { $0.rawValue == own.statistic } }) ?? true else {
        return false
      }
      return !figures.isMetricChosen || own.base == figures.metric
        || (figures.metric == StatedMetric.frameOverrun.rawValue
          && own.base == StatedMetric.overrunShare.rawValue)
    }
  }

  /// Whether a figure is a count, which grows with the length of a run.
  private static func isCount(_ figure: HistoryMetric) -> Bool {
    !["ms", "ms/s", "%", "fps", "MB"].contains(figure.unit)
  }

  /// Whether a figure decides the verdict unless others are chosen. The extreme of a run, the memory and processor use
  /// of a device, and a part of another figure do not decide.
  private static func decides(_ name: String, among names: Set<String>) -> Bool {
    let figure = FigureName(name)
    let whole = figure.base.prefix { $0 != "." }
    guard let metric = StatedMetric(ofFigure: figure.base), !beside.contains(metric),
      !["min", "max"].contains(figure.statistic)
    else { return false }
    return figure.base == whole || !names.contains(String(whole))
  }

  private static let beside: Set<StatedMetric> = [
    .sampledCPU, .sampledMemory, .displayInterval, .hitchTotal,
  ]

  private static func isRate(_ figure: ReportedFigure) -> Bool { figure.value.unit == "fps" }

  /// Any lower rate, in frames per second, counts as this rate: the frame time of a program that stands still is
  /// unknown.
  private static let leastRate = 1.0

  /// Whether a value has the same unit as another value, and a ratio to it if ratios are compared.
  private static func isComparable(_ figure: ReportedFigure, _ other: ReportedFigure) -> Bool {
    let hasRatio = isRate(figure) || !shape(of: figure).isTime || figure.value.value > 0
    return figure.value.unit == other.value.unit && hasRatio
  }

  /// The figure of frames that has the same scale and threshold.
  private static func shape(of figure: ReportedFigure) -> RunMetric {
    switch figure.value.unit {
    case "%": .missedRefreshShare
    case "ms/s": .intervalHitchRatio
    default: FigureName(figure.value.metric).statistic == "p99" ? .p99 : .p95
    }
  }
}
