/// An importer of the files of one of the tools that write PresentMon's columns.
protocol PresentMonImporter: TraceImporter {
  var tool: PresentMonHeader.Tool { get }
}

extension PresentMonImporter {
  func recognise(_ head: FileHead) -> Recognition? { PresentMon.recognise(head, as: tool) }

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
  /// From the time the frame's row stands by to the input, in nanoseconds.
  let distance: Int64

  /// The input as a touch sample, the main one of itself, with the distance in the place of
  /// its time until frames are in order and their times are settled.
  var row: Table<TouchColumn>.Row {
    var row = Table<TouchColumn>.Row()
    row[.kind] = TouchColumn.Kind.main.rawValue
    row[.device] = device.rawValue
    row[.scanStart] = distance
    row[.surface] = Int64(surface)
    row[.frame] = Int64(frame)
    return row
  }

  /// Puts times in the place of distances.
  static func settle(_ trace: inout Trace) {
    let touches = trace.touches
    trace.touches.references = (0..<touches.count).map { row in
      let surface = touches[row, .surface].map { trace.surfaces[Int($0)] }
      let frame = touches[row, .frame].flatMap { surface?.frames.references[Int($0)] }
      return touches.references[row] &+ (frame ?? 0)
    }
  }
}
