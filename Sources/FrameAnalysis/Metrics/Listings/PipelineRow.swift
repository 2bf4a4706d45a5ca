package import FrameTrace

/// A row of the pipeline diagram: a stage or event with its frames over time.
package struct PipelineRow {
  package enum Name { case touch, app, compositor, gpu, display, latency, dropped }

  package let row: Name

  /// The name next to the row.
  package var name: String {
    switch row {
    case .touch: "touch"
    case .app: "app"
    case .compositor: "compositor"
    case .gpu: "GPU"
    case .display: "display"
    case .latency: "touch to photon"
    case .dropped: "dropped"
    }
  }

  /// Whether the row is a stage that frames pass before they are shown.
  package var isStage: Bool { [.app, .compositor, .gpu].contains(row) }

  /// When a frame was in the row; `nil` if the trace does not say, or the frame never was.
  /// - Parameter end: The end of the shown range, for a frame that stays on the display.
  package func span(of frame: ListedFrame, until end: Timestamp) -> Range<Timestamp>? {
    let ends: (Timestamp?, Timestamp?)
    switch row {
    case .app: ends = (frame.appStart, later(frame.appEnd, frame.commit))
    case .compositor: ends = (frame.compositorStart, frame.compositorEnd)
    case .gpu: ends = (frame.gpuStart, frame.gpuEnd)
    case .display:
      let last = max(end, frame.displayed ?? end)
      ends = (frame.displayed, frame.swappedOut ?? last)
    case .touch, .latency, .dropped: return nil
    }
    guard let start = ends.0, let end = ends.1, start <= end else { return nil }
    return start..<end
  }

  /// All stretches in which a frame was in the row; several if several app intervals make a frame.
  package func spans(of frame: ListedFrame, until end: Timestamp) -> [Range<Timestamp>] {
    let first = span(of: frame, until: end).map { [$0] } ?? []
    return row == .app ? first + frame.moreAppIntervals : first
  }

  private func later(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }

  /// The stages in pipeline order, the display included.
  package static func stages(isFilledByApp: Bool) -> [PipelineRow] {
    let names: [Name] =
      isFilledByApp ? [.app, .gpu, .compositor, .display] : [.app, .compositor, .gpu, .display]
    return names.map(PipelineRow.init)
  }

  /// The rows with content, in pipeline order.
  /// - Parameters:
  ///   - hasTouches: Whether there are touches.
  ///   - hasPhotons: Whether it is known when the touches became visible.
  package static func all(
    _ frames: [ListedFrame], hasTouches: Bool, hasPhotons: Bool, isFilledByApp: Bool
  ) -> [PipelineRow] {
    var rows = stages(isFilledByApp: isFilledByApp).filter { row in
      frames.contains { row.span(of: $0, until: .latest) != nil }
    }
    if hasTouches { rows.insert(PipelineRow(row: .touch), at: 0) }
    if hasPhotons { rows.append(PipelineRow(row: .latency)) }
    if frames.contains(where: { !$0.drops.isEmpty }) { rows.append(PipelineRow(row: .dropped)) }
    return rows
  }
}

/// The names of buffers: one letter each, then numbers when the letters run out.
package enum BufferNames {
  package static func name(_ buffer: Int) -> String {
    guard (0..<26).contains(buffer) else { return "buffer \(buffer + 1)" }
    return "buffer \(Character(Unicode.Scalar(UInt8(65 + buffer))))"
  }
}

/// Assigns spans of time that overlap to separate lanes.
package struct FrameLanes {
  /// The lane of each span.
  package let lanes: [Int]
  /// The number of lanes.
  package let count: Int

  /// - Parameter spans: The spans in order of their start.
  package init(_ spans: [Range<Timestamp>]) {
    var ends: [Timestamp] = []
    lanes = spans.map { span in
      if let free = ends.firstIndex(where: { $0 <= span.lowerBound }) {
        ends[free] = span.upperBound
        return free
      }
      ends.append(span.upperBound)
      return ends.count - 1
    }
    count = max(1, ends.count)
  }
}
