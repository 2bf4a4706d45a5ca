import FrameAnalysis
import FrameTrace

/// The touches in the pipeline plot: their scans, the frame that each leads to, and their latency.
struct PipelineTouches {
  /// The touches in the plot, without predicted ones.
  private let touches: [ListedTouch]
  private let frames: [Int: ListedFrame]
  private let position: (Timestamp) -> Double

  /// The maximum number of spans stacked above one another; further spans would leave no room for labels and are
  /// omitted.
  private static let mostLanes = 3

  /// - Parameter position: Converts an instant to a position on the x axis.
  init(_ surface: MeasuredSurface, _ window: FrameWindow, position: @escaping (Timestamp) -> Double)
  {
    let range = window.range
    touches = ListedTouch.all(surface).filter { touch in
      guard let start = touch.scanStart, touch.kind != .predicted else { return false }
      let end = touch.delivered ?? touch.scanEnd ?? start
      return start <= range.upperBound && end >= range.lowerBound
    }
    frames = Dictionary(window.frames.map { ($0.row, $0) }) { first, _ in first }
    self.position = position
  }

  var isEmpty: Bool { touches.isEmpty }

  /// Whether the photon time of any touch is known.
  var hasPhotons: Bool { !spans.isEmpty }

  /// The spans from scan to photon of the main samples, in order of time.
  private var spans: [(touch: ListedTouch, span: Range<Timestamp>)] {
    touches.compactMap { touch in
      guard touch.kind == .main, let start = touch.scanStart, let photon = touch.photon,
        start < photon
      else { return nil }
      return (touch, start..<photon)
    }.sorted { $0.span.lowerBound < $1.span.lowerBound }
  }

  /// The color of the frame that shows a touch.
  private func color(_ touch: ListedTouch) -> PlotColor {
    (touch.shownBy.flatMap { frames[$0]?.buffer }).map(PlotColor.buffer) ?? .part(0)
  }

  /// Scans as boxes in the color of the frame that shows them, and deliveries as marks.
  func marks(at y: Double) -> [PlotLayer] {
    var scans: [PlotColor: [[Double]]] = [:]
    var instants: [[Double]] = []
    for touch in touches {
      guard let start = touch.scanStart else { continue }
      guard let end = touch.scanEnd else {
        instants.append([position(start), y])
        continue
      }
      scans[color(touch), default: []].append([position(start), position(end), y - 0.2, y + 0.2])
    }
    let deliveries = Set(touches.compactMap(\.delivered)).sorted().map { [position($0), y] }
    return scans.sorted { $0.key.name < $1.key.name }.map {
      PlotLayer(.boxes, $0.key == .part(0) ? "scan" : nil, $0.key, $0.value)
    } + [
      PlotLayer(.points, "touch", .part(0), instants).with(.strong),
      PlotLayer(.points, "delivered", .text, deliveries).with(.strong),
    ]
  }

  /// Arrows from touches to the app's work on the frames that consumed them.
  /// - Parameters:
  ///   - y: The row of touches.
  ///   - app: The row of the app.
  func arrows(from y: Double, to app: Double) -> PlotLayer {
    let rows = touches.compactMap { touch -> [Double]? in
      guard let from = touch.delivered ?? touch.scanEnd ?? touch.scanStart,
        let start = touch.frame.flatMap({ frames[$0]?.appStart })
      else { return nil }
      return [position(from), y + 0.2, position(max(start, from)), app - 0.38]
    }
    return PlotLayer(.arrows, nil, .text, rows).with(.faint)
  }

  /// The span from scan to photon of each touch, as an arrow labeled with its length.
  func spans(
    at y: Double, _ options: PlotOptions, on axis: ClosedRange<Double>
  ) -> (layers: [PlotLayer], labels: [PlotLabel]) {
    let lanes = FrameLanes(spans.map(\.span))
    let shown = min(lanes.count, Self.mostLanes)
    let height = 0.8 / Double(shown)
    var rows: [PlotColor: [[Double]]] = [:]
    var labels: [PlotLabel] = []
    for (item, lane) in zip(spans, lanes.lanes) where lane < shown {
      let middle = y - 0.4 + (Double(lane) + 0.7) * height
      let (start, end) = (position(item.span.lowerBound), position(item.span.upperBound))
      rows[color(item.touch), default: []].append([start, middle, end, middle])
      let (low, high) = (max(start, axis.lowerBound), min(end, axis.upperBound))
      let text = item.touch.latency.map { PlotText.milliseconds($0.milliseconds) } ?? ""
      guard end <= axis.upperBound, options.width(of: text, on: axis) <= high - low else {
        continue
      }
      labels.append(PlotLabel(x: (low + high) / 2, y: middle - 0.4 * height, text: text))
    }
    let layers = rows.sorted { $0.key.name < $1.key.name }.map {
      PlotLayer(.arrows, nil, $0.key, $0.value).with(.strong)
    }
    return (layers, labels)
  }
}
