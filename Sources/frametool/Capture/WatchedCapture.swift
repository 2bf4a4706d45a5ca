import FrameKit

/// A running capture that is followed across its files.
struct WatchedCapture {
  private let path: String
  private var part = 1
  private var tail: FileTail?
  private var growing: GrowingTrace?

  init(path: String) { self.path = path }

  private var file: String { CaptureFile.path(path, part: part) }

  /// The name of the file that is currently written.
  var name: String { PrintableText.line(file) }

  /// Reads the data written since the last call.
  mutating func look(at time: Int64) throws(ParseError) {
    while true {
      if tail == nil { tail = try FileTail(path: file) }
      while let lines = try tail?.next(), !lines.isEmpty {
        if growing == nil {
          growing = try GrowingTrace(path: file, lines, at: time)
        } else {
          growing?.add(lines, at: time)
        }
      }
      // The next file of a capture in parts repeats the current state.
      guard ByteSink.exists(CaptureFile.path(path, part: part + 1)) else { return }
      part += 1
      (tail, growing) = (nil, nil)
    }
  }

  mutating func forget(before time: Int64) { growing?.forget(before: time) }

  /// The trace of the latest frames; `nil` before the first line.
  func trace() throws(ParseError) -> Trace? {
    guard let growing else { return nil }
    return try growing.trace()
  }
}
