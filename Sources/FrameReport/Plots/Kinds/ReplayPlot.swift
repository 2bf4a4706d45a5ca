public import FrameAnalysis
public import FrameReplay
import FrameTrace

extension TracePlot {
  /// Recorded and predicted pipelines, one above the other.
  static let replay = TracePlot(
    "replay",
    "The pipeline as recorded, above the one predicted by 'frametool replay -o': two traces.",
    [.frame, .region],
    .surfaces { surfaces, options throws(PlotRefusal) in
      guard surfaces.count == 2, let recorded = surfaces.first, let predicted = surfaces.last else {
        throw PlotRefusal(
          "replay takes two traces, found \(surfaces.count)",
          help: "the recorded trace, then the output of 'frametool replay -o predicted.jsonl'")
      }
      let window = try PipelinePlot.window(of: recorded, options)
      let plots = try [recorded, predicted].map { surface throws(PlotRefusal) in
        try PipelinePlot(surface.within(window, from: recorded.origin), PlotOptions()).plot()
      }
      var plot = Plot(
        "replay", title: "Replay: \(recorded.title)",
        subtitle: zip(["recorded", "predicted"], plots).map { "\($0): \($1.subtitle)" }
          .joined(separator: "; "),
        description: zip(["Recorded", "Predicted"], plots).map { "\($0): \($1.description)" }
          .joined(separator: " "), panels: plots.flatMap(\.panels))
      plot.tallness = 1.6
      return plot
    })
}

extension PipelinePlot {
  /// The time range of a surface that its pipeline plot shows.
  static func window(
    of surface: PlottedSurface, _ options: PlotOptions
  ) throws(PlotRefusal) -> ClosedRange<Timestamp> {
    guard let listing = surface.measured.listing else {
      throw PlotRefusal("\(surface.path): the pipeline was not rebuilt")
    }
    return try FrameWindow(
      surface, listing, options, intervals: 13, interesting: listing.worstDrop(of: surface)
    ).range
  }
}

extension Plot {
  /// The result of a sweep, with a panel for each of the most important figures.
  public init(_ sweep: ReplaySweep) throws(PlotRefusal) {
    let figures = sweep.mainFigures
    guard let first = sweep.replays.first, let last = sweep.replays.last, !figures.isEmpty else {
      throw PlotRefusal("the sweep has no figure to draw")
    }
    let panels = figures.enumerated().map { position, main in
      let rows = sweep.replays.compactMap { item -> [Double]? in
        guard let figure = item.replay.figure(main.name), let expected = figure.expected,
          let bounds = figure.bounds
        else { return nil }
        return [item.value, expected, bounds.lowerBound, bounds.upperBound]
      }
      let high = rows.map { $0[3] }.max() ?? 1
      let low = min(0, rows.map { $0[2] }.min() ?? 0)
      return PlotPanel(
        x: PlotAxis(sweep.variable.words, first.value...max(last.value, first.value + 1e-6)),
        y: PlotAxis.fromZero("\(main.name), \(main.unit)", to: max(high, 1e-3), low: low),
        layers: [
          PlotLayer(.line, "predicted", .series(position), rows.map { [$0[0], $0[1]] }),
          PlotLayer(.line, "bounds", .muted, rows.map { [$0[0], $0[2]] }),
          PlotLayer(.line, nil, .muted, rows.map { [$0[0], $0[3]] }),
        ])
    }
    self.init(
      "replay", title: "Replay: \(first.replay.surface) by \(sweep.variable.words)",
      subtitle:
        "\(sweep.replays.count) replays of \(first.replay.frames) frames; \(first.replay.file)",
      description:
        "\(figures.map(\.name).joined(separator: ", ")) at \(sweep.replays.count) values of \(sweep.variable.words).",
      panels: panels)
    tallness = 0.5 * Double(panels.count)
  }
}

extension ReplaySweep.Variable {
  /// The axis label.
  var words: String {
    switch self {
    case .scale(let stage): "time factor of the \(stage.rawValue) stage"
    case .buffers: "buffers"
    case .renderAhead: "frames ahead"
    case .refresh: "refresh rate in Hz"
    case .cap: "frame rate limit in fps"
    }
  }
}

extension Plot {
  /// A recording and its prediction, one above the other.
  public init(recorded: Study, predicted: Study) throws(PlotRefusal) {
    self = try TracePlot.replay.draw([recorded, predicted])
  }
}
