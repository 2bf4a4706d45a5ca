import Foundation

/// What is known of processes that others started.
enum ProcessState {
  /// Waits until a process no longer runs, at most for some seconds. One that nobody has waited for
  /// yet is there, but does not run.
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

  /// The number that a program wrote into a file; `nil` as long as there is none.
  static func number(in path: String) -> Int32? {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.hasSuffix("\n") ? Int32(text.dropLast()) : nil
  }
}
