import FrameKit

/// A folder beside a capture, in which somebody else's recorder leaves its files.
struct CaptureFolder {
  /// Its absolute path, as programs may run in folders of their own.
  let path: String

  /// Makes it.
  /// - Parameter capture: Where the capture is written.
  init(beside capture: String) throws(CommandError) {
    let name = "\(capture.contains("/") ? "" : "./")\(capture).recording"
    do throws(ParseError) {
      try FileFolder.make(name)
    } catch {
      throw CommandError(error)
    }
    path = PageCache.file(named: name) ?? name
  }

  /// Its files, in order of their names.
  var files: [String] { ((try? FileFolder.files(in: path)) ?? nil) ?? [] }

  /// Writes one of its files where the capture goes.
  func move(_ file: String, to path: String) throws(CommandError) {
    do throws(ParseError) {
      let bytes = try InputFile(path: file).readAll(atMost: 1 << 32, of: "a log")
      try CaptureFolder.write(bytes, to: path)
    } catch {
      throw CommandError(error)
    }
  }

  /// Writes a file that is whole or not there.
  static func write(_ bytes: [UInt8], to path: String) throws(ParseError) {
    let sink = try Interruption.make(path)
    defer { Interruption.forget(sink) }
    _ = try sink.write(bytes)
    try sink.finish()
  }

  /// Takes it away with all that is in it.
  func remove() { FileFolder.removeAll(path) }
}
