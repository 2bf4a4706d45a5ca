import FrameKit

/// The user's browser: the one in `BROWSER`, else the desktop's default.
struct Browser {
  private let words: [String]

  init(_ console: Console) {
    #if canImport(Darwin)
      let usual = "open"
    #else
      let usual = "xdg-open"
    #endif
    // The variable may list several, separated by colons; the first is used.
    let named = console.variable("BROWSER")?.split(separator: ":").first.map(String.init)
    words = named.flatMap { $0.isEmpty ? nil : [$0] } ?? [usual]
  }

  /// How long to wait for the program to exit; one that keeps running is the browser itself.
  private static let patience: Int64 = 3_000_000_000

  /// Opens a page by its address.
  func open(_ path: String) throws(CommandError) {
    let process: LaunchedProcess
    do throws(SystemError) {
      process = try LaunchedProcess(words + [path], output: .none)
    } catch {
      throw failure(path, "cannot be started: \(systemError(error.number))")
    }
    let limit = LaunchedProcess.now + Self.patience
    guard case .ended(let end) = process.next(until: limit), end.status != 0 else { return }
    throw failure(path, end.status.map { "ended with status \($0)" } ?? "was killed")
  }

  private func failure(_ path: String, _ why: String) -> CommandError {
    CommandError(
      .unavailable, "cannot open the page: \(words[0]) \(why)",
      help: "open \(path) yourself, or set BROWSER")
  }
}
