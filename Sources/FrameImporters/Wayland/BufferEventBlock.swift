import FrameTrace

/// Events of buffers that are appended to a trace together, column by column, because a log has several events for each
/// frame.
struct BufferEventBlock {
  private var times: [Int64] = []
  private var events: [Int64] = []
  private var surfaces: [Int64] = []
  private var buffers: [Int64] = []
  private var frames: [Int64] = []

  /// The number of events that are appended together.
  private static let size = 16_384

  var isFull: Bool { times.count >= Self.size }

  /// - Parameters:
  ///   - time: In nanoseconds on the trace clock.
  ///   - surface: The surface's index in the trace.
  ///   - row: The row of the event's frame.
  mutating func append(
    _ event: WaylandConnection.BufferEvent, at time: Int64, of surface: Int, row: Int64?
  ) {
    times.append(time)
    events.append(event.event.rawValue)
    surfaces.append(Int64(surface))
    buffers.append(Int64(event.buffer))
    frames.append(row ?? IntegerColumn.missing)
  }

  /// Appends the events to a table and clears the block.
  mutating func move(to table: inout Table<BufferColumn>) {
    // The table leaves out and counts times that are too large, row by row.
    guard times.allSatisfy({ $0.magnitude <= Timestamp.bound }) else {
      for position in times.indices { table.append(row(position)) }
      forget()
      return
    }
    // A row's time is stored as the distance from itself.
    let distances = [Int64](repeating: 0, count: times.count)
    table.append(
      at: times, rows: Array(0..<Int32(times.count)),
      stored: [
        (.time, distances), (.event, events), (.surface, surfaces), (.buffer, buffers),
        (.frame, frames),
      ])
    forget()
  }

  private func row(_ position: Int) -> Table<BufferColumn>.Row {
    var row = Table<BufferColumn>.Row()
    row[.time] = times[position]
    row[.event] = events[position]
    row[.surface] = surfaces[position]
    row[.buffer] = buffers[position]
    row[.frame] = frames[position]
    return row
  }

  private mutating func forget() {
    times.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    surfaces.removeAll(keepingCapacity: true)
    buffers.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
  }
}
