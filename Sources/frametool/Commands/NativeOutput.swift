import FrameKit

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
