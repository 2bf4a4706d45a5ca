public import FrameTrace

/// The formats that can be read.
public enum Importers {
  /// All importers, the strictest recognizer first.
  static let all: [any TraceImporter] = [
    NativeImporter(),
    PackedImporter(),
    FrameRecording(),
    TraceDat(),
    PresentMon(),
    OCAT(),
    FrameView(),
    CapFrameX(),
    MangoHud(),
    UnrealProfile(),
    TracyZones(),
    FrameTable.kwin,
    FrameTable.steamVR,
    FrameTable.xrFrameTools,
    FrameTable.pyrofling,
    FrameTable.unity,
    FrameTable.fraps,
    Xctrace(),
    XCTestResults(),
    MetricKitPayload(),
    DeviceFrameRates(),
    Perfetto(),
    Gfxinfo(),
    SurfaceFlingerLatency(),
    Macrobenchmark(),
    ActivityStart(),
    SurfaceFlingerStats(),
    VrApiLog(),
    FlashlightResults(),
    Flutter(),
    ChromeTrace(),
    PageTimings(),
    WestonTimeline(),
    X11Presents(),
    WaylandProxy(),
    WaylandLog(),
    Systrace(),
    Evemu(),
    HIDRecorder(),
    LibinputRecord(),
    Getevent(),
    Evtest(),
    GenericCSV(),
  ]

  /// The known facts about the program that made a recording.
  private static func source(of provenance: Provenance) -> RecordingSource {
    // A trace in the native format states which importer read its source.
    let origin = provenance.origin.map { String($0.prefix { $0 != ":" }) }
    let name = origin ?? provenance.importer
    return all.first { $0.name == name }?.source ?? .unknown
  }

  /// A format as shown in lists for users.
  public struct Format: Sendable {
    /// The name in `--input-format`, the display name, the supported versions, and where the format is documented.
    public let name, title, versions, documentation: String
  }

  /// The formats that can be read, in the order in which they are tried.
  public static var formats: [Format] {
    all.map {
      Format(name: $0.name, title: $0.title, versions: $0.versions, documentation: $0.documentation)
    }
  }

  /// Reads an input, in the named format or in the format recognized by its content.
  /// - Parameter demand: What the trace must contain; everything else may be missing.
  /// - Throws: `ParseError` if the format is unknown or nothing can be read.
  public static func read(
    _ input: InputFile, as choice: ImportChoice = ImportChoice(),
    demand: TraceDemand = .everything
  ) throws(ParseError) -> Trace {
    let head = FileHead(input.head)
    let (importer, recognition) = try choose(input, head, choice)
    let provenance = Provenance(
      file: input.path, importer: importer.name, format: recognition.format,
      reason: recognition.reason, compression: input.compression)
    let builder = try importer.read(input, provenance, demand)
    guard !builder.trace.isEmpty else {
      throw ParseError(nothingIn: builder, path: input.path, recognition.format, importer)
    }
    var trace = builder.finish()
    trace.provenance.source = source(of: trace.provenance)
    try choice.state(in: &trace)
    return trace
  }

  /// Reads the parts of one recording into one trace.
  /// - Parameter inputs: At least one input; all inputs must have the same format.
  public static func read(
    recording inputs: [InputFile], as choice: ImportChoice = ImportChoice(),
    demand: TraceDemand = .everything
  ) throws(ParseError) -> Trace {
    // Clock sidecars are read separately.
    let parts = inputs.filter { !ClockSidecar.recognizes(FileHead($0.head)) }
    let (inputs, others) = traces(among: parts.isEmpty ? inputs : parts, choice)
    guard let first = inputs.first, inputs.count > 1 else {
      guard let only = inputs.first else {
        throw ParseError(.inputOutput, path: "recording", problem: "no files were given")
      }
      var trace = try read(only, as: choice, demand: demand)
      var log = IssueLog()
      log.note(leftOut: others)
      trace.issues += log.issues
      return trace
    }
    var paths: Set<String> = []
    if let again = inputs.first(where: { !paths.insert($0.path).inserted }) {
      throw ParseError(
        path: again.path, problem: "expected the files of one recording, found this one twice")
    }
    let (importer, recognition) = try choose(first, FileHead(first.head), choice)
    for input in inputs.dropFirst() {
      let other = try choose(input, FileHead(input.head), choice).0
      guard other.family == importer.family else {
        throw ParseError(
          path: input.path,
          problem: "expected another \(importer.title) of the recording, found \(other.title)")
      }
    }
    let provenance = Provenance(
      file: "\(first.path) and \(inputs.count - 1) more", importer: importer.name,
      format: "\(recognition.format), \(inputs.count) files of one recording",
      reason: recognition.reason, compression: nil)
    var builder = try importer.read(recording: inputs, provenance, demand)
    builder.log.note(leftOut: others)
    guard !builder.trace.isEmpty else {
      throw ParseError(nothingIn: builder, path: provenance.file, recognition.format, importer)
    }
    var trace = builder.finish()
    trace.provenance.source = source(of: trace.provenance)
    try choice.state(in: &trace)
    return trace
  }

  /// Whether an input is a trace, judged by its first bytes.
  public static func recognizes(_ input: InputFile) -> Bool {
    let head = FileHead(input.head)
    return all.contains { $0.recognize(head) != nil }
  }

  /// The string that identifies the running program in a dump; `nil` for other inputs.
  public static func dumpedProgram(_ input: InputFile) -> String? {
    let head = FileHead(input.head)
    return all.first { $0.recognize(head) != nil }?.dumpedProgram(head)
  }

  /// The files of a recording that are traces, and the other files, such as notes and pictures. If no file is a trace,
  /// or the user states the format, all files count as traces.
  private static func traces(
    among inputs: [InputFile], _ choice: ImportChoice
  ) -> (traces: [InputFile], others: [InputFile]) {
    guard choice.format == nil, choice.columns == ColumnMap(), inputs.count > 1 else {
      return (inputs, [])
    }
    let isTrace = inputs.map(recognizes)
    let traces = zip(inputs, isTrace).filter(\.1).map(\.0)
    if traces.isEmpty { return (inputs, []) }
    return (traces, zip(inputs, isTrace).filter { !$0.1 }.map(\.0))
  }

  private static func choose(
    _ input: InputFile, _ head: FileHead, _ choice: ImportChoice
  ) throws(ParseError) -> (any TraceImporter, Recognition) {
    if let failure = input.startFailure { throw failure }
    let table = GenericCSV(columns: choice.columns)
    if let recognition = table.recognize(head) {
      // An input with named columns is a table, even if it looks like another format.
      guard choice.format == nil || choice.format == table.name else {
        throw ParseError(
          path: input.path,
          problem:
            "expected --columns with a table, found it with \(choice.format ?? "another format")",
          help: "leave --input-format or --columns out")
      }
      if let refusal = Refusals.refuseSamples(input, head) { throw refusal }
      return (table, recognition)
    }
    if let format = choice.format { return try importer(named: format, input, head) }
    for importer in all {
      if let recognition = importer.recognize(head) { return (importer, recognition) }
    }
    throw Refusals.refuse(input, head)
  }

  private static func importer(
    named name: String, _ input: InputFile, _ head: FileHead
  ) throws(ParseError) -> (any TraceImporter, Recognition) {
    guard let importer = all.first(where: { $0.name == name }) else {
      let names = all.map(\.name).joined(separator: ", ")
      throw ParseError(
        path: input.path, problem: "expected an input format from \(names), found \(name)",
        help: "'frametool list formats' describes them")
    }
    guard let recognition = importer.recognize(head) else {
      throw ParseError(
        path: input.path, problem: "expected \(importer.title), found something else",
        help: name == GenericCSV().name
          ? "name the table's columns with --columns"
          : "leave --input-format out to detect the format by content")
    }
    return (importer, Recognition(format: recognition.format, reason: "named with --input-format"))
  }
}

extension Trace {
  /// Whether the trace has nothing to analyze.
  var isEmpty: Bool {
    frameCount == 0 && touches.count == 0 && launches.count == 0 && commits.count == 0
      && bufferEvents.count == 0 && threadStates.count == 0 && calls.count == 0
      && statedHitches.count == 0 && hangs.count == 0 && pageEvents.count == 0 && figures.count == 0
      && bins.count == 0
      && markers.count == 0 && telemetry.isEmpty && passes.count == 0 && layers.count == 0
      && displays.allSatisfy { $0.refreshes.count == 0 }
  }
}

extension IssueLog {
  /// File extensions of pictures and pages; no recorder writes traces to such files.
  private static let pictures = ["png", "svg", "pdf", "html", "md", "jpg", "jpeg"]

  /// Notes the files of a recording that are not traces. Each counts as a loss, except for pictures and pages.
  fileprivate mutating func note(leftOut files: [InputFile]) {
    for file in files {
      let suffix = file.path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      note(
        .unknownRecord, Self.pictures.contains(suffix) ? .info : .dataLoss,
        "files that are not traces, left out: \(file.path)")
    }
  }
}
