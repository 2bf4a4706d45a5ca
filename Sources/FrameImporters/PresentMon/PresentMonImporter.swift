import FrameTrace

/// An importer of the files of one of the tools that write PresentMon's columns.
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

/// An input that a row of a PresentMon CSV names.
struct PresentMonInput {
  let device: TouchColumn.Device
  let surface: Int
  /// The row of its frame among the surface's frames.
  let frame: Int
  /// From the time the frame's row stands by to the input.
  let distance: Nanoseconds

  /// The input as a touch sample, the main one of itself.
  /// - Parameter places: Where frames are now that they are in order.
  func row(in trace: Trace, _ places: FramePlaces) -> Table<TouchColumn>.Row {
    let frame = places.row(frame, of: surface)
    var row = Table<TouchColumn>.Row()
    row[.kind] = TouchColumn.Kind.main.rawValue
    row[.device] = device.rawValue
    row[.scanStart] = (trace.surfaces[surface].frames.reference(frame) + distance).nanoseconds
    row[.surface] = Int64(surface)
    row[.frame] = Int64(frame)
    return row
  }
}
