import FrameKit

/// Writing of results to a file or to the console.
enum Output {
  /// Checks that the output does not replace any input, including files in input folders.
  static func keep(_ inputs: some Sequence<String>, from output: String) throws(CommandError) {
    let files = try TraceInputs.files(Array(inputs))
    guard let input = files.first(where: { ByteSink.wouldReplace($0, with: output) }) else {
      return
    }
    throw CommandError(
      .usage, "\(output): the output would replace the input \(input)",
      help: "give the output another name")
  }

  /// The extension of a file with data, which may be compressed: `jsonl` for `a.jsonl.zst`.
  static func dataSuffix(of path: String) -> String? {
    let end = ByteSink.compressedSuffix
    return suffix(of: ByteSink.isCompressed(path) ? String(path.dropLast(end.count)) : path)
  }

  /// The extension of a file name in lower case, such as `svg` for `a/b.SVG`; `nil` if it has none.
  static func suffix(of path: String) -> String? {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return file.contains(".") ? file.split(separator: ".").last?.lowercased() : nil
  }

  /// Lets `body` write the output piece by piece; `-` is standard output.
  ///
  /// If a piece cannot be written, `body` still runs to its end. Then the error is thrown, and the
  /// file is not created.
  static func write(
    to path: String, on console: Console, _ body: (@escaping ([UInt8]) -> Void) -> Void
  ) throws(CommandError) {
    try writeUnlessGivenUp(to: path, on: console) { sink in
      body(sink)
      return true
    }
  }

  /// The same for a body that may give up by returning `false`; the file is then not created.
  static func writeUnlessGivenUp(
    to path: String, on console: Console, _ body: (@escaping ([UInt8]) -> Void) -> Bool
  ) throws(CommandError) {
    if path == "-" {
      var failure: CommandError?
      _ = body { bytes in
        guard failure == nil else { return }
        do throws(CommandError) { try console.write(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      return
    }
    do throws(ParseError) {
      try writeFile(path, body)
    } catch {
      throw CommandError(error)
    }
  }

  private static func writeFile(
    _ path: String, _ body: (@escaping ([UInt8]) -> Void) -> Bool
  ) throws(ParseError) {
    let sink = try Interruption.make(path)
    defer { Interruption.forget(sink) }
    var failure: ParseError?
    let isDone = body { bytes in
      guard failure == nil else { return }
      do throws(ParseError) { _ = try sink.write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    if isDone { try sink.finish() }
  }
}

/// Writes traces in the native format to a file or to the console.
enum NativeOutput {
  /// Writes the trace to `path`; `-` is standard output.
  static func write(_ trace: Trace, to path: String, on console: Console) throws(CommandError) {
    try Output.write(to: path, on: console) { sink in
      var writer = NativeWriter(trace, to: sink)
      writer.write()
    }
  }
}

/// Writes traces in the packed form of the native format.
enum PackedOutput {
  /// The file name extension, in any case.
  static let suffix = "ftz"

  /// Writes the trace to `path`; `-` is standard output.
  static func write(_ trace: Trace, to path: String, on console: Console) throws(CommandError) {
    try Output.write(to: path, on: console) { PackedWriter(trace, to: $0).write() }
  }
}
