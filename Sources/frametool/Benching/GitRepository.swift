import FrameKit

/// A git repository, queried through the git program.
struct GitRepository: Sendable {
  /// The folder of the checkout.
  let folder: String

  /// The output of git, or why it failed.
  func ask(_ words: [String]) throws(CommandError) -> String {
    var bytes: [UInt8] = []
    let run = try ProgramRun(
      // A hook may be a file of the checked-out commit.
      ["git", "-c", "core.hooksPath=/dev/null", "-C", folder] + words,
      of: RecorderTool(path: "git", source: "install git: 'apt install git'"),
      changes: ["GIT_TERMINAL_PROMPT=0", "LC_ALL=C"], output: .everything, duration: 600, wish: nil,
      taking: { bytes += $0 })
    let text = String(decoding: bytes, as: UTF8.self)
    guard run.end.status == 0 else {
      let lines = text.split(separator: "\n").map(String.init)
      let reason = lines.first { $0.hasPrefix("fatal:") } ?? lines.last ?? "failed"
      throw CommandError(.badData, "git \(words[0]): \(PrintableText.line(reason))")
    }
    return text
  }

  /// The full name of a commit.
  func commit(_ name: String) throws(CommandError) -> String {
    guard !name.hasPrefix("-"), !name.isEmpty,
      let found = try? ask(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"])
    else {
      throw CommandError(
        .usage, "\(name): expected a commit of this repository",
        help: "run it in the repository; 'git log --oneline' lists commits")
    }
    return found.filter { $0 != "\n" }
  }

  /// The parents of a commit, the first parent first.
  func parents(of commit: String) throws(CommandError) -> [String] {
    try ask(["rev-list", "--parents", "-1", commit]).split(whereSeparator: \.isWhitespace)
      .dropFirst().map(String.init)
  }

  /// Checks out a commit into a separate folder.
  func addWorktree(_ commit: String, at path: String) throws(CommandError) {
    _ = try ask(["worktree", "add", "--detach", "--force", path, commit])
  }

  /// Removes a worktree.
  func removeWorktree(at path: String) {
    _ = try? ask(["worktree", "remove", "--force", path])
    FileFolder.removeAll(path)
  }
}

/// A commit in a separate folder.
struct CheckedOutCommit: Sendable {
  /// The commit's name in messages.
  let name: String
  let commit: String
  /// The commit's folder, as an absolute path.
  let folder: String

  /// The variables added to the environment of the commit's build and runs.
  var variables: [String] { ["FRAMETOOL_COMMIT=\(commit)"] }

  /// Builds the commit with a shell command.
  /// - Parameter log: The file for the output, if the output is not shown.
  /// - Returns: Why the build failed; `nil` if it succeeded.
  func build(
    _ command: String, _ wish: StopWish, showsOutput: Bool, log: String, duration: Double?
  ) throws(CommandError) -> String? {
    let script = showsOutput ? "cd \"$0\" && eval \"$1\"" : "cd \"$0\" && eval \"$1\" >\"$2\" 2>&1"
    let run = try ProgramRun(
      ["/bin/sh", "-c", script, folder, command, log], changes: variables,
      output: showsOutput ? .shown : .none, duration: duration, wish: wish)
    if run.stop == .wish { return "its build was stopped by the user" }
    if run.stop == .done { return "its build took longer than --max-time" }
    guard run.end.status != 0 else { return nil }
    let how = run.end.status.map { "with status \($0)" } ?? "by signal \(run.end.signal)"
    return "its build ended \(how)\(showsOutput ? "" : "; see \(log)")"
  }
}

/// Two commits in separate worktrees, next to the file of their runs.
struct Worktrees: Sendable {
  let commits: [CheckedOutCommit]
  private let git: GitRepository
  private let path: String

  /// The two names in a string such as `main..HEAD`.
  static func names(_ text: String) -> (String, String)? {
    guard let dots = text.firstRange(of: ".."), !text.contains("...") else { return nil }
    let names = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    return names.0.isEmpty || names.1.isEmpty ? nil : names
  }

  /// The full names of the commits in a string such as `main..HEAD`.
  static func commits(_ text: String) throws(CommandError) -> [String] {
    guard let names = names(text) else {
      throw CommandError(
        .usage, "--checkout: expected two commits such as main..HEAD, found \(text)")
    }
    let git = GitRepository(folder: ".")
    return [try git.commit(names.0), try git.commit(names.1)]
  }

  /// Checks out two commits.
  /// - Parameters:
  ///   - commits: The full names of the commits.
  ///   - names: The names of the commits in messages.
  ///   - file: The file of the runs.
  init(_ commits: [String], named names: [String], beside file: String) throws(CommandError) {
    git = GitRepository(folder: ".")
    let base = "\(file.hasPrefix("/") ? "" : "./")\(file).worktrees"
    do throws(ParseError) {
      if try FileFolder.files(in: base) == nil { try FileFolder.make(base) }
    } catch {
      throw CommandError(error)
    }
    path = PageCache.file(named: base) ?? base
    let folder = path
    self.commits = zip(commits, names).enumerated().map { number, commit in
      CheckedOutCommit(
        name: commit.1, commit: commit.0, folder: "\(folder)/\(number == 0 ? "a" : "b")")
    }
    do throws(CommandError) {
      for commit in self.commits {
        git.removeWorktree(at: commit.folder)
        try git.addWorktree(commit.commit, at: commit.folder)
      }
    } catch {
      remove()
      throw error
    }
  }

  /// Builds both commits.
  /// - Parameter duration: The time limit for a build, in seconds; `nil` for no limit.
  func build(
    _ command: String?, _ wish: StopWish, showsOutput: Bool, duration: Double?
  ) throws(CommandError) {
    guard let command else { return }
    for commit in commits {
      let log = "\(path).\(commit.folder.suffix(1)).log"
      if let reason = try commit.build(
        command, wish, showsOutput: showsOutput, log: log, duration: duration)
      {
        throw CommandError(
          wish.hasCome ? .undecided : .badData, "\(commit.name): \(reason)",
          help: "--show-output shows what the build prints")
      }
      FileDescriptor.remove(log)
    }
  }

  /// Removes the worktrees.
  func remove() {
    for commit in commits { git.removeWorktree(at: commit.folder) }
    FileFolder.removeAll(path)
  }
}
