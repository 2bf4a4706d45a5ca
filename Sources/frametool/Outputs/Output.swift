import FrameKit

/// Writes results to a file or to the console.
enum Output {
  /// Checks that no input, nor any file of a folder that is one, would be replaced by the output.
  static func keep(_ inputs: some Sequence<String>, from output: String) throws(CommandError) {
    let files = try TraceInputs.files(Array(inputs))
    guard let input = files.first(where: { ByteSink.wouldReplace($0, with: output) }) else {
      return
    }
    throw CommandError(
      .usage, "\(output): the output would replace the input \(input)",
      help: "give the output another name")
  }

  /// How the name of a file ends, in small letters: `svg` of `a/b.SVG`; `nil` where it has no end.
  static func suffix(of path: String) -> String? {
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return file.contains(".") ? file.split(separator: ".").last?.lowercased() : nil
  }

  /// Lets `body` write piece by piece; `-` is standard output.
  ///
  /// A piece that cannot be written stops nothing right away, but is reported at the end, and the
  /// file does not appear.
  static func write(
    to path: String, on console: Console, _ body: (@escaping ([UInt8]) -> Void) -> Void
  ) throws(CommandError) {
    try writeUnlessGivenUp(to: path, on: console) { sink in
      body(sink)
      return true
    }
  }

  /// The same for a body that may give up, by `false`: then the file does not appear.
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
