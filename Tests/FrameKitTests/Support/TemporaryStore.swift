import Foundation

@testable import FrameVerdicts

/// A history in a temporary folder that is deleted with it.
final class TemporaryStore {
  let folder: URL
  let store: HistoryStore

  var path: String { folder.appending(path: "history.sqlite").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try HistoryStore(
      path: folder.appending(path: "history.sqlite").path, isMade: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
