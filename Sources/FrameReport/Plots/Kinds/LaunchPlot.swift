import FrameAnalysis
import FrameStatistics
import FrameTrace

extension TracePlot {
  /// The phases of launches.
  static let launch = TracePlot(
    "launch", "The phases of each launch, stacked, against the goal of 400 ms.",
    [],
    depth: .outcomes,
    .studies(severalAreSeen: true) { studies, options throws(PlotRefusal) in
      try LaunchPlot(studies).plot(options)
    })
}

/// Launches as bars, with their phases in sequence.
private struct LaunchPlot {
  /// The medians of each file and kind, followed by the launches.
  private let bars: [PhasedLaunch]
  private let launches: [PhasedLaunch]
  private let title: String

  /// The maximum number of launches whose names fit.
  private static let most = 40
  /// The goal for the time from the tap to the first frame: Apple, "Optimizing App Launch", WWDC
  /// 2019.
  private static let goal = 400.0

  init(_ studies: [Study]) throws(PlotRefusal) {
    let traces = studies.map(\.trace)
    let all = studies.flatMap { study in
      study.launches.compactMap(PhasedLaunch.init).map { launch in
        var launch = launch
        if traces.count > 1 { launch.name = "\(study.trace.provenance.shortTitle) \(launch.name)" }
        return launch
      }
    }
    guard !all.isEmpty else {
      throw PlotRefusal("\(traces.first?.provenance.file ?? ""): there are no launches to draw")
    }
    guard all.count <= Self.most else {
      throw PlotRefusal(
        "expected at most \(Self.most) launches, found \(all.count)",
        help: "'frametool plot history' shows launch times of many jobs")
    }
    launches = all
    bars = Self.medians(studies) + all
    title = traces.count == 1 ? traces[0].provenance.shortTitle : "\(traces.count) traces"
  }

  /// The median of each kind in each file, ordered so that medians of the same kind are adjacent.
  private static func medians(_ studies: [Study]) -> [PhasedLaunch] {
    let kinds: [String?] = ["cold", "warm", nil]
    return kinds.flatMap { kind in
      studies.compactMap { study in
        PhasedLaunch(
          medianOf: study.launches.compactMap(PhasedLaunch.init), kind: kind,
          file: studies.count > 1 ? study.trace.provenance.shortTitle : nil)
      }
    }
  }

  func plot(_ options: PlotOptions) -> Plot {
    var y = PlotAxis("", naming: bars.map(\.name))
    y.isReversed = true
    let high = max(bars.map(\.end).max() ?? 0, Self.goal)
    let x = PlotAxis(
      "time since the tap or process start, in ms",
      (bars.map(\.start).min() ?? 0)...options.end(of: high, with: PlotText.milliseconds(high)))
    var layers = phaseLayers
    let waits = bars.enumerated().compactMap { position, launch in
      launch.phases.isEmpty && !launch.isMedian ? box(0, launch.total ?? 0, position) : nil
    }
    let medians = bars.enumerated().compactMap { position, launch in
      launch.isMedian ? box(0, launch.total ?? 0, position) : nil
    }
    layers.append(PlotLayer(.boxes, "median", .text, medians))
    layers.append(PlotLayer(.boxes, "phases unknown", .muted, waits).with(.faint))
    layers.append(
      PlotLayer.verticals("goal 400 ms", .fault, at: [Self.goal], y.range)
        .with(.strong, isBroken: true))
    var panel = PlotPanel(x: x, y: y, layers: layers.filter { !$0.rows.isEmpty })
    panel.labels = bars.enumerated().compactMap { position, launch in
      launch.total.map { total in
        PlotLabel(
          x: labelStart(launch.end, high), y: Double(position), text: PlotText.milliseconds(total),
          alignment: .left)
      }
    }
    var plot = Plot(
      "launch", title: "Launches: \(title)", subtitle: subtitle,
      description: PlotText.line(launches.map(\.words)) + ".", panels: [panel])
    plot.tallness = max(1, Double(bars.count) / 16)
    return plot
  }

  /// Where a bar's label starts: after the bar, and after the line of the goal if the label would overlap the line.
  private func labelStart(_ end: Double, _ high: Double) -> Double {
    let width = high * 0.1
    let crosses = end <= Self.goal && end + width > Self.goal
    return (crosses ? Self.goal : end) + high * 0.01
  }

  private var subtitle: String {
    let measured = launches.filter(\.isMeasurement)
    let medians = ["cold", "warm", nil].compactMap { kind -> String? in
      let times = measured.filter { $0.kind == kind }.compactMap(\.total).sorted()
      guard !times.isEmpty else { return nil }
      let median = PlotText.milliseconds(RealQuantile.type7(times, 0.5))
      return "\(kind ?? "unknown kind") \(median) (n \(times.count))"
    }
    return PlotText.line([
      "n \(PlotText.count(launches.count, "launch", "launches")), \(measured.count) measured",
      medians.isEmpty ? nil : "median to the first frame: \(medians.joined(separator: ", "))",
      launches.contains(where: \.isProfiled) ? "some under a profiler" : nil,
    ])
  }

  private func box(_ start: Double, _ end: Double, _ position: Int) -> [Double] {
    [start, end, Double(position) - 0.36, Double(position) + 0.36]
  }

  private var phaseLayers: [PlotLayer] {
    PhaseColumn.Name.allCases.enumerated().compactMap { number, name in
      let rows = bars.enumerated().flatMap { position, launch in
        launch.phases.filter { $0.name == name }.map { box($0.start, $0.end, position) }
      }
      guard !rows.isEmpty else { return nil }
      var layer = PlotLayer(.boxes, name.words, Self.colors[number], rows)
      layer.isBroken = number % 2 == 1
      return layer
    }
  }

  private static let colors: [PlotColor] = [
    .part(0), .part(2), .stage(.compositor), .stage(.app), .stage(.gpu), .stage(.display),
  ]
}
