public import FrameTrace

/// Thread activity recorded alongside the frames by another tool, such as trace-cmd.
public struct JoinedThreads: Sendable {
  private let recording: Trace
  private let offset: Nanoseconds

  /// The name of a clock in a trace-cmd recording.
  static func clockName(_ clock: String) -> String { "trace-cmd's clock \(clock)" }

  /// The trace-cmd clock that frame recorders on Linux also use.
  private static let sharedClock = clockName("mono")

  /// - Parameters:
  ///   - recording: A recording with the states of threads.
  ///   - offset: The offset to add to its times to convert them to the frames' clock; `nil` if the user states none.
  /// - Throws: `ParseError` if the recording has no thread states, or if its clock differs from the frames' clock and
  ///   no offset is stated.
  public init(_ recording: Trace, offset: Nanoseconds?) throws(ParseError) {
    guard recording.threadStates.count > 0 else {
      throw ParseError(
        path: recording.provenance.file,
        problem: "expected a recording of what threads did, found one without any",
        help: "'trace-cmd record -e sched -C mono' records it")
    }
    if offset == nil, let clock = recording.clocks.first?.name,
      clock.hasPrefix(Self.clockName("")), clock != Self.sharedClock
    {
      throw ParseError(
        path: recording.provenance.file,
        problem: "expected a recording on the clock of the frames, found one on \(clock)",
        help: "record with 'trace-cmd record -C mono', or state --threads-offset MS")
    }
    (self.recording, self.offset) = (recording, offset ?? .zero)
  }

  /// The trace with these threads, their states, and the slices that they marked.
  /// - Throws: `ParseError` if the trace already has thread states, or if the recording covers a different time.
  public func joined(to trace: Trace) throws(ParseError) -> Trace {
    let file = recording.provenance.file
    guard trace.threadStates.count == 0 else {
      throw ParseError(
        path: file, problem: "\(trace.provenance.file) says itself what threads did",
        help: "leave --threads out")
    }
    let states = recording.threadStates
    let times = (0..<states.count).compactMap { states[$0, .start] }
    let frames = trace.surfaces.flatMap { surface in
      (0..<surface.frames.count).map { surface.frames.reference($0).nanoseconds }
    }
    if let first = times.min(), let last = times.max(), let start = frames.min(),
      let end = frames.max(), first + offset.count > end || last + offset.count < start
    {
      throw ParseError(
        path: file,
        problem: "its threads were recorded at another time than the frames, or on another clock",
        help: "record with 'trace-cmd record -C mono', or state --threads-offset MS")
    }
    var builder = TraceBuilder(trace.provenance)
    builder.trace = trace
    for issue in trace.issues + recording.issues {
      builder.log.note(
        issue.kind, issue.severity, issue.message, count: issue.count, at: issue.first)
    }
    append(recording.threads, to: &builder.trace.threads)
    append(recording.threadStates, to: &builder.trace.threadStates)
    append(recording.markers, to: &builder.trace.markers) { recording.markers[$0, .thread] != nil }
    builder.trace.provenance.companions.append(file)
    builder.trace.clocks.append(
      ClockDomain(name: "threads of \(file)", join: .stated, offset: offset, resolution: nil))
    builder.log.note(
      .joinAssumed, .repaired,
      "thread states of \(recording.provenance.shortTitle), taken to be on the clock of the frames",
      count: states.count)
    return builder.finish()
  }

  private func append<Column: TableColumn>(
    _ source: Table<Column>, to table: inout Table<Column>,
    where isWanted: (Int) -> Bool = { _ in true }
  ) {
    for row in 0..<source.count where isWanted(row) {
      var joined = Table<Column>.Row()
      for column in Column.allCases {
        switch column.schema.kind {
        case .time: joined[column] = source[row, column].map { $0 + offset.count }
        case .text:
          joined[column] = source.text(row, column).map { table.texts.number(of: $0) }
        default: joined[column] = source[row, column]
        }
      }
      table.append(joined)
    }
  }
}
