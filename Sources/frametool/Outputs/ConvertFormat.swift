import Fixtures
import FrameKit

/// A format to which traces can be converted.
struct ConvertFormat {
  /// The writer of the format.
  enum Writer {
    case native
    case packed
    case export
    case encoder(any TraceEncoder)
  }

  let name: String
  let summary: String
  /// The file name extensions of the format.
  let suffixes: [String]
  let writer: Writer

  /// Whether the format keeps everything in a trace.
  var keepsEverything: Bool {
    switch writer {
    case .native, .packed: true
    case .export, .encoder: false
    }
  }

  /// All formats: frametool's native formats, exports, and the formats of other recorders.
  static let all: [ConvertFormat] =
    [
      ConvertFormat(
        name: "native", summary: "frametool's own format, lossless JSON Lines",
        suffixes: ["jsonl"], writer: .native),
      ConvertFormat(
        name: "packed", summary: "the same in compressed columns: small, and read fast",
        suffixes: [PackedOutput.suffix], writer: .packed),
    ]
    + Exports.entries.map {
      ConvertFormat(name: $0.name, summary: $0.summary, suffixes: $0.suffixes, writer: .export)
    }
    // An export of the same name contains more than the recorder's log.
    + Encoders.all.filter { encoder in
      !["native", "packed"].contains(encoder.name)
        && !Exports.entries.contains { $0.name == encoder.name }
    }.map {
      ConvertFormat(
        name: $0.name, summary: "\($0.importer) log, as that tool writes it", suffixes: [],
        writer: .encoder($0))
    }

  /// The format that the user named, or else the format indicated by the file extension.
  /// - Throws: A usage error if the extension belongs to a format that cannot be written.
  static func chosen(_ name: String?, for path: String) throws(CommandError) -> ConvertFormat {
    if let name { return all.first { $0.name == name } ?? all[0] }
    guard let suffix = Output.dataSuffix(of: path) else { return all[0] }
    if let known = all.first(where: { $0.suffixes.contains(suffix) }) { return known }
    // A name that contains several dots need not end in an extension.
    guard foreign.contains(suffix) else { return all[0] }
    let written = all.flatMap { format in format.suffixes.map { ".\($0) (\(format.name))" } }
    throw CommandError(
      .usage, "\(path): cannot write .\(suffix) files",
      help:
        "use a name that ends in \(written.joined(separator: ", ")), or choose a format with --as")
  }

  /// Extensions of other formats, refused so that the output is not mistaken for them.
  private static let foreign: Set<String> = [
    "parquet", "feather", "arrow", "xlsx", "xls", "ods", "xml", "yaml", "yml", "tsv", "perfetto",
    "trace", "html", "md", "png", "svg", "pdf", "zip", "gz", "zst",
    "txt", "etl", "h5", "avro",
  ]

  /// Writes a trace.
  /// - Parameter formulas: How formulas in a table are handled.
  func write(
    _ trace: Trace, _ choice: TraceChoice, _ formulas: Formulas?, to path: String,
    on console: Console
  ) throws(CommandError) {
    switch writer {
    case .native: try NativeOutput.write(trace, to: path, on: console)
    case .packed: try PackedOutput.write(trace, to: path, on: console)
    case .encoder(let encoder):
      let wanted = trace.keeping(choice.surfaces.matches)
      if let why = encoder.whyNot(wanted) { throw refusal(trace, why) }
      try Output.write(to: path, on: console) { $0(encoder.encode(wanted)) }
    case .export: try export(choice.study(of: trace), formulas, to: path, on: console)
    }
  }

  private func export(
    _ study: Study, _ formulas: Formulas?, to path: String, on console: Console
  ) throws(CommandError) {
    var why: String?
    var failure: ParseError?
    try Output.writeUnlessGivenUp(to: path, on: console) { sink in
      do throws(ParseError) {
        let sink = name == Exports.table ? Formulas.sink(formulas, for: path, sink) : sink
        why = try Exports.write(study, as: name, to: sink)
      } catch {
        failure = error
      }
      return why == nil && failure == nil
    }
    if let failure { throw CommandError(failure) }
    if let why { throw refusal(study.trace, why) }
  }

  private func refusal(_ trace: Trace, _ why: String) -> CommandError {
    CommandError(
      .usage, "\(trace.provenance.file) cannot be written as \(name): \(why)",
      help: "the native format can hold every trace")
  }
}
