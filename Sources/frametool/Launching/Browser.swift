import FrameKit

/// The user's browser: the browser in `BROWSER`, or else the desktop's default.
struct Browser {
  private let words: [String]

  init(_ console: Console) {
    #if canImport(Darwin)
      let usual = "open"
    #else
      let usual = "xdg-open"
    #endif
    // The variable may list several browsers, separated by colons; the first is used.
    let named = console.variable("BROWSER")?.split(separator: ":").first.map(String.init)
    words = named.flatMap { $0.isEmpty ? nil : [$0] } ?? [usual]
  }

  /// How long to wait for the program to exit; a program that keeps running is the browser itself.
  private static let patience: Int64 = 3_000_000_000

  /// A page that is being opened: the program may request the page before the call returns.
  struct Opening {
    fileprivate let browser: Browser
    fileprivate let process: LaunchedProcess
    fileprivate let address: String
    fileprivate let limit: Int64

    /// Whether the page is open; `nil` while that is unknown. This function does not wait.
    func isOpen(at now: Int64) throws(CommandError) -> Bool? {
      guard case .ended(let end) = process.next(until: now + 1_000_000) else {
        return now < limit ? nil : true
      }
      guard end.status != 0 else { return true }
      throw browser.failure(
        address, end.status.map { "ended with status \($0)" } ?? "was killed")
    }
  }

  /// Starts to open a page at an address.
  func start(_ address: String) throws(CommandError) -> Opening {
    do throws(SystemError) {
      let process = try LaunchedProcess(words + [address], output: .none)
      return Opening(
        browser: self, process: process, address: address,
        limit: LaunchedProcess.now + Self.patience)
    } catch {
      throw failure(address, "cannot be started: \(systemError(error.number))")
    }
  }

  private func failure(_ path: String, _ why: String) -> CommandError {
    CommandError(
      .unavailable, "cannot open the page: \(words[0]) \(why)",
      help: "open \(path) yourself, or set BROWSER")
  }
}
