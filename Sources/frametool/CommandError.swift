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

  /// Stops the work because the reader closed the output; this is not an error.
  static let readerGone = CommandError(.success, "")
}

/// The status the tool exits with; part of the contract with scripts.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// A gate or comparison found a regression it was asked to fail on.
  case regression = 1
  /// A gate or comparison could not decide and was asked to fail on that.
  case undecided = 3
  case usage = 64
  case badData = 65
  /// Something required, such as a program, a device or a session, is unavailable.
  case unavailable = 69
  /// A defect of the tool; only printed by the handler of crashes.
  case defect = 70
  case inputOutput = 74

  /// Its meaning, for help.
  var meaning: String {
    switch self {
    case .success: "fine"
    case .regression: "regression"
    case .undecided: "undecided"
    case .usage: "wrong usage"
    case .badData: "unreadable input"
    case .unavailable: "something required is not available"
    case .defect: "a defect of frametool"
    case .inputOutput: "input or output failed"
    }
  }
}
