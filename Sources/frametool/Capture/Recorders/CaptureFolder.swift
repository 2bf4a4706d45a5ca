import FrameKit

/// A folder next to a capture, in which an external recorder stores its files.
struct CaptureFolder {
  /// The folder's absolute path, because programs may run in other folders.
  let path: String

  /// Creates the folder.
  /// - Parameter capture: The path of the capture.
  init(beside capture: String) throws(CommandError) {
    let name = "\(capture.contains("/") ? "" : "./")\(capture).recording"
    do throws(ParseError) {
      try FileFolder.make(name)
    } catch {
      throw CommandError(error)
    }
    path = PageCache.file(named: name) ?? name
  }

  /// The folder's files, ordered by name.
  var files: [String] { ((try? FileFolder.files(in: path)) ?? nil) ?? [] }

  /// Copies one of the folder's files to the path of the capture.
  func move(_ file: String, to path: String, on console: Console) throws(CommandError) {
    let bytes: [UInt8]
    do throws(ParseError) {
      bytes = try InputFile(path: file).readAll(atMost: 1 << 32, of: "a log")
    } catch {
      throw CommandError(error)
    }
    try Output.write(to: path, on: console) { $0(bytes) }
  }

  /// Removes the folder with its contents.
  func remove() { FileFolder.removeAll(path) }
}
