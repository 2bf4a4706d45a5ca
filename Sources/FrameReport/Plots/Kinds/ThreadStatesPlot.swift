import FrameAnalysis
import FrameTrace

extension TracePlot {
  /// What threads did around a frame.
  static let threadStates = TracePlot(
    "thread-states",
    "What the app's main thread did around a late frame, and the threads that it waited for.",
    [.frame, .threads],
    .surface { surface, options throws(PlotRefusal) in
      try ThreadStatesPlot(surface, options).plot()
    })
}

/// The states of threads as boxes, with the slices of the main thread below.
private struct ThreadStatesPlot {
  private let surface: PlottedSurface
  private let window: ThreadWindow
  private let options: PlotOptions

  init(_ surface: PlottedSurface, _ options: PlotOptions) throws(PlotRefusal) {
    guard let window = surface.measured.threads(around: options.frame) else {
      throw PlotRefusal(
        "\(surface.path): the trace tells nothing of the app's main thread at that frame",
        help: "record scheduling and slices, such as ftrace's sched_switch with atrace")
    }
    (self.surface, self.window, self.options) = (surface, window, options)
  }

  private var axis: PlotAxis { PlotAxis("time in ms", surface.milliseconds(window.range)) }

  func plot() -> Plot {
    var panels = [statePanel]
    if !window.slices.isEmpty { panels.append(slicePanel) }
    let words = PlotText.line([
      "frame \(window.frame)", window.cause?.sentence ?? "no cause that the trace shows",
      surface.aside,
    ])
    return Plot(
      "thread-states", title: "Threads: \(surface.title)", subtitle: words,
      description: "What the main thread did around \(words).", panels: panels)
  }

  private enum Look: CaseIterable {
    case running, starved, kernel, waiting

    var words: String {
      switch self {
      case .running: "running"
      case .starved: "no CPU"
      case .kernel: "waiting in the kernel"
      case .waiting: "waiting"
      }
    }

    var color: PlotColor {
      switch self {
      case .running: .stage(.app)
      case .starved: .fault
      case .kernel: .series(3)
      case .waiting: .muted
      }
    }

    init(_ state: ThreadStateColumn.State, isUninterruptible: Bool) {
      switch state {
      case .running: self = .running
      case .runnable, .preempted: self = .starved
      case .blocked: self = isUninterruptible ? .kernel : .waiting
      }
    }
  }

  private var statePanel: PlotPanel {
    var y = PlotAxis("", naming: window.lanes.map(\.name))
    y.isReversed = true
    let ends = [window.app.lowerBound, window.app.upperBound].map(surface.milliseconds)
    var layers = [PlotLayer.verticals("start and hand-over", .text, at: ends, y.range).with(.faint)]
    for look in Look.allCases {
      let rows = window.lanes.enumerated().flatMap { position, lane in
        lane.states.filter { Look($0.state, isUninterruptible: $0.isUninterruptible) == look }
          .map { box($0.span, Double(position)) }
      }
      guard !rows.isEmpty else { continue }
      let layer = PlotLayer(.boxes, look.words, look.color, rows)
      layers.append(look == .waiting ? layer.with(.faint) : layer)
    }
    var panel = PlotPanel(x: axis, y: y, layers: layers)
    panel.x.hasGrid = false
    return panel
  }

  private var slicePanel: PlotPanel {
    let depth = (window.slices.map(\.depth).max() ?? 0) + 1
    var y = PlotAxis("", naming: (0..<depth).map { $0 == 0 ? "slices" : "" })
    y.isReversed = true
    var panel = PlotPanel(
      x: axis, y: y,
      layers: (0..<depth).map { level in
        PlotLayer(
          .boxes, nil, .buffer(level),
          window.slices.filter { $0.depth == level }.map { box($0.span, Double(level)) }
        ).with(.faint)
      })
    panel.x.hasGrid = false
    panel.hasLegend = false
    panel.height = 0.2 * Double(depth)
    panel.labels = window.slices.compactMap { slice in
      let (low, high) = (
        surface.milliseconds(slice.span.lowerBound), surface.milliseconds(slice.span.upperBound)
      )
      guard options.width(of: slice.name, on: axis.range) <= high - low else { return nil }
      return PlotLabel(
        x: (low + high) / 2, y: Double(slice.depth), text: slice.name, color: .text)
    }
    return panel
  }

  private func box(_ span: Range<Timestamp>, _ y: Double) -> [Double] {
    [
      surface.milliseconds(span.lowerBound), surface.milliseconds(span.upperBound), y - 0.38,
      y + 0.38,
    ]
  }
}
