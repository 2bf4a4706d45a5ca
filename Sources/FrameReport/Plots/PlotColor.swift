public import FrameAnalysis

/// The role of a color. All plots show the same role in the same color.
public indirect enum PlotColor: Hashable, Sendable {
  /// Text, axes and outlines.
  case text
  /// Text on top of a color fill.
  case upon(PlotColor)
  /// Elements for orientation, such as refreshes and limits.
  case muted
  /// Faults, such as dropped refreshes and hitches.
  case fault
  /// A stage of the pipeline.
  case stage(PipelineStage)
  /// A part of a latency that belongs to no stage: 0 is the scan, 1 the delivery, 2 the scan-out.
  case part(Int)
  /// A buffer by its number. Two colors mean double buffering, three triple buffering.
  case buffer(Int)
  /// One of several items of the same kind, by its index.
  case series(Int)

  /// The name in the exported plot data.
  public var name: String {
    switch self {
    case .text: "text"
    case .upon(let color): "text upon \(color.name)"
    case .muted: "muted"
    case .fault: "fault"
    case .stage(let stage): "stage \(stage.rawValue)"
    case .part(let position): "part \(position)"
    case .buffer(let position): "buffer \(position)"
    case .series(let position): "series \(position)"
    }
  }
}
