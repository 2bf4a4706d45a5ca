import FrameTrace

/// Reads one format of traces.
///
/// An importer states what a source recorded and nothing else: it fills columns, notes
/// what it had to skip or repair, and leaves every conclusion to the stages after it.
protocol TraceImporter: Sendable {
  /// The name in `--input-format` and in results.
  var name: String { get }
  /// The format's name for people.
  var title: String { get }
  /// The versions and variants that are read.
  var versions: String { get }
  /// Where the format is documented, for people to look up.
  var documentation: String { get }

  /// How to record frames with what makes such files, where these can be without; `nil` where they
  /// cannot.
  var framesAdvice: String? { get }

  /// How to record something that a file can be without; `nil` where its files never have it.
  func advice(_ fact: RecordedFact) -> String?

  /// What its files are recorded on; `nil` where it can be anything.
  var platform: Platform? { get }

  /// What files of one recording have in common, whatever their formats.
  var family: String { get }

  /// What tells dumps of one running program from those of another; `nil` where an input is a recording of
  /// its own.
  func dumpedProgram(_ head: FileHead) -> String?

  /// Tells by its start whether an input is of this format; `nil` when it is not.
  func recognize(_ head: FileHead) -> Recognition?

  /// Reads an input that `recognize` accepted.
  /// - Parameter demand: What is needed; the rest may be left out, and the builder's
  ///   `trace.isPartial` says that it was.
  /// - Throws: `ParseError` when nothing can be read; what can be survived is noted in the
  ///   builder's log.
  func read(
    _ input: InputFile, _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder

  /// Reads inputs that are parts of one recording.
  /// - Parameter inputs: At least two, each of which `recognize` accepted.
  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder
}

extension TraceImporter {
  var family: String { name }
  var framesAdvice: String? { nil }

  var platform: Platform? { nil }

  func advice(_ fact: RecordedFact) -> String? { nil }

  /// What is known of the program that makes its files.
  var source: RecordingSource {
    var source = RecordingSource(platform: platform, framesAdvice: framesAdvice)
    for fact in RecordedFact.allCases { source.advice[fact] = advice(fact) }
    return source
  }

  func dumpedProgram(_ head: FileHead) -> String? { nil }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    throw ParseError(
      path: provenance.file, problem: "expected parts of one recording, found several of \(title)",
      help: "each of them is a separate recording: leave --one-recording out")
  }
}

/// That an input is of a format, and how that was told.
struct Recognition: Hashable {
  /// The format and its version.
  var format: String
  /// What in the input told it.
  var reason: String
}

extension ParseError {
  /// The error that an input of a format has nothing that can be read: what is in it, and what is missing.
  init(
    nothingIn builder: TraceBuilder, path: String, _ format: String, _ importer: any TraceImporter
  ) {
    let missing = "without a record of frames, inputs, launches or marks"
    if let found = builder.unread.words {
      self.init(
        path: path, problem: "\(format) \(missing): it has \(found)", help: importer.framesAdvice)
      return
    }
    let lost = builder.log.issues.filter { $0.severity == .dataLoss }.prefix(2)
    guard !lost.isEmpty else {
      self.init(
        path: path, problem: "the start of a capture (\(format)), without a single record",
        help: "the capture ended before anything was recorded; record again for longer")
      return
    }
    let losses = lost.map { "\($0.count) × \($0.message)" }.joined(separator: "; ")
    self.init(
      path: path, problem: "\(format) \(missing): \(losses)", help: importer.framesAdvice)
  }
}

/// Files that lie beside an input and belong to it, by their names.
enum SiblingFile {
  /// The names that a file beside an input can have: the input's own, up to three endings taken off, with
  /// another one.
  static func paths(of path: String, suffix: String) -> [String] {
    var paths: [String] = []
    var stem = Substring(path)
    for _ in 0..<3 {
      guard let point = stem.utf8.lastIndex(of: UInt8(ascii: ".")), point > stem.startIndex,
        !stem.utf8[point...].contains(UInt8(ascii: "/"))
      else { break }
      stem = stem[..<point]
      paths.append(stem + suffix)
    }
    return paths
  }
}
