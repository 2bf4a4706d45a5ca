import FrameKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An external program that records, or that recording requires.
struct RecorderTool {
  /// The tool's name in PATH, or its path.
  let path: String
  /// How to install the tool.
  let source: String

  /// The output of a run, with its exit status.
  struct Answer {
    /// The exit status; `nil` if a signal ended the run, or the run timed out.
    let status: Int32?
    let bytes: [UInt8]
    /// Whether the user stopped the run.
    var wasStopped = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The last non-empty line, where programs usually print the error.
    var lastLine: String {
      text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
        .map { PrintableText.line(String($0)) } ?? "it printed nothing"
    }

    func says(_ words: String) -> Bool { text.lowercased().contains(words) }

    /// The error, if it is known.
    func error(among troubles: [Trouble]) -> CommandError? {
      troubles.first { says($0.words) }.map {
        CommandError(.unavailable, $0.problem, help: $0.help)
      }
    }
  }

  /// A known error message of a tool, in lower case, with its meaning.
  struct Trouble {
    let words: String
    let problem: String
    let help: String

    init(_ words: String, _ problem: String, _ help: String) {
      (self.words, self.problem, self.help) = (words, problem, help)
    }

    static let fullDisk = Trouble(
      "no space left on device", "a disk is full, the device's or this computer's",
      "free some space, or record for less time with --duration")
  }

  /// Runs the tool until it ends.
  /// - Parameters:
  ///   - seconds: The time limit.
  ///   - wish: The user's stop request; `nil` for a program that ends soon.
  func answer(
    _ arguments: [String], within seconds: Double = 30, wish: StopWish? = StopWish()
  ) throws(CommandError) -> Answer {
    let answer = try record(arguments, within: seconds, wish: wish)
    if answer.wasStopped {
      throw CommandError(.inputOutput, "stopped while running \(line(arguments))")
    }
    return answer
  }

  /// Runs the tool until it ends, its time limit is reached, or the user stops it.
  /// - Parameters:
  ///   - seconds: The time limit; `nil` for none.
  ///   - patience: The time that the tool has to end after a request, in seconds.
  ///   - ending: Asks the tool to end, given its output so far, if a signal is not suitable.
  func record(
    _ arguments: [String], within seconds: Double?, patience: Double = 2,
    wish: StopWish? = StopWish(),
    ending: ((_ printed: [UInt8]) throws(CommandError) -> Void)? = nil
  ) throws(CommandError) -> Answer {
    var bytes: [UInt8] = []
    let ask = { () throws(CommandError) in _ = try ending?(bytes) }
    let run = try ProgramRun(
      [path] + arguments, of: self, output: .everything, duration: seconds, patience: patience,
      wish: wish, ending: ending == nil ? nil : ask, taking: { bytes += $0 })
    return Answer(
      status: run.stop == .done ? nil : run.end.status, bytes: bytes,
      wasStopped: run.stop == .wish)
  }

  /// A call of the tool as a shell command line.
  func line(_ arguments: [String]) -> String { ShellWords.quoted([path] + arguments) }

  /// Starts a program.
  /// - Parameter tool: The tool to which the program belongs; `nil` for the user's program.
  static func start(
    _ words: [String], of tool: RecorderTool?, _ changes: [String], _ output: LaunchedProcess.Output
  ) throws(CommandError) -> LaunchedProcess {
    do throws(SystemError) {
      return try LaunchedProcess(words, changes: changes, output: output)
    } catch {
      if let tool, error.number == ENOENT {
        throw CommandError(.unavailable, "\(words[0]): not found", help: tool.source)
      }
      throw CommandError(
        .unavailable, "\(words[0]): cannot be started: \(systemError(error.number))",
        help: tool?.source
          ?? "give a program and its arguments after --; shell commands as sh -c '…'")
    }
  }
}
