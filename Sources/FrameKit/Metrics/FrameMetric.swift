/// A metric with one value a frame, by the first of its definitions that the source allows.
struct FrameMetric: Metric {
  /// The frames that a metric is about.
  enum Scope: Hashable, Sendable {
    /// All that the application made.
    case application
    /// All that were displayed, generated ones included.
    case displayed
    /// Those of the application that were displayed.
    case displayedApplication
  }

  /// One way to find the value.
  struct Definition: Sendable {
    let expression: FrameExpression
    /// What the value is, in words; printed when a metric has several definitions.
    let words: String
  }

  let name: String
  let unit = MetricUnit.milliseconds
  let direction: MetricDirection
  let summary: String
  let formula: String
  let source: String?
  let scope: Scope
  /// The ways to find the value, the best first.
  let definitions: [Definition]

  var demand: TraceDemand {
    TraceDemand(frameColumns: Set(definitions.flatMap(\.expression.columns)))
  }

  /// How the reason begins that a source lacks the columns.
  static let notRecorded = "the source does not record "

  func measure(_ surface: MeasuredSurface) -> Measurement {
    guard let definition = definition(in: surface.pipeline) else {
      return .unavailable(Self.notRecorded + needed)
    }
    guard definition.expression.isAvailable(in: surface.frames) else {
      return .unavailable("no frame has \(needed)")
    }
    let selection = surface.selection(scope)
    let knowsDisplay = definition.expression.columns.contains(.displayed)
    let sample = definition.expression.sample(
      of: surface.frames, where: selection.mask(of: surface.frames, knowsDisplay: knowsDisplay),
      using: surface.takeMemory())
    guard !sample.values.isEmpty else { return .unavailable("no frame has \(needed)") }
    return Measurement(
      content: .sample(sample), definition: words(definition),
      missing: selection.count - sample.values.count, exclusions: selection.exclusions)
  }

  func basis(on surface: MeasuredSurface) -> (basis: MeasurementBasis, definition: String?)? {
    definition(in: surface.pipeline).map {
      (MeasurementBasis(expression: $0.expression, scope: scope), words($0))
    }
  }

  private func words(_ definition: Definition) -> String? {
    definitions.count > 1 ? definition.words : nil
  }

  /// The first definition that any surface of the trace has the columns for: one source,
  /// one definition, also on a surface for which it says nothing.
  private func definition(in pipeline: Pipeline) -> Definition? {
    definitions.first { definition in
      pipeline.frameColumns.contains { $0.isSuperset(of: definition.expression.columns) }
    }
  }

  /// The columns that the first definition needs, in words.
  private var needed: String {
    definitions[0].expression.columns.map(\.schema.key).joined(separator: " and ")
  }
}

/// What a metric's values are made of; metrics of the same basis have the same values.
struct MeasurementBasis: Hashable {
  let expression: FrameExpression
  let scope: FrameMetric.Scope
}
