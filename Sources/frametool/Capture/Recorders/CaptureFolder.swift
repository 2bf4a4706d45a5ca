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
  func move(_ file: String, to path: String, on console: Console) throws(CommandError) {
    let bytes: [UInt8]
    do throws(ParseError) {
      bytes = try InputFile(path: file).readAll(atMost: 1 << 32, of: "a log")
    } catch {
      throw CommandError(error)
    }
    try Output.write(to: path, on: console) { $0(bytes) }
  }

  /// Takes it away with all that is in it.
  func remove() { FileFolder.removeAll(path) }
}
