import Foundation

/// A page of documentation. Its sessions and generated tables are made by running the commands that
/// they show.
///
/// A block fenced as `console` holds lines `$ COMMAND`, each followed by its output. So does one
/// fenced as `shell-session`, but the shell runs its commands; those of a page run one after the
/// other in one folder. A region from `<!-- WORDS -->` to `<!-- end -->` holds the content that the
/// words stand for.
struct MarkdownPage {
  /// The page as it is now.
  let text: String

  init(_ path: String) throws {
    text = try String(contentsOf: Run.root.appending(path: path), encoding: .utf8)
  }

  /// The commands in the page's sessions that the tool runs itself.
  var commands: [String] {
    blocks("console").flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("$ ") }
      .map { String($0.dropFirst(2)) }
  }

  /// The code blocks in a language.
  func blocks(_ language: String) -> [String] {
    var blocks: [String] = []
    var current: [String]?
    for line in lines {
      if line == "```\(language)" {
        current = []
      } else if line == "```", let block = current {
        blocks.append(block.joined(separator: "\n") + "\n")
        current = nil
      } else {
        current?.append(line)
      }
    }
    return blocks
  }

  /// The page with every session run again and every region filled again.
  /// - Parameter fill: Returns the content for the words of a region.
  func refreshed(_ fill: (String) -> String) throws -> String {
    var result: [String] = []
    var isSession = false
    var isOfShell = false
    var isRegion = false
    let shell = try ShellSession()
    for line in lines {
      if line == "<!-- end -->" || line == "```" {
        (isSession, isOfShell, isRegion) = (false, false, false)
      }
      if !isRegion, !(isSession || isOfShell) || line.hasPrefix("$ ") { result.append(line) }
      if line == "```console" { isSession = true }
      if line == "```shell-session" { isOfShell = true }
      let command = line.hasPrefix("$ ") ? String(line.dropFirst(2)) : nil
      if isSession, let command { result += Self.output(of: command) }
      if isOfShell, let command { result += Self.split(try shell.run(command)) }
      if line != "<!-- end -->", line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
        isRegion = true
        result += Self.split(fill(String(line.dropFirst(5).dropLast(4))))
      }
    }
    return result.joined(separator: "\n")
  }

  private var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func output(of command: String) -> [String] { split(Run(line: command).output) }

  private static func split(_ output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }
}
