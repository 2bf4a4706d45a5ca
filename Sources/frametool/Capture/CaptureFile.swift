import Dispatch
import FrameKit
import Synchronization

/// The files of a capture, written one after another. Lines are appended as soon as they are written, so that a
/// truncated capture can be read.
///
/// A separate thread writes, because a slow disk must not delay the capture.
final class CaptureFile: Sendable {
  private struct State {
    var waiting = 0
    var written = 0
    var lost = 0
    var parts: [String] = []
    var failure: ParseError?
  }

  let path: String
  private let kept: Int?
  /// The path of an older file of the same name until this capture has frames; `nil` if there was none.
  private let earlier: String?
  private let queue = DispatchQueue(label: "capture")
  private let state = Mutex(State())
  private let sink = Mutex<ByteSink?>(nil)

  /// The maximum number of bytes held in memory if the disk does not keep up.
  private static let mostWaiting = 256 << 20

  /// - Parameter kept: The number of newest files to keep; `nil` for all.
  init(path: String, kept: Int?, opening: [UInt8]) throws(ParseError) {
    self.path = path
    self.kept = kept
    var aside: String?
    if ByteSink.exists(path), !ByteSink.isInPosition(path) {
      let free = (1...).lazy.map { "\(path).earlier\($0 > 1 ? "\($0)" : "")" }
        .first { !ByteSink.exists($0) }
      // In a folder that is not writable, a file can be written but not renamed.
      if let free, (try? ByteSink.move(path, to: free)) != nil { aside = free }
    }
    earlier = aside
    do throws(ParseError) {
      try open(part: 1, opening)
    } catch {
      restore()
      throw error
    }
  }

  private func restore() {
    if let earlier { try? ByteSink.move(earlier, to: path) }
  }

  /// Removes what was written, and restores an older file of the same name.
  func discard() {
    queue.sync {}
    for part in state.withLock({ $0.parts }) where !ByteSink.isInPosition(part) {
      ByteSink.remove(unfinished: part)
    }
    restore()
  }

  /// Ends a capture that has data: an older file of the same name is replaced, unless some data could not be written.
  func keep() {
    guard let earlier else { return }
    let isWhole = state.withLock { state in
      state.failure?.help = "the file that had this name is \(earlier)"
      return state.failure == nil
    }
    if isWhole { ByteSink.remove(unfinished: earlier) }
  }

  /// The name of a part: `a.jsonl`, `a.part0002.jsonl`.
  static func path(_ path: String, part: Int) -> String {
    guard part > 1 else { return path }
    // Zero padding keeps the names in the order of the files.
    let number = String(repeating: "0", count: max(0, 4 - String(part).count)) + String(part)
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(path).part\(number)"
    }
    let end = name[dot...]
    return "\(path.dropLast(end.count)).part\(number)\(end)"
  }

  private func open(part: Int, _ opening: [UInt8]) throws(ParseError) {
    let path = Self.path(path, part: part)
    try sink.withLock { sink throws(ParseError) in
      sink = try ByteSink(recordingTo: path)
      _ = try sink?.write(opening)
    }
    let old = state.withLock { state in
      state.parts.append(path)
      state.written += opening.count
      guard let kept, state.parts.count > kept else { return nil as String? }
      return state.parts.removeFirst()
    }
    if let old { ByteSink.remove(unfinished: old) }
  }

  /// Queues complete lines for writing.
  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let takes = state.withLock { state in
      guard state.failure == nil, state.waiting < Self.mostWaiting else {
        state.lost += bytes.count
        return false
      }
      state.waiting += bytes.count
      return true
    }
    guard takes else { return }
    perform { file throws(ParseError) in
      try file.sink.withLock { sink throws(ParseError) in _ = try sink?.write(bytes) }
      file.state.withLock { state in
        state.waiting -= bytes.count
        state.written += bytes.count
      }
    }
  }

  /// Continues in a new file.
  func turn(to part: Int, closing: [UInt8], opening: [UInt8]) {
    write(closing)
    perform { file throws(ParseError) in try file.open(part: part, opening) }
  }

  private func perform(_ body: @escaping @Sendable (CaptureFile) throws(ParseError) -> Void) {
    queue.async { [self] in
      guard failure == nil else { return }
      do throws(ParseError) {
        try body(self)
      } catch {
        state.withLock { $0.failure = error }
        // Ensure that the file ends with a complete line.
        sink.withLock { $0?.removeUnfinishedPiece() }
      }
    }
  }

  /// The error that stopped the writing; `nil` if there is none.
  var failure: ParseError? { state.withLock { $0.failure } }

  /// Waits until everything is written.
  /// - Returns: The existing files, the bytes written, and the bytes lost.
  func finish() -> (paths: [String], written: Int, lost: Int) {
    queue.sync {}
    return state.withLock { ($0.parts, $0.written, $0.lost) }
  }
}
