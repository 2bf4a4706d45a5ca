import FrameStatistics
public import FrameTrace

/// The compositor's drawing times, from its log of an output, joined to frames whose display was reported to programs.
///
/// Both sources have the time of the page flip on the system's monotonic clock. This time identifies a frame in the
/// log.
public struct JoinedComposition: Sendable {
  private let recording: Trace
  /// The log's frames, ordered by page-flip time.
  private let flips: [(time: Int64, start: Int64, end: Int64)]

  /// The maximum difference between the display time reported to a program and the log's page flip. Both are the
  /// kernel's timestamp, but a compositor may round it.
  private static let tolerance: Int64 = 500_000

  /// - Parameter recording: A frame log of a compositor.
  /// - Throws: `ParseError` if the recording is anything else.
  public init(_ recording: Trace) throws(ParseError) {
    guard recording.surfaces.count == 1, let surface = recording.surfaces.first,
      surface.process == FrameTable.kwin.surface.process,
      surface.id == FrameTable.kwin.surface.id
    else {
      throw ParseError(
        path: recording.provenance.file,
        problem: "expected a compositor's frame log, found \(recording.provenance.format)",
        help: "KWin writes one with KWIN_LOG_PERFORMANCE_DATA=1")
    }
    self.recording = recording
    let frames = surface.frames
    flips = (0..<frames.count).compactMap { row in
      guard let time = frames[row, .displayed], let start = frames[row, .appStart],
        let end = frames[row, .commit]
      else { return nil }
      return (time, start, end)
    }.sorted { $0.time < $1.time }
  }

  /// The trace, with the compositor's drawing times for each frame in the log.
  /// - Throws: `ParseError` if the trace already states when the compositor drew, or if no frame is in the log.
  public func joined(to trace: Trace) throws(ParseError) -> Trace {
    let file = recording.provenance.file
    guard !trace.surfaces.contains(where: { $0.frames.has(.compositorStart) }) else {
      throw ParseError(
        path: file, problem: "\(trace.provenance.file) says itself when the compositor drew",
        help: "leave --compositor out")
    }
    var builder = TraceBuilder(trace.provenance)
    builder.trace = trace
    for issue in trace.issues {
      builder.log.note(
        issue.kind, issue.severity, issue.message, count: issue.count, at: issue.first)
    }
    var (found, early, others) = (0, 0, 0)
    for index in trace.surfaces.indices {
      let frames = trace.surfaces[index].frames
      let flips = (0..<frames.count).map { frames[$0, .displayed].flatMap(flip(at:)) }
      let known = flips.count { $0 != nil }
      guard known > 0, known * 10 >= displayedCount(frames) * 9 else {
        others += displayedCount(frames)
        continue
      }
      var (starts, ends) = (IntegerColumn(), IntegerColumn())
      for row in 0..<frames.count {
        guard let flip = flips[row], flip.start >= frames[row, .commit] ?? .min else {
          starts.append(IntegerColumn.missing)
          ends.append(IntegerColumn.missing)
          if flips[row] != nil { early += 1 }
          continue
        }
        starts.append(flip.start)
        ends.append(flip.end)
        found += 1
      }
      builder.trace.surfaces[index].frames.setStored(.compositorStart, starts)
      builder.trace.surfaces[index].frames.setStored(.compositorEnd, ends)
    }
    guard found > 0 else {
      throw ParseError(
        path: file,
        problem:
          "fewer than nine in ten of the displayed frames are in the log, which is of another time or output",
        help: "record both at once, the log of the output that shows the program")
    }
    builder.trace.provenance.companions.append(file)
    builder.log.note(
      .joinAssumed, .repaired,
      "frames with the compositor's drawing from its log, found by the time of the page flip",
      count: found)
    builder.log.note(
      .brokenReference, .info,
      "displayed frames of surfaces of which the compositor's log has fewer than nine in ten",
      count: others)
    builder.log.note(
      .brokenReference, .info,
      "frames handed over after the compositor began to draw, without its drawing", count: early)
    return builder.finish()
  }

  /// The number of frames displayed while the log was written. Frames of another output sometimes match a page flip at
  /// random: at 60 Hz, one in 17 is within the tolerance.
  private func displayedCount(_ frames: Table<FrameColumn>) -> Int {
    guard let first = flips.first?.time, let last = flips.last?.time else { return 0 }
    let span = (first - Self.tolerance)...(last + Self.tolerance)
    return (0..<frames.count).count { frames[$0, .displayed].map(span.contains) ?? false }
  }

  /// The frame of the log that was displayed at a time.
  private func flip(at time: Int64) -> (time: Int64, start: Int64, end: Int64)? {
    let next = flips.partitioningIndex { $0.time >= time }
    let near = flips[max(0, next - 1)..<min(flips.count, next + 1)]
    return near.filter { ($0.time &- time).magnitude <= Self.tolerance.magnitude }
      .min { ($0.time &- time).magnitude < ($1.time &- time).magnitude }
  }
}
