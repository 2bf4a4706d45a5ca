import FrameTrace

/// The command with a brief answer, from which the commands that show more are made.
public struct BriefCommand: Sendable {
  private let words: [String]

  /// - Parameter words: The words of the command, after the name of the program.
  public init(_ words: [String]) {
    self.words = Self.without(["--format"], words).filter { $0 != "--brief" }
  }

  /// The command that shows the complete answer.
  var whole: String { text(words, "") }

  /// The command that shows all details of a part of the trace.
  /// - Parameters: The ends of the part, from the start of the trace.
  func part(from start: Nanoseconds, to end: Nanoseconds) -> String {
    let ends = [start, end].map { FixedNumber.text($0.seconds, decimals: 3) }
    let region = ["--from", ends[0], "--to", ends[1], "--all"]
    let rest = Self.without(["--from", "--to", "--skip-first"], words)
    return text(rest + region, " with \(ShellWords.quoted(region))")
  }

  /// The maximum size of a command in bytes; a longer command is described instead.
  static let longest = 300

  private func text(_ words: [String], _ change: String) -> String {
    let line = ShellWords.quoted(["frametool"] + words)
    return line.utf8.count <= Self.longest ? line : "the same command without --brief\(change)"
  }

  /// The words without options and their values.
  private static func without(_ options: Set<String>, _ words: [String]) -> [String] {
    var kept: [String] = []
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if options.contains(word) {
        isValue = true
      } else if !options.contains(where: { word.hasPrefix("\($0)=") }) {
        kept.append(word)
      }
    }
    return kept
  }
}
