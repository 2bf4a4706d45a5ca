import FrameKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program of somebody else's that records, or is needed to.
struct RecorderTool {
  /// Its name in PATH, or its path.
  let path: String
  /// How to get it.
  let source: String

  /// What it printed, and how it ended.
  struct Answer {
    /// `nil` when a signal ended it, or its time was over.
    let status: Int32?
    let bytes: [UInt8]
    /// Whether the user has ended it.
    var wasStopped = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The last line that is not empty, which is where programs say what went wrong.
    var lastLine: String {
      text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
        .map { PrintableText.line(String($0)) } ?? "it printed nothing"
    }

    func says(_ words: String) -> Bool { text.lowercased().contains(words) }

    /// What went wrong, where it is something that is known.
    func error(among troubles: [Trouble]) -> CommandError? {
      troubles.first { says($0.words) }.map {
        CommandError(.unavailable, $0.problem, help: $0.help)
      }
    }
  }

  /// What a tool says when it cannot do what it is asked, in small letters, and what that means.
  struct Trouble {
    let words: String
    let problem: String
    let help: String

    init(_ words: String, _ problem: String, _ help: String) {
      (self.words, self.problem, self.help) = (words, problem, help)
    }

    static let fullDisk = Trouble(
      "no space left on device", "a disk is full, the device's or this computer's",
      "make room, or record for less time with --duration")
  }

  /// Runs it to its end.
  /// - Parameters:
  ///   - seconds: How long it may take.
  ///   - wish: What stops it when the user wants to; `nil` for what is over soon.
  func answer(
    _ arguments: [String], within seconds: Double = 30, wish: StopWish? = StopWish()
  ) throws(CommandError) -> Answer {
    let answer = try record(arguments, within: seconds, wish: wish)
    if answer.wasStopped {
      throw CommandError(.inputOutput, "stopped while this ran: \(line(arguments))")
    }
    return answer
  }

  /// Runs it until it ends, its time is over, or the user has seen enough.
  /// - Parameters:
  ///   - seconds: How long it may take; `nil` for as long as it takes.
  ///   - patience: How long it may take to end when it is asked to, in seconds.
  ///   - ending: How it is asked to end, by what it has printed, where a signal is not the way.
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

  /// A call of it as a line for a shell.
  func line(_ arguments: [String]) -> String { ShellWords.quoted([path] + arguments) }

  /// Starts a program.
  /// - Parameter tool: What it is; `nil` for the user's own program.
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
