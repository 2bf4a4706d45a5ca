import Foundation

/// The state of processes that others started.
enum ProcessState {
  /// Waits until a process no longer runs, for at most some seconds. A process that has not been
  /// waited for still exists, but does not run.
  static func ends(_ process: Int32) -> Bool {
    for _ in 0..<5000 {
      if kill(process, 0) != 0 { return true }
      let path = "/proc/\(process)/stat"
      let state = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      if state.contains(") Z") || state.contains(") X") { return true }
      usleep(2000)
    }
    return false
  }

  /// The number that a program wrote into a file; `nil` until there is one.
  static func number(in path: String) -> Int32? {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.hasSuffix("\n") ? Int32(text.dropLast()) : nil
  }
}
