public import FrameAnalysis

/// What a color stands for. All plots give the same thing the same color.
public indirect enum PlotColor: Hashable, Sendable {
  /// Texts, axes and outlines.
  case text
  /// Text on top of a color fill.
  case upon(PlotColor)
  /// What is there for orientation: refreshes, limits.
  case muted
  /// What is wrong: dropped refreshes, hitches.
  case fault
  /// A stage of the pipeline.
  case stage(PipelineStage)
  /// A part of a latency that is no stage's: 0 the scan, 1 the delivery, 2 the scan-out.
  case part(Int)
  /// A buffer by its number: two colors are double buffering, three triple.
  case buffer(Int)
  /// One of several things of a kind, by its place.
  case series(Int)

  /// The name in the drawn data.
  public var name: String {
    switch self {
    case .text: "text"
    case .upon(let color): "text upon \(color.name)"
    case .muted: "muted"
    case .fault: "fault"
    case .stage(let stage): "stage \(stage.rawValue)"
    case .part(let place): "part \(place)"
    case .buffer(let place): "buffer \(place)"
    case .series(let place): "series \(place)"
    }
  }
}
