import FrameStatistics
package import FrameTrace

/// The stages of a surface's frames, and when each was displayed.
struct DisplayedStages {
  let stages: FrameStages
  private let schedule: FrameSchedule
  private let recorded: ColumnTimes

  fileprivate init(_ rebuilt: RebuiltSurface) {
    stages = rebuilt.timeline.stages
    schedule = rebuilt.timeline.schedule
    recorded = ColumnTimes(
      rebuilt.trace.surfaces[rebuilt.timeline.surface].frames, .displayed)
  }

  /// When the frame in a row was displayed: at its refresh, and as the source recorded it, some time around that
  /// refresh; `nil` if the frame was not displayed.
  func displayed(_ row: Int) -> (refresh: Timestamp, recorded: Timestamp?)? {
    guard let refresh = schedule.displayed[row] else { return nil }
    return (schedule.displayTime(at: refresh), recorded[row])
  }
}

/// A metric that needs the rebuilt pipeline.
package struct PipelineMetric: Metric {
  package let name: String
  package var unit = MetricUnit.milliseconds
  package var direction = MetricDirection.lowerIsBetter
  package let summary: String
  package let formula: String
  package var source: String?
  /// Measures a surface whose frames were rebuilt.
  let value: @Sendable (RebuiltSurface, MeasuredSurface) -> Measurement

  package var demand: TraceDemand { .everything }
  package var needsReconstruction: Bool { true }

  package func measure(_ surface: MeasuredSurface) -> Measurement {
    surface.rebuilt.map { value($0, surface) } ?? .unavailable("the pipeline was not rebuilt")
  }
}

extension PipelineMetric {
  /// A metric with one value for each frame with the necessary stage times.
  static func stage(
    _ name: String, _ summary: String, _ formula: String, needs: String,
    columns: [FrameColumn] = [],
    _ value: @escaping @Sendable (DisplayedStages, _ row: Int) -> Nanoseconds?
  ) -> PipelineMetric {
    PipelineMetric(name: name, summary: summary, formula: formula) { rebuilt, surface in
      guard columns.allSatisfy(surface.frames.has) else {
        return .unavailable(FrameMetric.notRecorded + needs)
      }
      let stages = DisplayedStages(rebuilt)
      var values = surface.takeMemory()
      values.removeAll(keepingCapacity: true)
      for row in surface.rows {
        guard let value = value(stages, row) else { continue }
        if values.isEmpty { values.reserveCapacity(surface.rows.count) }
        values.append(value.count)
      }
      guard !values.isEmpty else { return .unavailable(FrameMetric.notRecorded + needs) }
      let found = values.count
      let (sample, leftOut) = Contradictions.lengths(Sample(consume values))
      guard !sample.values.isEmpty else { return .unavailable(Contradictions.reason) }
      var measurement = Measurement(
        content: .sample(sample), missing: surface.rows.count - found)
      measurement.leaveOut(leftOut)
      return measurement
    }
  }

  /// A metric of the touches of a surface.
  /// - Parameters:
  ///   - missing: How many additional values there should be.
  ///   - dependsOnFrames: Whether the metric uses the frames that show touches, which may be inferred.
  ///   - isSigned: Whether a value can be negative.
  static func touch(
    _ name: String, unit: MetricUnit = .milliseconds, _ summary: String, _ formula: String,
    source: String? = nil, dependsOnFrames: Bool = true,
    isSigned: Bool = false, missing: (any KeyPath<TouchFindings, Int> & Sendable)? = nil,
    _ values: @escaping @Sendable (TouchFindings) -> [Int64]
  ) -> PipelineMetric {
    PipelineMetric(
      name: name, unit: unit, direction: .lowerIsBetter, summary: summary, formula: formula,
      source: source
    ) { _, surface in
      guard let touches = surface.touches else { return .unavailable(noTouches) }
      let values = values(touches)
      guard !values.isEmpty else {
        let why = dependsOnFrames ? touches.whyNoPhotons : nil
        return .unavailable(why ?? "no touch has the values needed")
      }
      let (sample, leftOut) =
        isSigned ? (Sample(values), 0) : Contradictions.lengths(Sample(consume values))
      guard !sample.values.isEmpty else { return .unavailable(Contradictions.reason) }
      var measurement = Measurement(content: .sample(sample))
      measurement.leaveOut(leftOut)
      measurement.missing = missing.map { touches[keyPath: $0] } ?? 0
      measurement.isInferred = dependsOnFrames && touches.isInferred
      return measurement
    }
  }

  /// Why nothing about touches can be measured.
  package static let noTouches = "the source records no touch"
}
