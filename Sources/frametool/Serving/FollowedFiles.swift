import FrameKit

/// Files that may grow and are checked periodically.
struct FollowedFiles {
  private let paths: [String]
  private var seen: [FileState]
  private var next: Int64

  private struct FileState: Equatable {
    let path: String
    let size: Int64?
    let changed: Int64?
  }

  /// The minimum time between two checks, and its minimum as a multiple of the reading time.
  private static let pause: Int64 = 1_000_000_000
  private static let share: Int64 = 4

  init(_ paths: [String]) {
    self.paths = paths
    seen = Self.states(of: paths)
    next = LaunchedProcess.now + Self.pause
  }

  private static func states(of paths: [String]) -> [FileState] {
    // A folder represents its files, and files may be added to it.
    ((try? TraceInputs.files(paths)) ?? paths).map { path in
      FileState(
        path: path, size: FileDescriptor.size(of: path),
        changed: FileDescriptor.changeTime(of: path))
    }
  }

  /// Whether a file has changed since it was last read; the files are not checked more often than is reasonable.
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
