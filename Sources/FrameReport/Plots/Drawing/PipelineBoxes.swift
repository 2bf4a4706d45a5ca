import FrameAnalysis
import FrameTrace

/// The boxes of frames in the rows of the pipeline plot, labeled with frame numbers.
struct PipelineBoxes {
  private(set) var labels: [PlotLabel] = []
  /// Boxes by buffer, boxes of frames with an unknown buffer, and boxes of frames that were never shown.
  private var byBuffer: [Int: [[Double]]] = [:]
  private var without: [[Double]] = []
  private var unseen: [[Double]] = []

  /// - Parameters:
  ///   - axis: The visible range of the x axis.
  ///   - position: Converts an instant to a position on it.
  init(
    _ rows: [PipelineRow], _ window: FrameWindow, _ options: PlotOptions,
    on axis: ClosedRange<Double>, position: (Timestamp) -> Double
  ) {
    for (index, row) in rows.enumerated() {
      let spans = window.frames.flatMap { frame in
        row.spans(of: frame, until: window.range.upperBound).map { (frame, $0) }
      }.sorted { ($0.1.lowerBound, $0.0.row) < ($1.1.lowerBound, $1.0.row) }
      let lanes = FrameLanes(spans.map(\.1))
      let height = 0.76 / Double(lanes.count)
      for ((frame, span), lane) in zip(spans, lanes.lanes) {
        let top = Double(index) - 0.38 + Double(lane) * height
        let box = [position(span.lowerBound), position(span.upperBound), top, top + height]
        add(box, of: frame)
        label(frame, box, options, axis)
      }
    }
  }

  private func isSeen(_ frame: ListedFrame) -> Bool {
    frame.outcome != .replaced && frame.outcome != .discarded
  }

  private mutating func add(_ box: [Double], of frame: ListedFrame) {
    if !isSeen(frame) {
      unseen.append(box)
    } else if let buffer = frame.buffer {
      byBuffer[buffer, default: []].append(box)
    } else {
      without.append(box)
    }
  }

  /// Adds the frame's number if it fits into the box.
  private mutating func label(
    _ frame: ListedFrame, _ box: [Double], _ options: PlotOptions, _ axis: ClosedRange<Double>
  ) {
    let (low, high) = (max(box[0], axis.lowerBound), min(box[1], axis.upperBound))
    let text = "\(frame.row)"
    guard options.width(of: text, on: axis) <= high - low else { return }
    let color: PlotColor =
      isSeen(frame) ? .upon(frame.buffer.map(PlotColor.buffer) ?? .muted) : .text
    labels.append(
      PlotLabel(x: (low + high) / 2, y: (box[2] + box[3]) / 2, text: text, color: color))
  }

  var layers: [PlotLayer] {
    var layers = byBuffer.keys.sorted().map { buffer in
      PlotLayer(.boxes, BufferNames.name(buffer), .buffer(buffer), byBuffer[buffer] ?? [])
    }
    layers.append(PlotLayer(.boxes, "no buffer known", .muted, without))
    var never = PlotLayer(.boxes, "never shown", .muted, unseen)
    never.isBroken = true
    layers.append(never)
    return layers.filter { !$0.rows.isEmpty }
  }
}
