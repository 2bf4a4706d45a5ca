import FrameTrace

/// An importer of files from one of the tools that write PresentMon's columns.
protocol PresentMonImporter: TraceImporter {
  var tool: PresentMonHeader.Tool { get }
}

extension PresentMonImporter {
  var platform: Platform? { .windows }

  func recognize(_ head: FileHead) -> Recognition? { PresentMon.recognize(head, as: tool) }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try PresentMon.readRows(input, provenance, demand)
  }
}

/// An input in a row of a PresentMon CSV.
struct PresentMonInput {
  let device: TouchColumn.Device
  let surface: Int
  /// The index of its frame in the surface.
  let frame: Int
  /// The distance from the reference time of the frame's row to the input.
  let distance: Nanoseconds

  /// The input as a touch sample, which is the main sample of its input.
  /// - Parameter frame: The row of its frame in the trace.
  func row(in trace: Trace, frame: Int) -> Table<TouchColumn>.Row {
    var row = Table<TouchColumn>.Row()
    row[.kind] = TouchColumn.Kind.main.rawValue
    row[.device] = device.rawValue
    row[.scanStart] = (trace.surfaces[surface].frames.reference(frame) + distance).nanoseconds
    row[.surface] = Int64(surface)
    row[.frame] = Int64(frame)
    return row
  }
}
