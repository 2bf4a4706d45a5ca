public import FrameTrace

/// How the user wants inputs to be read, and the user's statements about them.
public struct ImportChoice: Sendable {
  /// The importer's name; `nil` to choose it by content.
  public var format: String?
  /// The columns of a table, if the user names them; the input is then read as a table.
  public var columns = ColumnMap()
  /// The app's target frame interval, as stated by the user; `nil` to take it from the trace.
  public var targetInterval: Nanoseconds?
  /// The display's refresh interval, as stated by the user; `nil` to take it from the trace.
  public var refreshInterval: Nanoseconds?

  /// Creates a choice of format; `nil` to choose it by content.
  public init(format: String? = nil) { self.format = format }

  /// Applies the user's statements to a trace.
  /// - Throws: `ParseError` if the statements apply to nothing in the trace.
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
    for index in trace.displays.indices where !trace.displays[index].keeps(interval) {
      trace.displays[index].interval = interval
      trace.displays[index].isVariable = false
      trace.displays[index].isIntervalOfUser = true
    }
    for index in trace.surfaces.indices {
      trace.surfaces[index].display = trace.surfaces[index].display ?? 0
    }
  }
}

extension Display {
  /// Whether the source already states a fixed interval within 1 % of another interval.
  fileprivate func keeps(_ other: Nanoseconds) -> Bool {
    guard isVariable != true, let interval else { return false }
    return (interval - other).magnitude * 100 <= other
  }
}
