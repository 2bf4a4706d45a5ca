import FrameAnalysis
package import FrameTrace
package import FrameVerdicts

/// A file with paired runs: a summary whose first line also states what was measured, and how to resume the
/// measurement.
package struct PairedRunsFile: Sendable {
  /// The conditions that must be the same to resume a measurement.
  package struct Beginning: Hashable, Sendable {
    /// The arguments of the command.
    package var arguments: [String]
    /// The folder in which the measurement was started; `nil` if the system does not report it.
    package var folder: String?
    /// The full names of the commits of both sides; empty without a checkout.
    package var commits: [String] = []
    package var seed: UInt64

    package init(arguments: [String], folder: String?, seed: UInt64) {
      (self.arguments, self.folder, self.seed) = (arguments, folder, seed)
    }
  }

  /// The runs made so far.
  package let runs: PairedRuns
  /// How the measurement was started.
  package let beginning: Beginning
  /// The number of bytes that can be kept: all except a truncated last line.
  package let usableBytes: Int

  /// Whether an input is such a file, judged by its first bytes.
  package static func recognizes(_ input: InputFile) -> Bool {
    let head = String(decoding: input.head.prefix(200), as: UTF8.self)
    return SummarizedRun.schemas.contains {
      head.hasPrefix("{\"schema\":\"\($0)\",\"\(PairedRunsKey.bench)\":")
    }
  }

  /// Reads a file.
  package init(reading input: InputFile) throws(ParseError) {
    guard Self.recognizes(input) else {
      throw ParseError(
        path: input.path, problem: "expected runs that 'frametool bench' made",
        help: "'frametool bench -o FILE' writes such files")
    }
    let bytes = try input.readAll(atMost: RunSummaryReader.mostBytes, of: "runs")
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard end > 0, let header = JSONNode(reading: Array(first))?[PairedRunsKey.bench],
      let arguments = header[PairedRunsKey.arguments]?.array?.compactMap(\.text),
      let seed = header[PairedRunsKey.seed]?.integer.flatMap({ UInt64(exactly: $0) }),
      let names = header[PairedRunsKey.names]?.array?.compactMap(\.text), names.count == 2,
      let kind = header[PairedRunsKey.kind]?.text.flatMap(ComparisonOptions.Kind.init)
    else {
      throw ParseError(
        path: input.path, position: .line(1),
        problem: "expected what was measured: arguments, a seed, two names and a kind",
        help: "the file is cut off or was changed: measure again with 'frametool bench'")
    }
    var terms = PairedRuns.Terms()
    terms.names = SideNames(before: names[0], after: names[1])
    terms.kind = kind
    terms.metrics = (header[PairedRunsKey.metrics]?.array ?? []).compactMap(\.text)
    terms.thresholds = (header[PairedRunsKey.thresholds]?.array ?? []).compactMap(\.text)
    var lines: [SummarizedRun] = []
    try SummaryReader.read(InputFile(bytes: Array(bytes[..<end]), path: input.path), withRuns: true)
    {
      run, _, _ in lines.append(run)
    }
    runs = PairedRuns(terms, lines)
    var beginning = Beginning(
      arguments: arguments, folder: header[PairedRunsKey.folder]?.text, seed: seed)
    beginning.commits = (header[PairedRunsKey.commits]?.array ?? []).compactMap(\.text)
    self.beginning = beginning
    usableBytes = end
  }
}

/// The keys of the first line.
enum PairedRunsKey {
  static let bench = "bench"
  static let arguments = "arguments"
  static let seed = "seed"
  static let folder = "folder"
  static let commits = "commits"
  static let names = "names"
  static let kind = "kind"
  static let metrics = "metrics"
  static let thresholds = "thresholds"
}

extension Writers {
  /// The first line of a file with paired runs.
  package static func header(
    _ terms: PairedRuns.Terms, _ beginning: PairedRunsFile.Beginning
  ) -> String {
    var record = FieldRecord.summaryHeader
    record.add(PairedRunsKey.bench) { record in
      record.add(PairedRunsKey.arguments, values: beginning.arguments)
      record.addIfAny(PairedRunsKey.folder, beginning.folder)
      record.add(PairedRunsKey.commits, values: beginning.commits)
      record.add(PairedRunsKey.seed, Int64(clamping: beginning.seed))
      record.add(PairedRunsKey.names, values: [terms.names.before, terms.names.after])
      record.add(PairedRunsKey.kind, terms.kind.rawValue)
      record.add(PairedRunsKey.metrics, values: terms.metrics)
      record.add(PairedRunsKey.thresholds, values: terms.thresholds)
    }
    return JSONText.line(record)
  }
}
