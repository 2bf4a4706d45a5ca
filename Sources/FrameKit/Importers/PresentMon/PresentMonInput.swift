/// An input that a row of a PresentMon CSV names.
struct PresentMonInput {
  let device: TouchColumn.Device
  let surface: Int
  /// The row of its frame among the surface's frames.
  let frame: Int
  /// From the time the frame's row stands by to the input, in nanoseconds.
  let distance: Int64

  /// Puts it among the trace's touch samples, where it is the main sample of itself.
  func append(to trace: inout Trace) {
    let reference = trace.surfaces[surface].frames.references[frame]
    var row = Table<TouchColumn>.Row()
    row[.kind] = TouchColumn.Kind.main.rawValue
    row[.device] = device.rawValue
    row[.scanStart] = reference &+ distance
    row[.surface] = Int64(surface)
    row[.frame] = Int64(frame)
    trace.touches.append(row)
  }
}
