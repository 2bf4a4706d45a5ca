import FrameTrace

/// XML from `xcrun xctrace export --xpath`, with tables of an Instruments recording.
///
/// Documentation: `man xctrace`, and the schemas that every export carries. Exports of Xcode 26 and 27 were examined.
/// The rows of
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
  let platform: Platform? = .apple
  let framesAdvice: String? =
    "for frames, record with the template Animation Hitches, and export hitches, hitches-renders, hitches-updates and display-surface-swap"

  func advice(_ fact: RecordedFact) -> String? {
    switch fact {
    case .displayTimes:
      "export the tables display-surface-swap and display-vsyncs-interval too"
    case .gpuTimes:
      "export the table hitches-gpu or metal-gpu-intervals too"
    case .touches:
      "they come from hid-time of the table display-surface-swap, which is empty for frames without one"
    }
  }

  func recognize(_ head: FileHead) -> Recognition? {
    if XctraceContents.recognizes(head) {
      return Recognition(format: "xctrace export", reason: "the document is a trace-toc")
    }
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
    var reading = XctraceReading()
    for input in inputs { try reading.read(input) }
    return try reading.finish(provenance)
  }
}

/// Reads the files of a recording one by one.
private struct XctraceReading {
  private var recording = XctraceRecording()
  private var log = IssueLog()
  /// The runs of the tables, from the paths that they were exported with.
  private var runs: Set<String> = []
  private var contents: XctraceContents?
  private var hasTable = false
  private var read = UnreadRecords()
  /// The errors of files without readable content.
  private var refusals: [ParseError] = []

  mutating func read(_ input: InputFile) throws(ParseError) {
    let head = FileHead(input.head)
    if XctraceContents.recognizes(head) {
      let contents = try XctraceContents(input)
      recording.conditions += contents.conditions
      self.contents = contents
    } else if Self.isTrackDetail(head) {
      refusals.append(
        ParseError(
          path: input.path,
          problem: "expected an xctrace export of a table, found one of a track's detail",
          help: "export tables with --xpath '\(Self.path(to: "hitches"))'"))
    } else {
      try readTables(input)
    }
  }

  private static func path(to table: String) -> String {
    "/trace-toc/run[1]/data/table[@schema=\"\(table)\"]"
  }

  /// Whether an export contains a track's detail, which has its rows in attributes. The names of these attributes may
  /// not be valid XML.
  private static func isTrackDetail(_ head: FileHead) -> Bool {
    let start = head.lines(10).joined()
    return start.contains("<node") && start.contains("/track") && !start.contains("<schema")
  }

  private mutating func readTables(_ input: InputFile) throws(ParseError) {
    var document = try XctraceDocument(input)
    var hasRows: Bool {
      document.tables.contains { XctraceRecording.reads($0.name) && $0.rows > 0 }
    }
    do throws(ParseError) {
      while let row = try document.next() { recording.consume(row) }
    } catch {
      guard error.kind == .badData, hasRows else { throw error }
      log.note(
        .cutOff, .dataLoss, "\(input.path) is read only up to an error: \(error.problem)",
        at: error.position)
    }
    guard hasRows else {
      refusals.append(Self.refusal(document, input.path))
      return
    }
    hasTable = true
    runs.formUnion(document.runs)
    for table in document.tables {
      read.note("rows of the table \(table.name)", count: table.rows)
    }
    for table in document.tables where !XctraceRecording.reads(table.name) {
      log.note(
        .unknownRecord, .info, "rows of the table \(table.name), which is not read",
        count: table.rows)
    }
    log.note(
      .brokenReference, .dataLoss, "references to values that are not in the export",
      count: document.brokenReferences)
    log.note(
      .rowWidth, .repaired, "rows with more or fewer cells than their table has columns",
      count: document.oddRows)
    log.note(
      .unknownRecord, .dataLoss, "rows of a table whose columns are not stated, left out",
      count: document.strayRows)
    log.note(
      .joinAssumed, .info, "rows of a table whose columns are taken from the previous table",
      count: document.borrowedRows)
  }

  /// The error for an export without readable content.
  private static func refusal(_ document: XctraceDocument, _ path: String) -> ParseError {
    let known = "supported tables: \(XctraceRecording.names.joined(separator: ", "))"
    if let first = document.tables.first(where: { $0.rows > 0 }) {
      return ParseError(
        path: path,
        problem:
          "expected an xctrace export of a supported table, found one of \(first.name)",
        help: known)
    }
    let names = document.tables.map(\.name).sorted().joined(separator: ", ")
    return ParseError(
      path: path,
      problem: names.isEmpty
        ? "expected a table in the xctrace export, found none"
        : "expected rows in the xctrace export of \(names), found none",
      help: known)
  }

  /// Assembles the trace from all files.
  consuming func finish(
    _ provenance: Provenance
  ) throws(ParseError) -> TraceBuilder {
    if !hasTable {
      if let refusal = refusals.first { throw refusal }
      if let contents { throw Self.refusal(contents, provenance.file) }
    }
    // Some files of a recording may be empty: a recording without hitches has an empty table of hitches.
    for refusal in refusals {
      log.note(
        .unknownRecord, .info,
        "files of the recording with nothing to read: \(refusal.path), \(refusal.problem)")
    }
    if runs.count > 1 {
      log.note(
        .joinAssumed, .repaired, "tables from several runs, combined as if they were from one",
        count: runs.count)
    }
    log.note(
      .malformedValue, .dataLoss, "rows without a time or a subject, left out",
      count: recording.brokenRows)
    var builder = XctraceJoin.trace(recording, provenance, log)
    builder.unread = read
    if recording.brokenRows > 0, builder.trace.isEmpty {
      throw ParseError(
        path: provenance.file,
        problem:
          "expected rows with a time and a subject, found \(recording.brokenRows) that lack either",
        help: "export the table again, with all of its columns")
    }
    if !recording.displays.abilities.isEmpty, builder.trace.isEmpty {
      throw ParseError(
        path: provenance.file,
        problem: "expected an xctrace export with frames, found only device-display-info",
        help: "read it together with other tables of the recording, with --one-recording")
    }
    return builder
  }

  private static func refusal(_ contents: XctraceContents, _ path: String) -> ParseError {
    let tables = contents.tables.filter(XctraceRecording.reads)
    let help =
      tables.first.map {
        "it lists these supported tables: \(tables.joined(separator: ", ")); export them with --xpath '\(Self.path(to: $0))'"
      } ?? "it lists no supported table; record with the Animation Hitches template"
    return ParseError(
      path: path,
      problem: "expected tables of an Instruments recording, found its table of contents",
      help: help)
  }
}

/// The tables to export from an Instruments recording.
package enum XctraceExport {
  /// The tables that are read, by the names of their schemas.
  package static var tables: [String] { XctraceRecording.names }
}
