import FrameKit

/// What a job built, as the variables of its CI system or git show.
struct JobOrigin: Sendable {
  let commit: String
  /// When it was committed; `nil` where nothing shows it.
  let date: JobDate?
  /// What it is known from, for people.
  let source: String

  /// The variables that CI systems put a commit into, in the order in which they are asked.
  static let variables = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT",
    "BITRISE_GIT_COMMIT", "BUILD_SOURCEVERSION", "TRAVIS_COMMIT", "DRONE_COMMIT_SHA", "GIT_COMMIT",
  ]

  /// - Parameters:
  ///   - variable: The value of a variable of the environment; `nil` where it is not set.
  ///   - log: What git prints of a commit, its hash and its time; `nil` where it knows none of that name.
  /// - Returns: `nil` where neither shows a commit.
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

  /// When a commit was made; `nil` where git does not know it.
  static func date(of commit: String, _ log: (String) -> String?) -> JobDate? {
    // What begins with a dash would be an option.
    guard !commit.hasPrefix("-") else { return nil }
    return log(commit)?.split(separator: " ").last.flatMap { JobDate(String($0)) }
  }

  /// What git prints of a commit in the folder where the tool runs: `HASH TIME`.
  static func gitLog(_ commit: String) -> String? {
    let command = ["git", "--no-pager", "log", "-1", "--no-color", "--format=%H %cI", commit, "--"]
    // Git prints to standard output, which is read as that of a terminal.
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
