/// How a user wants inputs to be read, and what they state of them.
public struct ImportChoice: Sendable {
  /// The importer's name; `nil` for the one the content shows.
  public var format: String?
  /// Which columns a table has, where the user tells; then it is read as one.
  public var columns = ColumnMap()
  /// The time from frame to frame that the app aims at, as the user states it; `nil` where they
  /// leave it to the trace.
  public var targetInterval: Nanoseconds?

  public init(format: String? = nil) { self.format = format }

  /// Puts what the user states into a trace.
  /// - Throws: `ParseError` where the trace has nothing that it could say something of.
  func state(in trace: inout Trace) throws(ParseError) {
    guard let targetInterval else { return }
    let frames = trace.surfaces.filter { $0.frames.count > 0 }
    guard !frames.isEmpty else {
      throw ParseError(
        path: trace.provenance.file,
        problem: "expected frames that a target rate is of, found none")
    }
    guard frames.contains(where: { $0.frames.valueCount(.expectedDisplay) < $0.frames.count })
    else {
      throw ParseError(
        path: trace.provenance.file,
        problem: "a target rate has no effect: the trace states when each frame was expected")
    }
    for index in trace.surfaces.indices { trace.surfaces[index].targetInterval = targetInterval }
  }
}
