import CLaunch

/// Files dropped from memory, so that a program must read them from disk.
struct PageCache {
  /// The number of files that the system was asked to drop.
  private(set) var files = 0
  /// The number of files for which the system does not report what is in memory, because the user does not own them.
  private(set) var unknown = 0
  /// The number of bytes of the other files that were in memory before, and that still are.
  private(set) var before: Int64 = 0
  private(set) var after: Int64 = 0

  /// Whether the system can drop individual files.
  static var canDrop: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// The file for a name in PATH or a path; `nil` if there is none.
  static func file(named name: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
      count = unsafe launch_find(name, bytes.baseAddress, bytes.count)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Drops files; files in use by other programs stay.
  init(dropping paths: [String]) {
    for path in paths {
      let cached = unsafe launch_drop(path)
      guard cached.dropped != 0 else { continue }
      files += 1
      if cached.before < 0 || cached.after < 0 {
        unknown += 1
      } else {
        before += cached.before
        after += cached.after
      }
    }
  }

  /// Whether there were files to drop but all stayed, as in an in-memory file system.
  var isInVain: Bool { unknown == 0 && before > 0 && after >= before }
}
