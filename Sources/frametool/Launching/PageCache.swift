import CLaunch

/// Files that are dropped from memory, so that a program has to read them from disk.
struct PageCache {
  /// How many bytes of how many files were in memory, and still are.
  private(set) var files = 0
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

  /// Drops files; what cannot be dropped, as other programs use it, stays.
  init(dropping paths: [String]) {
    for path in paths {
      let cached = unsafe launch_drop(path)
      guard cached.before >= 0, cached.after >= 0 else { continue }
      files += 1
      before += cached.before
      after += cached.after
    }
  }
}
