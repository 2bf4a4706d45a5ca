import FrameKit

/// A repository of git, asked through its program.
struct GitRepository: Sendable {
  /// The folder of the checkout.
  let folder: String

  /// What git prints, or why it failed.
  func ask(_ words: [String]) throws(CommandError) -> String {
    var bytes: [UInt8] = []
    let run = try ProgramRun(
      ["git", "-C", folder] + words,
      of: RecorderTool(path: "git", source: "install git: 'apt install git'"),
      changes: ["GIT_TERMINAL_PROMPT=0", "LC_ALL=C"], output: .everything, duration: 600, wish: nil,
      taking: { bytes += $0 })
    let text = String(decoding: bytes, as: UTF8.self)
    guard run.end.status == 0 else {
      let lines = text.split(separator: "\n").map(String.init)
      let reason = lines.first { $0.hasPrefix("fatal:") } ?? lines.first ?? "failed"
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

  /// Puts a commit into a folder of its own.
  func addWorktree(_ commit: String, at path: String) throws(CommandError) {
    _ = try ask(["worktree", "add", "--detach", "--force", path, commit])
  }

  /// Takes a worktree away.
  func removeWorktree(at path: String) {
    _ = try? ask(["worktree", "remove", "--force", path])
    FileFolder.removeAll(path)
    _ = try? ask(["worktree", "prune"])
  }
}

/// A commit in a folder of its own.
struct CheckedOutCommit: Sendable {
  /// Its name in messages.
  let name: String
  let commit: String
  /// An absolute path.
  let folder: String

  /// What the environment of its build and its runs has in addition.
  var variables: [String] { ["FRAMETOOL_COMMIT=\(commit)"] }

  /// Builds it with a shell command.
  /// - Parameter log: Where the output goes, if it is not shown.
  /// - Returns: Why it failed; `nil` if it did not.
  func build(
    _ command: String, _ wish: StopWish, showsOutput: Bool, log: String
  ) throws(CommandError) -> String? {
    let script = showsOutput ? "cd \"$0\" && eval \"$1\"" : "cd \"$0\" && eval \"$1\" >\"$2\" 2>&1"
    let run = try ProgramRun(
      ["/bin/sh", "-c", script, folder, command, log], changes: variables,
      output: showsOutput ? .shown : .none, duration: nil, wish: wish)
    if run.stop != nil { return "it was stopped" }
    guard run.end.status != 0 else { return nil }
    let how = run.end.status.map { "with status \($0)" } ?? "by signal \(run.end.signal)"
    return "its build ended \(how)\(showsOutput ? "" : "; see \(log)")"
  }
}

/// Two commits in worktrees of their own, beside the file of their runs.
struct Worktrees: Sendable {
  let commits: [CheckedOutCommit]
  private let git: GitRepository
  private let path: String

  /// The two names in a text such as `main..HEAD`.
  static func names(_ text: String) -> (String, String)? {
    guard let dots = text.firstRange(of: ".."), !text.contains("...") else { return nil }
    let names = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    return names.0.isEmpty || names.1.isEmpty ? nil : names
  }

  /// - Parameters:
  ///   - text: The commits, as the user named them.
  ///   - file: The file of the runs.
  init(_ text: String, beside file: String, on console: Console) throws(CommandError) {
    guard let names = Self.names(text) else {
      throw CommandError(
        .usage, "--checkout: expected two commits such as main..HEAD, found \(text)")
    }
    git = GitRepository(folder: ".")
    let base = "\(file.hasPrefix("/") ? "" : "./")\(file).worktrees"
    do throws(ParseError) {
      if try FileFolder.files(in: base) == nil { try FileFolder.make(base) }
    } catch {
      throw CommandError(error)
    }
    path = PageCache.file(named: base) ?? base
    var commits: [CheckedOutCommit] = []
    for (name, side) in [(names.0, "a"), (names.1, "b")] {
      let commit = try git.commit(name)
      let folder = "\(path)/\(side)"
      git.removeWorktree(at: folder)
      try git.addWorktree(commit, at: folder)
      commits.append(CheckedOutCommit(name: name, commit: commit, folder: folder))
    }
    self.commits = commits
  }

  /// Builds both.
  func build(_ command: String?, _ wish: StopWish, showsOutput: Bool) throws(CommandError) {
    guard let command else { return }
    for commit in commits {
      let log = "\(path).\(commit.folder.suffix(1)).log"
      if let reason = try commit.build(command, wish, showsOutput: showsOutput, log: log) {
        throw CommandError(
          .badData, "\(commit.name): \(reason)", help: "--show-output shows what the build prints")
      }
      FileDescriptor.remove(log)
    }
  }

  /// Takes them away.
  func remove() {
    for commit in commits { git.removeWorktree(at: commit.folder) }
    FileFolder.removeAll(path)
  }
}
