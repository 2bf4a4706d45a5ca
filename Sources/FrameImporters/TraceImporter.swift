import FrameTrace

/// Reads one format of traces.
///
/// An importer states what a source recorded and nothing else: it fills columns, notes
/// what it had to skip or repair, and leaves every conclusion to the stages after it.
protocol TraceImporter: Sendable {
  /// The name in `--input-format` and in results.
  var name: String { get }
  /// The display name of the format.
  var title: String { get }
  /// The versions and variants that are read.
  var versions: String { get }
  /// Where the format is documented.
  var documentation: String { get }

  /// How to record frames with the tool that writes such files, if the files can lack frames; `nil` if they cannot.
  var framesAdvice: String? { get }

  /// How to record a fact that a file can lack; `nil` if files of the format never have it.
  func advice(_ fact: RecordedFact) -> String?

  /// The platform on which the format's files are recorded; `nil` if it can be any platform.
  var platform: Platform? { get }

  /// The maximum number of rows by which the counters of a frame's threads can follow the frame's row.
  var counterLag: Int { get }

  /// The name shared by all formats whose files can form one recording.
  var family: String { get }

  /// The string that identifies the running program in a dump; `nil` if an input is a separate recording.
  func dumpedProgram(_ head: FileHead) -> String?

  /// Recognizes an input of this format by its start; `nil` if the input has another format.
  func recognize(_ head: FileHead) -> Recognition?

  /// Reads an input that `recognize` accepted.
  /// - Parameter demand: What is needed; everything else may be left out, as the builder's `trace.isPartial` states.
  /// - Throws: `ParseError` if nothing can be read; recoverable problems are noted in the builder's
  ///   log.
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
  var counterLag: Int { 0 }

  func advice(_ fact: RecordedFact) -> String? { nil }

  /// The known facts about the program that writes the format's files.
  var source: RecordingSource {
    var source = RecordingSource(platform: platform, framesAdvice: framesAdvice)
    source.counterLag = counterLag
    for fact in RecordedFact.allCases { source.advice[fact] = advice(fact) }
    return source
  }

  func dumpedProgram(_ head: FileHead) -> String? { nil }

  func read(
    recording inputs: [InputFile], _ provenance: Provenance, _ demand: TraceDemand
  ) throws(ParseError) -> TraceBuilder {
    throw ParseError(
      path: provenance.file, problem: "expected parts of one recording, found several of \(title)",
      help: "each file is a separate recording: leave --one-recording out")
  }
}

/// The format recognized in an input, and the reason.
struct Recognition: Hashable {
  /// The format and its version.
  var format: String
  /// The part of the input that shows the format.
  var reason: String
}

extension ParseError {
  /// Creates the error for an input without readable content: what the input has, and what is missing.
  init(
    nothingIn builder: TraceBuilder, path: String, _ format: String, _ importer: any TraceImporter
  ) {
    let missing = "expected frames, inputs, launches or marks"
    if let found = builder.unread.words {
      self.init(
        path: path, problem: "\(format): \(missing), found \(found)", help: importer.framesAdvice)
      return
    }
    let lost = builder.log.issues.filter { $0.severity == .dataLoss }.prefix(2)
    guard !lost.isEmpty else {
      self.init(
        path: path, problem: "expected records in the capture (\(format)), found only its start",
        help: "the capture ended before anything was recorded; record again for longer")
      return
    }
    let losses = lost.map { "\($0.count) × \($0.message)" }.joined(separator: "; ")
    self.init(
      path: path, problem: "\(format): \(missing), found none: \(losses)",
      help: importer.framesAdvice)
  }
}

/// Files next to an input that belong to it, identified by name.
enum SiblingFile {
  /// The possible paths of a file next to an input: the input's path with one to three extensions replaced by the
  /// suffix.
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
