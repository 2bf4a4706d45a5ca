/// A row of the pipeline's picture: what frames are in at a time.
struct PipelineRow {
  enum Name { case touch, app, compositor, gpu, display, dropped }

  let row: Name

  /// The name beside the row.
  var name: String {
    switch row {
    case .touch: "touch"
    case .app: "app"
    case .compositor: "compositor"
    case .gpu: "GPU"
    case .display: "display"
    case .dropped: "dropped"
    }
  }

  /// Whether it is a stage that frames go through before they are shown.
  var isStage: Bool { [.app, .compositor, .gpu].contains(row) }

  /// When a frame was in it; `nil` when the trace does not tell, or it never was.
  /// - Parameter end: The end of what is shown, for a frame that stays on the display.
  func span(of frame: ListedFrame, until end: Int64) -> Range<Int64>? {
    let ends: (Timestamp?, Timestamp?)
    switch row {
    case .app: ends = (frame.appStart, later(frame.appEnd, frame.commit))
    case .compositor: ends = (frame.compositorStart, frame.compositorEnd)
    case .gpu: ends = (frame.gpuStart, frame.gpuEnd)
    case .display:
      let last = Timestamp(nanoseconds: max(end, frame.displayed?.nanoseconds ?? end))
      ends = (frame.displayed, frame.swappedOut ?? last)
    case .touch, .dropped: return nil
    }
    guard let start = ends.0?.nanoseconds, let end = ends.1?.nanoseconds, start <= end else {
      return nil
    }
    return start..<end
  }

  /// All stretches in which a frame was in it: several where several app intervals make a frame.
  func spans(of frame: ListedFrame, until end: Int64) -> [Range<Int64>] {
    let first = span(of: frame, until: end).map { [$0] } ?? []
    return row == .app ? first + frame.moreAppIntervals : first
  }

  private func later(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }

  /// The stages in the order of their pipeline, the display included.
  static func stages(isFilledByApp: Bool) -> [PipelineRow] {
    let names: [Name] =
      isFilledByApp ? [.app, .gpu, .compositor, .display] : [.app, .compositor, .gpu, .display]
    return names.map(PipelineRow.init)
  }

  /// The rows that frames have anything in, in the order of their pipeline.
  static func all(_ frames: [ListedFrame], hasTouches: Bool, isFilledByApp: Bool) -> [PipelineRow] {
    var rows = stages(isFilledByApp: isFilledByApp).filter { row in
      frames.contains { row.span(of: $0, until: .max) != nil }
    }
    if hasTouches { rows.insert(PipelineRow(row: .touch), at: 0) }
    if frames.contains(where: { !$0.drops.isEmpty }) { rows.append(PipelineRow(row: .dropped)) }
    return rows
  }
}
