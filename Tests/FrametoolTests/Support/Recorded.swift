import Foundation
import Testing

/// Texts that are compared with files next to the tests, or written there by `scripts/golden`.
enum Recorded {
  static let isRecording = ProcessInfo.processInfo.environment["FRAMETOOL_RECORD"] != nil

  /// Expects the text to equal the contents of the file.
  static func expect(
    _ text: String, at file: URL, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if isRecording { return try Data(text.utf8).write(to: file, options: .atomic) }
    let found = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
    guard let found else {
      Issue.record("no \(file.path); scripts/golden writes it", sourceLocation: sourceLocation)
      return
    }
    if found == text { return }
    let pairs = zip(lines(found), lines(text)).enumerated()
    let difference = pairs.first { $0.element.0 != $0.element.1 }
    let line = difference.map {
      "line \($0.offset + 1): expected \($0.element.0), found \($0.element.1)"
    }
    Issue.record(
      "\(file.lastPathComponent) in \(file.deletingLastPathComponent().lastPathComponent) differs, \(line ?? "one is longer")",
      sourceLocation: sourceLocation)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The files in a folder and its subfolders whose path matches, in order.
  static func files(in folder: String, where matches: (String) -> Bool) -> [String] {
    let root = Run.root.appending(path: folder)
    let names =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return names.filter(matches).sorted()
  }
}
