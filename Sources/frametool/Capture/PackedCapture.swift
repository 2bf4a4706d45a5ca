import FrameKit

/// A capture that is packed when it is complete. Until then, the capture is a trace in the native format, which can be
/// read if the capture is interrupted.
struct PackedCapture {
  /// The final name of the capture.
  let path: String
  /// The name of the capture until it is packed.
  var recording: String { "\(path).jsonl" }

  /// - Returns: `nil` if the name is not the name of a packed trace.
  init?(_ path: String) {
    guard Self.isPacked(path) else { return nil }
    self.path = path
  }

  /// Whether a file of that name is packed.
  static func isPacked(_ path: String) -> Bool { Output.suffix(of: path) == PackedOutput.suffix }

  static func check(_ path: String, isTrace: Bool, inParts: Bool) throws(CommandError) {
    guard isTrace else {
      throw CommandError(
        .usage,
        "-o: this capture is written by another recorder, and cannot be packed, found \(path)",
        help: "record without '.\(PackedOutput.suffix)', and use 'frametool convert' afterwards")
    }
    guard !inParts else {
      throw CommandError(
        .usage, "-o: a capture in several files is not packed, found \(path)",
        help: "record to a .jsonl file, and use 'frametool convert --one-recording' afterwards")
    }
  }

  /// Packs the capture.
  func pack(quiet: Bool, on console: Console) throws(CommandError) {
    let trace: Trace
    do throws(ParseError) {
      trace = try Importers.read(try InputFile(path: recording))
    } catch {
      throw CommandError(error)
    }
    try PackedOutput.write(trace, to: path, on: console)
    ByteSink.remove(unfinished: recording)
    guard !quiet, let size = (try? InputFile(path: path))?.fileSize else { return }
    console.note("packed as \(PrintableText.line(path)), \(Megabytes.text(Int64(size))) MB")
  }
}
