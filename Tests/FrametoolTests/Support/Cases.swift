import Foundation
import Testing

/// Small files that an earlier version judged wrongly, stored next to the project: FRAMETOOL_CASES,
/// or `../shared/cases` next to the checkout.
enum Cases {
  static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["FRAMETOOL_CASES"] {
      return URL(filePath: named)
    }
    return Run.root.deletingLastPathComponent().appending(path: "shared/cases")
  }()

  /// Whether the files are available; if not, tests of them are skipped with `absence`.
  static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static let absence = Comment("no cases here: set FRAMETOOL_CASES to the folder that has them")

  /// The paths of the files in one of the folders whose names begin with the given text, in order.
  static func files(in name: String, startingWith start: String = "") -> [String] {
    let path = folder.appending(path: name).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasPrefix(start) }.sorted().map { "\(path)/\($0)" }
  }
}
