/// The path of a file in a zip archive, as if the archive were a folder: `bugreport.zip/FS/data/trace.pftrace`.
package struct ZipPath: Hashable {
  package let archive: String
  package let entry: String

  /// - Returns: `nil` for a path that is not within an archive.
  package init?(_ path: String) {
    guard !FileDescriptor.exists(path) else { return nil }
    for slash in path.indices where path[slash] == "/" {
      let archive = String(path[..<slash])
      guard FileDescriptor.isRegular(archive) else { continue }
      let entry = String(path[path.index(after: slash)...])
      guard !entry.isEmpty, FileSource(archive: archive) != nil else { return nil }
      (self.archive, self.entry) = (archive, entry)
      return
    }
    return nil
  }

  /// The paths of the files in an archive with several; `nil` if the file is not an archive, or has one file.
  /// - Parameter most: The maximum number of files listed.
  package static func files(in archive: String, atMost most: Int) -> [String]? {
    guard let names = ZipSource.names(in: archive, atMost: most + 1), names.count > 1 else {
      return nil
    }
    return names.map { "\(archive)/\($0)" }
  }
}
