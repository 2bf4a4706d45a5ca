import Foundation

@testable import FrameImporters
@testable import FrameTrace

/// The files for tests: real traces next to the checkout, and the project's own files.
enum TestData {
  /// The root of the checkout.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of real traces: FRAMETOOL_DATA, or `../shared/data` next to the checkout.
  static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["FRAMETOOL_DATA"] {
      return URL(filePath: named)
    }
    return root.deletingLastPathComponent().appending(path: "shared/data")
  }()

  /// Whether the real traces are available; if not, tests of them are skipped with `absence`.
  static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static let absence = "no real traces here: set FRAMETOOL_DATA to the folder that has them"

  /// The folder of small files that an earlier version judged wrongly: FRAMETOOL_CASES, or
  /// `../shared/cases` next to the checkout.
  static let cases: URL = {
    if let named = ProcessInfo.processInfo.environment["FRAMETOOL_CASES"] {
      return URL(filePath: named)
    }
    return root.deletingLastPathComponent().appending(path: "shared/cases")
  }()

  static var hasCases: Bool { FileManager.default.fileExists(atPath: cases.path) }

  static let absenceOfCases = "no cases here: set FRAMETOOL_CASES to the folder that has them"

  /// The paths of the files in a folder of real traces, in order.
  static func files(in name: String) -> [String] {
    let path = folder.appending(path: name).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { "\(path)/\($0)" }
  }

  /// The trace in a file.
  static func read(_ path: String) throws -> Trace { try Importers.read(InputFile(path: path)) }

  /// The trace in some bytes.
  static func read(bytes: [UInt8], path: String = "test") throws -> Trace {
    try Importers.read(InputFile(bytes: bytes, path: path))
  }

  /// The trace in a text.
  static func read(text: String, path: String = "test") throws -> Trace {
    try Importers.read(InputFile(bytes: Array(text.utf8), path: path))
  }

  /// The error from reading a text; `nil` if it can be read.
  static func error(text: String, path: String = "test") -> ParseError? {
    do {
      _ = try read(text: text, path: path)
      return nil
    } catch {
      return error as? ParseError
    }
  }
}
