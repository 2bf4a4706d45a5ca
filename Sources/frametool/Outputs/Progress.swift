import FrameKit
import Synchronization

/// A progress line on a terminal, shown once the work takes a while.
final class Progress: Sendable {
  private struct State {
    var lastShown: ContinuousClock.Instant
    var isVisible = false
  }

  private let console: Console
  private let isShown: Bool
  private let started = ContinuousClock.now
  private let state: Mutex<State>

  init(_ console: Console, isShown: Bool) {
    self.console = console
    self.isShown = isShown
    state = Mutex(State(lastShown: .now))
  }

  /// Updates the progress of reading one file.
  func update(_ path: String, read: Int, size: Int?) {
    update {
      let share = size.map { " \(100 * read / max($0, 1)) %" } ?? ""
      return "reading \(path)\(share) (\(read >> 20) MiB)"
    }
  }

  /// Updates the description of the current work.
  func update(_ words: String) { update { words } }

  private func update(_ words: () -> String) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - started > .milliseconds(500) else { return }
    let isDue = state.withLock { state in
      guard !state.isVisible || now - state.lastShown > .milliseconds(100) else { return false }
      state.lastShown = now
      state.isVisible = true
      return true
    }
    if isDue { console.showProgress(PrintableText.line(words())) }
  }

  /// Removes the progress line.
  func end() {
    if state.withLock({ $0.isVisible }) { console.showProgress("") }
  }
}
