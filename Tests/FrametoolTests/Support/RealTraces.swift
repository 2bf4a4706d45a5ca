import Foundation

/// Traces of real devices, if available: FRAMETOOL_DATA, or `../shared/data` next to the checkout.
enum RealTraces {
  static let absence = "no real traces here: set FRAMETOOL_DATA to the folder that has them"
  private static let folder =
    ProcessInfo.processInfo.environment["FRAMETOOL_DATA"].map { URL(filePath: $0) }
    ?? Run.root.deletingLastPathComponent().appending(path: "shared/data")

  static var arePresent: Bool { FileManager.default.fileExists(atPath: folder.path) }
  static func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The paths of all files of at most that many bytes, in order.
  static func files(upTo bytes: Int) -> [String] {
    let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys)
    return (all?.compactMap { $0 as? URL } ?? []).filter { url in
      let values = try? url.resourceValues(forKeys: Set(keys))
      return values?.isRegularFile == true && (values?.fileSize ?? .max) <= bytes
    }.map(\.path).sorted()
  }
}
