package import FrameKit

/// The output of an imperfect recorder for a trace.
package struct Recording: Sendable {
  /// How the recorder writes refreshes.
  package enum Refreshes: String, Sendable, CaseIterable {
    case numbered, timed, none
  }

  /// The frame columns that the recorder does not see.
  package var unseen: Set<FrameColumn> = []
  package var refreshes = Refreshes.numbered
  /// Whether the recorder states the refresh interval of displays.
  package var statesInterval = true
  /// The part of the frames that the recorder sees; 0...1 is all frames.
  package var part: ClosedRange<Double> = 0...1
  /// The recorder loses every nth frame; `nil` for none.
  package var losesEvery: Int?

  package init() {}

  /// The trace as this recorder would have written it.
  /// - Precondition: If frames are left out, no record refers to a frame.
  package func recorded(_ trace: Trace) -> Trace {
    var trace = trace
    for index in trace.surfaces.indices {
      trace.surfaces[index].frames = recorded(trace.surfaces[index].frames)
    }
    for index in trace.displays.indices {
      if !statesInterval { trace.displays[index].interval = nil }
      let count = trace.displays[index].refreshes.count
      switch refreshes {
      case .numbered: break
      case .timed:
        trace.displays[index].refreshes.setStored(.number, IntegerColumn(missing: count))
      case .none: trace.displays[index].refreshes = Table<RefreshColumn>()
      }
    }
    return trace
  }

  private func recorded(_ frames: Table<FrameColumn>) -> Table<FrameColumn> {
    var frames = frames
    if losesEvery != nil {
      var numbers = IntegerColumn()
      for row in 0..<frames.count { numbers.append(Int64(row)) }
      frames.setStored(.identifier, numbers)
    }
    for column in unseen where frames.has(column) {
      frames.setStored(column, IntegerColumn(missing: frames.count))
    }
    let last = Double(max(frames.count, 1))
    let rows = (0..<frames.count).filter { row in
      part.contains(Double(row) / last) && losesEvery.map { row % $0 != $0 - 1 } ?? true
    }
    if rows.count < frames.count { frames.reorder(by: rows.map(Int32.init)) }
    return frames
  }
}
