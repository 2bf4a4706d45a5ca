public import FrameTrace

/// Touches recorded alongside the frames by a device with a separate clock.
public struct JoinedTouches: Sendable {
  /// What the user states about the other clock.
  public struct Offset: Hashable, Sendable {
    /// The name of the clock; `nil` if it has none.
    public let name: String?
    /// The offset to add to its times to convert them to the frames' clock.
    public let length: Nanoseconds

    /// Reads `12.5`, in ms, or `camera=12.5`; `nil` for any other string.
    public init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard let last = parts.last, let length = Double(last),
        Timestamp.believed(length, unit: 1e6) != nil
      else { return nil }
      name = parts.count == 2 ? String(parts[0]) : nil
      self.length = .milliseconds(length)
    }
  }

  let touches: Trace
  let offset: Offset

  /// - Parameter touches: A recording with touches.
  /// - Throws: `ParseError` if the recording has no touches.
  public init(_ touches: Trace, _ offset: Offset) throws(ParseError) {
    guard touches.touches.count > 0 else {
      throw ParseError(
        path: touches.provenance.file,
        problem: "expected a recording of touches, found one without any",
        help: "evemu-record, libinput record, getevent -lt and evtest record them")
    }
    (self.touches, self.offset) = (touches, offset)
  }

  /// The trace with these touches added: on the only surface with frames, otherwise on no surface.
  public func joined(to trace: Trace) -> Trace {
    var builder = TraceBuilder(trace.provenance)
    builder.trace = trace
    for issue in trace.issues {
      builder.log.note(
        issue.kind, issue.severity, issue.message, count: issue.count, at: issue.first)
    }
    let drawn = trace.surfaces.indices.filter { trace.surfaces[$0].frames.count > 0 }
    let surface = drawn.count == 1 ? drawn.first.map { Int64($0) } : nil
    let source = touches.touches
    for row in 0..<source.count {
      var joined = Table<TouchColumn>.Row()
      for column in TouchColumn.allCases where ![.surface, .frame].contains(column) {
        let value = source[row, column]
        joined[column] =
          column.schema.kind == .time ? value.map { $0 &+ offset.length.count } : value
      }
      // As far as such a recording shows, the app receives a touch when the kernel does.
      joined[.delivered] = joined[.delivered] ?? joined[.scanEnd] ?? joined[.scanStart]
      joined[.surface] = surface
      builder.trace.touches.append(joined)
    }
    let file = touches.provenance.file
    builder.trace.provenance.companions.append(file)
    builder.trace.clocks.append(
      ClockDomain(
        name: offset.name ?? "touches of \(file)", join: .stated, offset: offset.length,
        resolution: nil))
    builder.log.note(
      .joinAssumed, .repaired,
      "touches of \(touches.provenance.shortTitle), aligned by the user's offset (\(FixedNumber.text(offset.length.milliseconds, decimals: 3)) ms) and assumed to reach the app when the kernel got them",
      count: source.count)
    return builder.finish()
  }
}
