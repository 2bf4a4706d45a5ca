/// A surface being measured, with what several metrics need of it kept at hand.
final class MeasuredSurface {
  let pipeline: Pipeline
  let index: Int

  /// The inputs that its frames consumed.
  private(set) lazy var inputs = pipeline.inputs(surface: index)
  private var selections: [FrameMetric.Scope: FrameSelection] = [:]
  private var bases: [FrameRateMetric.Base: FrameTimeBase] = [:]
  /// The memory of a measurement that is no longer needed, for the next one.
  private var memory: [Int64] = []

  init(_ pipeline: Pipeline, index: Int) {
    self.pipeline = pipeline
    self.index = index
  }

  var surface: Surface { pipeline.trace.surfaces[index] }
  var frames: Table<FrameColumn> { surface.frames }
  var outcomes: FrameOutcomes { pipeline.outcomes[index] }

  /// The frames that take part in metrics of that scope.
  func selection(_ scope: FrameMetric.Scope) -> FrameSelection {
    if let known = selections[scope] { return known }
    let selection = FrameSelection(scope, frames)
    selections[scope] = selection
    return selection
  }

  /// What the rates of that kind are made of.
  func base(_ base: FrameRateMetric.Base) -> FrameTimeBase {
    if let known = bases[base] { return known }
    let measurement = FrameMetric.base(base).measure(self)
    let found = FrameTimeBase(measurement)
    bases[base] = found
    recycle(measurement)
    return found
  }

  /// Keeps what rates are made of from a measurement that has it.
  func keep(_ measurement: Measurement, of basis: MeasurementBasis?) {
    guard let basis, case .sample = measurement.content else { return }
    for base in FrameRateMetric.Base.allCases where bases[base] == nil {
      guard let own = FrameMetric.base(base).basis(on: self), own.basis == basis else { continue }
      var measurement = measurement
      measurement.definition = own.definition
      bases[base] = FrameTimeBase(measurement)
    }
  }

  /// Gives memory out for values; its content means nothing.
  func takeMemory() -> [Int64] {
    defer { memory = [] }
    return memory
  }

  /// Takes the memory of a measurement back.
  func recycle(_ measurement: consuming Measurement) {
    guard case .sample(let sample) = measurement.content else { return }
    measurement.content = .unavailable("recycled")
    let values = sample.takeMemory()
    if values.capacity > memory.capacity { memory = values }
  }
}

/// What the rates of a surface are made of: the slowest of its frame times and how these
/// were measured.
struct FrameTimeBase {
  /// `nil` when there are no frame times; `measurement` says why.
  let slowest: SlowestFrames?
  /// The measurement of the frame times, without the values.
  let measurement: Measurement

  init(_ measurement: Measurement) {
    var measurement = measurement
    if case .sample(let sample) = measurement.content {
      slowest = SlowestFrames(of: sample)
      measurement.content = .figure(0, n: sample.values.count)
    } else {
      slowest = nil
    }
    self.measurement = measurement
  }
}
