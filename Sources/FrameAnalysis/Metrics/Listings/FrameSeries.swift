package import FrameTrace

/// The values of a metric frame by frame, each with its time.
package struct FrameSeries {
  private let expression: FrameExpression
  private let frames: Table<FrameColumn>
  private let wanted: IntegerColumn?
  private let rests: AppRests
  /// The row of the first frame within its surface.
  private let first: Int
  /// Whether each value has its frame's display time rather than the first time known of the frame.
  private let isByDisplay: Bool

  /// - Returns: `nil` for a metric without one value per frame, or where the source lacks it.
  package init?(_ name: String, of surface: MeasuredSurface) {
    guard let metric = Metrics.all.first(where: { $0.name == name }) as? FrameMetric,
      let basis = metric.basis(on: surface)?.basis
    else { return nil }
    expression = basis.expression
    frames = surface.frames
    (rests, first) = (surface.rests, surface.rows.lowerBound)
    // Frames that were never displayed have no display time, and all frames must be on one axis.
    isByDisplay = metric.scope != .application
    let selection = surface.selection(metric.scope)
    wanted = selection.mask(
      of: frames, knowsDisplay: expression.columns.contains(.displayed))
  }

  /// Visits the values in the order of the frames, each with the first time known of its frame, or,
  /// for a metric of displayed frames, its display time. Values are in nanoseconds.
  /// - Parameter gap: Called for a frame without a value, or one that follows a rest.
  package func visit(_ body: (_ time: Timestamp, _ value: Int64) -> Void, gap: () -> Void = {}) {
    if case .sinceLast(let column) = expression { return visitSteps(column, body, gap: gap) }
    for row in 0..<frames.count where wanted?[row] ?? 1 == 1 {
      guard let value = expression.value(row, of: frames),
        rests.reason(against: value, expression, row, of: frames, first: first) == nil
      else {
        gap()
        continue
      }
      let displayed = isByDisplay ? frames.time(row, .displayed) : nil
      body(displayed ?? frames.reference(row), value)
    }
  }

  /// From each time of a column to the next later one.
  private func visitSteps(
    _ column: FrameColumn, _ body: (_ time: Timestamp, _ value: Int64) -> Void,
    gap: () -> Void
  ) {
    var times: [Timestamp] = []
    for row in 0..<frames.count where wanted?[row] ?? 1 == 1 {
      if let time = frames.time(row, column) { times.append(time) }
    }
    times.sort()
    for (before, time) in zip(times, times.dropFirst()) {
      if rests.isBetween(before, time) { gap() } else { body(time, (time - before).count) }
    }
  }
}
