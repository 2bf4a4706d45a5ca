import Fixtures
import FrameKit

/// A format that traces are converted to.
struct ConvertFormat {
  /// Who writes it.
  enum Writer {
    case native
    case export
    case encoder(any TraceEncoder)
  }

  let name: String
  let summary: String
  /// How the names of its files end.
  let suffixes: [String]
  let writer: Writer

  /// The formats there are: our own, exports, and the formats of other recorders.
  static let all: [ConvertFormat] =
    [
      ConvertFormat(
        name: "native", summary: "frametool's own format, JSON Lines, without loss",
        suffixes: ["jsonl"], writer: .native)
    ]
    + Exports.entries.map {
      ConvertFormat(name: $0.name, summary: $0.summary, suffixes: $0.suffixes, writer: .export)
    }
    + Encoders.all.filter { $0.name != "native" }.map {
      ConvertFormat(
        name: $0.name, summary: "\($0.importer) log, as that tool writes it", suffixes: [],
        writer: .encoder($0))
    }

  /// The format that the user named, else the one that the name of the file shows.
  static func chosen(_ name: String?, for path: String) -> ConvertFormat {
    let suffix = Output.suffix(of: path)
    let known = all.first { format in
      name.map { $0 == format.name } ?? suffix.map(format.suffixes.contains) ?? false
    }
    return known ?? all[0]
  }

  /// Writes a trace.
  func write(
    _ trace: Trace, _ choice: TraceChoice, to path: String, on console: Console
  ) throws(CommandError) {
    switch writer {
    case .native: try NativeOutput.write(trace, to: path, on: console)
    case .encoder(let encoder):
      let wanted = trace.keeping(choice.surfaces.matches)
      if let why = encoder.whyNot(wanted) { throw refusal(trace, why) }
      try Output.write(to: path, on: console) { $0(encoder.encode(wanted)) }
    case .export: try export(choice.study(of: trace), to: path, on: console)
    }
  }

  private func export(
    _ study: Study, to path: String, on console: Console
  ) throws(CommandError) {
    var why: String?
    var failure: ParseError?
    try Output.writeUnlessGivenUp(to: path, on: console) { sink in
      do throws(ParseError) {
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
