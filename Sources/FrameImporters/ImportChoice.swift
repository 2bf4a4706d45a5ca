public import FrameTrace

/// How a user wants inputs to be read, and what they state of them.
public struct ImportChoice: Sendable {
  /// The importer's name; `nil` for the one the content shows.
  public var format: String?
  /// Which columns a table has, where the user says; it is then read as a table.
  public var columns = ColumnMap()
  /// The time from frame to frame that the app aims at, as the user states it; `nil` where they
  /// leave it to the trace.
  public var targetInterval: Nanoseconds?
  /// The time between refreshes of the display, as the user states it; `nil` where they leave it to the
  /// trace.
  public var refreshInterval: Nanoseconds?

  /// A format to read the input as; `nil` for the one that its content shows.
  public init(format: String? = nil) { self.format = format }

  /// Puts what the user states into a trace.
  /// - Throws: `ParseError` where the trace has nothing that it applies to.
  func state(in trace: inout Trace) throws(ParseError) {
    if let refreshInterval { try state(refresh: refreshInterval, in: &trace) }
    guard let targetInterval else { return }
    let frames = trace.surfaces.filter { $0.frames.count > 0 }
    guard !frames.isEmpty else {
      throw ParseError(
        path: trace.provenance.file,
        problem: "expected frames for a target rate, found none")
    }
    guard frames.contains(where: { $0.frames.valueCount(.expectedDisplay) < $0.frames.count })
    else {
      throw ParseError(
        path: trace.provenance.file,
        problem: "a target rate has no effect: the trace states when each frame was expected")
    }
    for index in trace.surfaces.indices { trace.surfaces[index].targetInterval = targetInterval }
  }

  private func state(
    refresh interval: Nanoseconds, in trace: inout Trace
  ) throws(ParseError) {
    guard trace.frameCount > 0 else {
      throw ParseError(
        path: trace.provenance.file, problem: "expected frames for a stated refresh, found none")
    }
    if trace.displays.isEmpty { trace.displays.append(Display(id: "display")) }
    for index in trace.displays.indices {
      trace.displays[index].interval = interval
      trace.displays[index].isVariable = false
      trace.displays[index].isIntervalOfUser = true
    }
    for index in trace.surfaces.indices {
      trace.surfaces[index].display = trace.surfaces[index].display ?? 0
    }
  }
}
