import CLaunch

/// Files that are dropped from memory, so that a program has to read them from disk.
struct PageCache {
  /// How many files the system was asked to drop.
  private(set) var files = 0
  /// Of how many of them it does not say what is in memory, as they are not the user's.
  private(set) var untold = 0
  /// How many bytes of the others were in memory, and still are.
  private(set) var before: Int64 = 0
  private(set) var after: Int64 = 0

  /// Whether the system can drop files at all.
  static var canDrop: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }

  /// The file that a name in PATH or a path leads to; `nil` when there is none.
  static func file(named name: String) -> String? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
      count = unsafe launch_find(name, bytes.baseAddress, bytes.count)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Drops files; what cannot be dropped, as other programs use it, stays.
  init(dropping paths: [String]) {
    for path in paths {
      let cached = unsafe launch_drop(path)
      guard cached.dropped != 0 else { continue }
      files += 1
      if cached.before < 0 || cached.after < 0 {
        untold += 1
      } else {
        before += cached.before
        after += cached.after
      }
    }
  }

  /// Whether there was anything to drop and all of it stayed, as in a file system in memory.
  var isInVain: Bool { untold == 0 && before > 0 && after >= before }
}
