/// The values of a metric frame by frame, each with its time.
struct FrameSeries {
  private let expression: FrameExpression
  private let frames: Table<FrameColumn>
  private let wanted: IntegerColumn?
  /// Whether a value stands at the time its frame was displayed, and not when it was first seen.
  private let isByDisplay: Bool

  /// - Returns: `nil` for a metric that has no value a frame, or where the source lacks it.
  init?(_ name: String, of surface: MeasuredSurface) {
    guard let metric = Metrics.all.first(where: { $0.name == name }) as? FrameMetric,
      let basis = metric.basis(on: surface)?.basis
    else { return nil }
    expression = basis.expression
    frames = surface.frames
    // Frames that were never displayed have no time of display, and all have to be on one axis.
    isByDisplay = metric.scope != .application
    let selection = surface.selection(metric.scope)
    wanted = selection.mask(
      of: frames, knowsDisplay: expression.columns.contains(.displayed))
  }

  /// Goes through the values in order of the frames: the time at which a frame was first seen, for
  /// a metric of displayed frames that of its display, and its value in nanoseconds.
  /// - Parameter gap: Called for a frame without a value.
  func visit(_ body: (_ time: Timestamp, _ value: Int64) -> Void, gap: () -> Void = {}) {
    if case .sinceLast(let column) = expression { return visitSteps(column, body) }
    for row in 0..<frames.count where wanted?[row] ?? 1 == 1 {
      guard let value = value(row) else {
        gap()
        continue
      }
      let displayed = isByDisplay ? frames.time(row, .displayed) : nil
      body(displayed ?? frames.reference(row), value)
    }
  }

  private func value(_ row: Int) -> Int64? {
    switch expression {
    case .column(let column): return frames[row, column]
    case .between(let start, let end):
      guard let first = frames[row, start], let last = frames[row, end] else { return nil }
      return last &- first
    case .difference(let whole, let part):
      guard let whole = frames[row, whole], let part = frames[row, part] else { return nil }
      return whole &- part
    case .sinceLast: return nil
    }
  }

  /// From each time of a column to the next later one.
  private func visitSteps(
    _ column: FrameColumn, _ body: (_ time: Timestamp, _ value: Int64) -> Void
  ) {
    var times: [Timestamp] = []
    for row in 0..<frames.count where wanted?[row] ?? 1 == 1 {
      if let time = frames.time(row, column) { times.append(time) }
    }
    times.sort()
    for (before, time) in zip(times, times.dropFirst()) { body(time, (time - before).count) }
  }
}
