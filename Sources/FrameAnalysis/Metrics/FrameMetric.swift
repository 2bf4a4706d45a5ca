import FrameStatistics
package import FrameTrace

/// A metric with one value per frame, using the first of its definitions that the source supports.
package struct FrameMetric: Metric {
  /// The frames that a metric is about.
  package enum Scope: Hashable, Sendable {
    /// All frames that the application made.
    case application
    /// All frames that were displayed, generated ones included.
    case displayed
    /// The application's frames that were displayed.
    case displayedApplication
  }

  /// One way to find the value.
  struct Definition: Sendable {
    let expression: FrameExpression
    /// What the value is, in words; printed when a metric has several definitions.
    let words: String
  }

  package let name: String
  package let unit = MetricUnit.milliseconds
  package let direction: MetricDirection
  package let summary: String
  package let formula: String
  package let source: String?
  package let scope: Scope
  /// Whether a value can be negative. All other values are durations, which cannot.
  var isSigned = false
  /// How it is measured if a frame starts at the end of the previous one, which may be a generated frame; `nil` for a
  /// metric that generated frames do not change.
  var derivedStart: String?
  /// The ways to find the value, the best first.
  let definitions: [Definition]

  package var demand: TraceDemand {
    TraceDemand(frameColumns: Set(definitions.flatMap(\.expression.columns)))
  }

  /// The number of frames needed to show whether frames have what a definition requires.
  private static let fewestFrames = 10

  /// The beginning of the reason given when a source lacks the columns.
  package static let notRecorded = "the source does not record "

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    measure(surface, leavingOut: surface.rests)
  }

  /// Measures a surface.
  /// - Parameter rests: Rests of the app, which are excluded from lengths between frames. Other tools include them.
  func measure(_ surface: MeasuredSurface, leavingOut rests: AppRests) -> Measurement {
    guard let (definition, passedOver) = definition(on: surface) else {
      return .unavailable(Self.notRecorded + needed)
    }
    guard definition.expression.isAvailable(in: surface.frames) else {
      return .unavailable(nothing(of: definition, on: surface))
    }
    let selection = surface.selection(scope)
    let knowsDisplay = definition.expression.columns.contains(.displayed)
    let mask = selection.mask(of: surface.frames, knowsDisplay: knowsDisplay)
    var exclusions = selection.exclusions
    var sample: Sample
    var (leftOut, contradicting) = (0, 0)
    if rests.isEmpty || !definition.expression.isBetweenFrames {
      sample = definition.expression.sample(
        of: surface.frames, where: mask, using: surface.takeMemory())
    } else {
      let found = definition.expression.sample(
        of: surface.frames, where: mask, leavingOut: rests, first: surface.rows.lowerBound,
        using: surface.takeMemory())
      sample = found.sample
      for reason in AppRests.Reason.allCases {
        guard let count = found.leftOut[reason] else { continue }
        leftOut += count
        exclusions.append(Measurement.Exclusion(reason: reason.rawValue, count: count))
      }
    }
    var shortened = 0
    if !isSigned {
      let lengths = Contradictions.lengths(consume sample)
      (sample, contradicting) = (lengths.sample, lengths.leftOut)
      guard contradicting == 0 || !sample.values.isEmpty else {
        return .unavailable(Contradictions.reason)
      }
      (sample, shortened) = Self.shorten(consume sample)
    }
    guard !sample.values.isEmpty else {
      return .unavailable(nothing(of: definition, on: surface))
    }
    var measurement = Measurement(
      content: .sample(sample), definition: words(definition), passedOver: passedOver,
      missing: selection.count - leftOut - contradicting - sample.values.count,
      exclusions: exclusions)
    measurement.leaveOut(contradicting)
    measurement.shortened = shortened
    if let derivedStart, surface.mayFollowGeneratedFrames {
      measurement.definition = derivedStart
      measurement.isInferred = true
    }
    return measurement
  }

  /// Why a surface has no value although its source records what is needed.
  private func nothing(of definition: Definition, on surface: MeasuredSurface) -> String {
    definition.expression.isBetweenFrames && surface.frames.count == 1
      ? "a single frame has no time to another one" : "no frame has \(needed)"
  }

  /// Counts lengths of more than 10 s as 10 s: otherwise a machine that slept for hours would determine the mean of all
  /// frames. No figure may improve because of a longer stop.
  /// - Returns: The lengths, and how many were longer.
  private static func shorten(_ sample: consuming Sample) -> (sample: Sample, count: Int) {
    let longest = SurfaceStops.longestFrame.count
    guard let high = sample.limits?.high, high > longest else { return (sample, 0) }
    var values = (consume sample).takeMemory()
    var count = 0
    for index in values.indices where values[index] > longest {
      values[index] = longest
      count += 1
    }
    return (Sample(values), count)
  }

  package func basis(on surface: MeasuredSurface) -> MeasurementBasis.Use? {
    definition(on: surface).map { definition, passedOver in
      MeasurementBasis.Use(
        basis: MeasurementBasis(expression: definition.expression, scope: scope),
        definition: words(definition), passedOver: passedOver)
    }
  }

  private func words(_ definition: Definition) -> String? {
    definitions.count > 1 ? definition.words : nil
  }

  /// The first definition for which at least nine in ten frames of the surface have the columns, otherwise the one for
  /// which most frames have them. If no frame has any, the first definition for which another surface of the trace has
  /// the columns. Columns that fewer frames have are not representative; with only a few frames in all, the trace's own
  /// definition is used.
  /// - Returns: The definition, and why a better one was passed over; `nil` where none was.
  private func definition(
    on surface: MeasuredSurface
  ) -> (Definition, passedOver: String?)? {
    let possible = definitions.filter { definition in
      surface.pipeline.frameColumns.contains { $0.isSuperset(of: definition.expression.columns) }
    }
    guard let first = possible.first else { return nil }
    let count = surface.selection(scope).count
    guard possible.count > 1, count >= Self.fewestFrames else { return (first, nil) }
    var best = (definition: first, covered: 0)
    var least: String?
    for definition in possible {
      let covered = surface.covered(definition.expression.columns, scope)
      if least == nil, let column = definition.expression.columns.first {
        least = "\(covered) of \(count.frames) have \(column.schema.key)"
      }
      if covered > best.covered { best = (definition, covered) }
      // A stated frame-to-frame interval is missing for the first frame.
      if covered + 1 >= count || covered * 10 >= count * 9 { break }
    }
    return (best.definition, best.definition.expression == first.expression ? nil : least)
  }

  /// The columns that the first definition needs, in words.
  private var needed: String {
    definitions[0].expression.columns.map(\.schema.key).joined(separator: " and ")
  }
}

/// What a metric's values are computed from; metrics of the same basis have the same values.
package struct MeasurementBasis: Hashable {
  package let expression: FrameExpression
  let scope: FrameMetric.Scope

  /// How a metric uses the basis.
  package struct Use {
    package let basis: MeasurementBasis
    /// Which of the metric's definitions is used; `nil` if it has only one.
    package let definition: String?
    /// Why a better definition was passed over; `nil` where none was.
    let passedOver: String?
  }
}
