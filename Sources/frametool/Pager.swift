/// A program that shows output one screen at a time, as used by git.
struct Pager {
  /// The option that requests a pager, at any position of a command line.
  static let option = "--pager"

  private let process: Int32

  /// Starts the program named by `FRAMETOOL_PAGER` or `PAGER`, or else `less`.
  /// - Returns: `nil` if standard output is not a terminal, if the user wants no pager, or if the program cannot be
  ///   started; the output is then not paged.
  init?(isTerminal: Bool, variable: (String) -> String?) {
    guard isTerminal, let command = Self.command(variable) else { return nil }
    process = LaunchedProcess.startPager(command)
    if process < 0 { return nil }
  }

  /// The pager command; `nil` for none, which is requested by an empty name or `cat`, as in git.
  static func command(_ variable: (String) -> String?) -> String? {
    let named = variable("FRAMETOOL_PAGER") ?? variable("PAGER") ?? "less"
    return named.isEmpty || named == "cat" ? nil : named
  }

  /// Waits until the user leaves the pager.
  func end() { LaunchedProcess.endPager(process) }

  /// The arguments without the option, and whether the option was present.
  static func consume(_ arguments: [String]) -> (arguments: [String], isWanted: Bool) {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let kept = arguments[..<end].filter { $0 != option }
    return (kept + arguments[end...], kept.count < end)
  }
}
