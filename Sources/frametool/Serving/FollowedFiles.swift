import FrameKit

/// Files that may grow, looked at now and then.
struct FollowedFiles {
  private let paths: [String]
  private var seen: [FileState]
  private var next: Int64

  private struct FileState: Equatable {
    let path: String
    let size: Int64?
    let changed: Int64?
  }

  /// How long to wait between two looks, and how many times the reading took.
  private static let pause: Int64 = 1_000_000_000
  private static let share: Int64 = 4

  init(_ paths: [String]) {
    self.paths = paths
    seen = Self.states(of: paths)
    next = LaunchedProcess.now + Self.pause
  }

  private static func states(of paths: [String]) -> [FileState] {
    // A folder stands for its files, which may become more.
    ((try? TraceInputs.files(paths)) ?? paths).map { path in
      FileState(
        path: path, size: FileDescriptor.size(of: path),
        changed: FileDescriptor.changeTime(of: path))
    }
  }

  /// Whether a file has changed since it was last read; not asked for more often than makes sense.
  mutating func haveChanged(at now: Int64) -> Bool {
    guard now >= next else { return false }
    next = now + Self.pause
    let states = Self.states(of: paths)
    defer { seen = states }
    return states != seen
  }

  /// Waits for longer where reading takes long.
  mutating func haveBeenRead(since start: Int64) {
    let now = LaunchedProcess.now
    next = now + max(Self.pause, (now - start) * Self.share)
  }
}
