/// XML that `xcrun xctrace export --xpath` writes of tables of an Instruments recording.
///
/// Documentation: `man xctrace`, and the schemas that every export carries. Exports of Xcode 26
/// and 27 were seen. The rows of
///
///     <schema name="display-surface-swap">…<row><start-time …>531099833</start-time>…</row>
///     <schema name="hitches-renders">…<row><start-time …>498301791</start-time>…</row>
///
/// with the same swap id become a frame that the compositor started at 498.30 ms and that was
/// displayed at 531.10 ms.
struct Xctrace: TraceImporter {
  let name = "xctrace"
  let title = "xctrace export"
  let versions = "Xcode 26, 27"
  let documentation = "https://developer.apple.com/documentation/xcode/instruments"

  func recognise(_ head: FileHead) -> Recognition? {
    let text = head.lines(40).joined(separator: "\n")
    guard text.contains("<trace-query-result") else { return nil }
    return Recognition(
      format: "xctrace export", reason: "the document is a trace-query-result")
  }

  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    try read(recording: [input], provenance, demand)
  }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    var recording = XctraceRecording()
    var log = IssueLog()
    for input in inputs { try Self.read(input, into: &recording, &log) }
    var builder = XctraceJoin.trace(recording, provenance)
    log.note(
      .malformedValue, .dataLoss, "rows without a time or a frame, left out",
      count: recording.brokenRows)
    builder.log = log
    return builder
  }

  private static func read(
    _ input: InputFile, into recording: inout XctraceRecording, _ log: inout IssueLog
  ) throws(ParseError) {
    if isTrackDetail(input) {
      throw ParseError(
        path: input.path, problem: "an xctrace export of a track's detail, expected one of a table",
        help: "export tables with --xpath '/trace-toc/run[1]/data/table[@schema=\"hitches\"]'")
    }
    var document = try XctraceDocument(input)
    var hasRows: Bool {
      document.tables.contains { XctraceRecording.reads($0.name) && $0.rows > 0 }
    }
    do throws(ParseError) {
      while let row = try document.next() { recording.take(row) }
    } catch {
      guard error.kind == .badData, hasRows else { throw error }
      log.note(
        .cutOff, .dataLoss, "\(input.path) ends early: \(error.problem)", at: error.place)
    }
    if !hasRows { throw refusal(document, input.path) }
    for table in document.tables where !XctraceRecording.reads(table.name) {
      log.note(
        .unknownRecord, .info, "rows of the table \(table.name), which nothing is read of",
        count: table.rows)
    }
    log.note(
      .brokenReference, .dataLoss, "references to values that are not in the export",
      count: document.brokenReferences)
    log.note(
      .rowWidth, .repaired, "rows with other than their table's number of cells",
      count: document.oddRows)
  }

  /// Whether an export is of a track's detail: its rows are attributes, whose names need not even be
  /// XML.
  private static func isTrackDetail(_ input: InputFile) -> Bool {
    let start = FileHead(input.head).lines(10).joined()
    return start.contains("<node") && start.contains("/track") && !start.contains("<schema")
  }

  /// What an export is that nothing can be read of.
  private static func refusal(
    _ document: XctraceDocument, _ path: String
  ) -> ParseError {
    let known = "tables that are read: \(XctraceRecording.names.joined(separator: ", "))"
    if let first = document.tables.first(where: { $0.rows > 0 }) {
      return ParseError(
        path: path,
        problem:
          "an xctrace export of the table \(first.name), which this version reads nothing of",
        help: known)
    }
    let names = document.tables.map(\.name).sorted().joined(separator: ", ")
    return ParseError(
      path: path,
      problem: names.isEmpty
        ? "an xctrace export without a table"
        : "an xctrace export of \(names) without a single row",
      help: known)
  }
}
