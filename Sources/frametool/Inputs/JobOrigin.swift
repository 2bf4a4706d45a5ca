import FrameKit

/// The commit of a job, determined from CI variables or git.
struct JobOrigin: Sendable {
  let commit: String
  /// The commit's date; `nil` if unknown.
  let date: JobDate?
  /// The source of this information, for messages.
  let source: String

  /// The CI variables that contain a commit, in the order in which they are checked.
  static let variables = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT",
    "BITRISE_GIT_COMMIT", "BUILD_SOURCEVERSION", "TRAVIS_COMMIT", "DRONE_COMMIT_SHA", "GIT_COMMIT",
  ]

  /// - Parameters:
  ///   - variable: Returns the value of an environment variable; `nil` if it is not set.
  ///   - log: Returns the hash and the time that git prints for a commit; `nil` if git does not
  ///     know it.
  /// - Returns: `nil` if neither source has a commit.
  static func find(
    variable: (String) -> String?, log: (String) -> String?
  ) -> JobOrigin? {
    for name in variables {
      guard let commit = variable(name), !commit.isEmpty else { continue }
      let stated = variable("CI_COMMIT_TIMESTAMP").flatMap { JobDate($0) }
      return JobOrigin(commit: commit, date: stated ?? date(of: commit, log), source: name)
    }
    guard let words = log("HEAD")?.split(separator: " "), words.count == 2 else { return nil }
    return JobOrigin(commit: String(words[0]), date: JobDate(String(words[1])), source: "git")
  }

  /// The date of a commit; `nil` if git does not know it.
  static func date(of commit: String, _ log: (String) -> String?) -> JobDate? {
    // A name that begins with a dash would be parsed as an option.
    guard !commit.hasPrefix("-") else { return nil }
    return log(commit)?.split(separator: " ").last.flatMap { JobDate(String($0)) }
  }

  /// The output of git for a commit in the current folder: `HASH TIME`.
  static func gitLog(_ commit: String) -> String? {
    let command = ["git", "--no-pager", "log", "-1", "--no-color", "--format=%H %cI", commit, "--"]
    // Git's standard output is read through a terminal.
    guard let git = try? LaunchedProcess(command, output: .terminal) else { return nil }
    var bytes: [UInt8] = []
    let limit = LaunchedProcess.now + 5_000_000_000
    while true {
      switch git.next(until: limit) {
      case .printed(let more, _): bytes += more
      case .ended(let end):
        guard end.status == 0 else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
      case .timeOver:
        _ = git.stop()
        return nil
      }
    }
  }
}
