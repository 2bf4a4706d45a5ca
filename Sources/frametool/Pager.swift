/// A program that shows output a screen at a time, as git has it.
struct Pager {
  /// The option that asks for it, in any place of a command line.
  static let option = "--pager"

  private let process: Int32

  /// Starts the program that `FRAMETOOL_PAGER` or `PAGER` names, else `less`.
  /// - Returns: `nil` where standard output is no terminal, where there is nothing to page for, or the program
  ///   cannot be started; output goes where it went then.
  init?(isTerminal: Bool, variable: (String) -> String?) {
    guard isTerminal, let command = Self.command(variable) else { return nil }
    process = LaunchedProcess.startPager(command)
    if process < 0 { return nil }
  }

  /// The program; `nil` for none, as git reads an empty name and `cat`.
  static func command(_ variable: (String) -> String?) -> String? {
    let named = variable("FRAMETOOL_PAGER") ?? variable("PAGER") ?? "less"
    return named.isEmpty || named == "cat" ? nil : named
  }

  /// Waits until the reader has left it.
  func end() { LaunchedProcess.endPager(process) }

  /// The arguments without the option, and whether it was there.
  static func take(_ arguments: [String]) -> (arguments: [String], isWanted: Bool) {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let kept = arguments[..<end].filter { $0 != option }
    return (kept + arguments[end...], kept.count < end)
  }
}
