import FrameKit

/// The reason a command stopped: a one-line message, a line of advice, and an exit status.
struct CommandError: Error {
  let status: ExitStatus
  let message: String
  let help: String?

  init(_ status: ExitStatus, _ message: String, help: String? = nil) {
    self.status = status
    self.message = message
    self.help = help
  }

  init(_ error: ParseError) {
    self.init(
      error.kind == .badData ? .badData : .inputOutput, error.description, help: error.help)
  }

  init(_ refusal: ComparisonRefusal) {
    self.init(.badData, refusal.message, help: refusal.help)
  }

  init(_ refusal: PlotRefusal) {
    self.init(.badData, refusal.message, help: refusal.help)
  }

  /// Stops the work because the reader closed the output; this does not count as an error.
  static let readerGone = CommandError(.success, "")
}

/// The exit status of the tool, which is part of the contract with scripts.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  static let success = ExitStatus(rawValue: 0)
  /// A gate or comparison found a regression, and the user requested to fail in that case.
  static let regression = ExitStatus(rawValue: 1)
  /// A gate or comparison could not decide, and the user requested to fail in that case.
  static let undecided = ExitStatus(rawValue: 3)
  static let usage = ExitStatus(rawValue: 64)
  static let badData = ExitStatus(rawValue: 65)
  /// Something required, such as a program, a device or a session, is unavailable.
  static let unavailable = ExitStatus(rawValue: 69)
  /// A defect of the tool; only used by the crash handler.
  static let defect = ExitStatus(rawValue: 70)
  static let inputOutput = ExitStatus(rawValue: 74)

  /// The status of a captured program that was ended by a signal, as shells report it.
  static func ended(bySignal signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) }

  /// The statuses of the tool itself, with their meanings for help.
  static let meanings: [(status: ExitStatus, meaning: String)] = [
    (success, "fine"), (regression, "regression"), (undecided, "undecided"),
    (usage, "wrong usage"), (badData, "unreadable input"),
    (unavailable, "something required is not available"), (defect, "a defect of frametool"),
    (inputOutput, "input or output failed"),
  ]
}
