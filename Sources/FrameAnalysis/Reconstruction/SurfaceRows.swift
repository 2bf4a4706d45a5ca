import FrameTrace

/// The rows of a table grouped by surface, so that the rows of one surface are found without visiting others.
struct SurfaceRows: Sendable {
  /// The rows of each surface, one surface after another, each in order.
  private let rows: [Int32]
  /// The positions where each surface's rows begin, followed by the position where the last surface's rows end.
  private let starts: [Int]

  /// Groups the rows in linear time.
  /// - Parameters:
  ///   - column: The column that names the surface.
  ///   - only: The surface of rows that name no surface; `nil` leaves such rows out.
  init<Column>(_ table: Table<Column>, _ column: Column, surfaces: Int, only: Int64? = nil) {
    let surface = { (row: Int) -> Int? in
      (table[row, column] ?? only).flatMap { 0..<Int64(surfaces) ~= $0 ? Int($0) : nil }
    }
    var starts = [Int](repeating: 0, count: surfaces + 2)
    for row in 0..<table.count {
      if let surface = surface(row) { starts[surface + 2] += 1 }
    }
    for surface in 0..<surfaces { starts[surface + 2] += starts[surface + 1] }
    var rows = [Int32](repeating: 0, count: starts[surfaces + 1])
    for row in 0..<table.count {
      guard let surface = surface(row) else { continue }
      rows[starts[surface + 1]] = Int32(row)
      starts[surface + 1] += 1
    }
    (self.rows, self.starts) = (rows, starts)
  }

  subscript(surface: Int) -> ArraySlice<Int32> { rows[starts[surface]..<starts[surface + 1]] }
}

/// The rows of a trace's tables, grouped by surface.
struct TraceRows: Sendable {
  /// Inputs; if there is only one surface, inputs that name no surface belong to it.
  let touches: SurfaceRows
  let commits, bufferEvents: SurfaceRows

  init(_ trace: Trace) {
    let count = trace.surfaces.count
    touches = SurfaceRows(trace.touches, .surface, surfaces: count, only: count == 1 ? 0 : nil)
    commits = SurfaceRows(trace.commits, .surface, surfaces: count)
    bufferEvents = SurfaceRows(trace.bufferEvents, .surface, surfaces: count)
  }
}
