/// The status the tool exits with; part of the contract with scripts.
enum ExitStatus: Int32 {
  case success = 0
  /// A gate or comparison found a regression it was asked to fail on.
  case regression = 1
  /// A gate or comparison could not decide and was asked to fail on that.
  case undecided = 3
  case usage = 64
  case badData = 65
  /// Something needed is not installed.
  case unavailable = 69
  case inputOutput = 74
}
