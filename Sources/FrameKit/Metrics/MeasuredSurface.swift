/// A surface being measured, with what several metrics need of it kept at hand.
final class MeasuredSurface {
  let pipeline: Pipeline
  let index: Int

  /// The measurement of frame time, which rates and lows are made of.
  private(set) lazy var frameTimes = FrameMetric.frameTime.measure(self)
  /// The measurement of the steps between displays, which the displayed rate is made of.
  private(set) lazy var displaySteps = FrameMetric.displayStep.measure(self)
  /// The inputs that its frames consumed.
  private(set) lazy var inputs = pipeline.inputs(surface: index)

  init(_ pipeline: Pipeline, index: Int) {
    self.pipeline = pipeline
    self.index = index
  }

  var surface: Surface { pipeline.trace.surfaces[index] }
  var frames: Table<FrameColumn> { surface.frames }
  var outcomes: FrameOutcomes { pipeline.outcomes[index] }

  private var selections: [FrameMetric.Scope: FrameSelection] = [:]
  /// The memory of a measurement that is no longer needed, for the next one.
  private var scratch: [Int64] = []

  /// The frames that take part in metrics of that scope.
  func selection(_ scope: FrameMetric.Scope) -> FrameSelection {
    if let known = selections[scope] { return known }
    let selection = FrameSelection(scope, frames)
    selections[scope] = selection
    return selection
  }

  /// Gives memory out for values; its content means nothing.
  func takeScratch() -> [Int64] {
    defer { scratch = [] }
    return scratch
  }

  /// Takes the memory of a measurement back.
  func recycle(_ measurement: consuming Measurement) {
    guard case .values(let values) = measurement.content else { return }
    measurement.content = .unavailable("recycled")
    if values.capacity > scratch.capacity { scratch = values }
  }
}
