import FrameKit

/// The files that a program maps into memory: its executable, its libraries, and others.
struct MappedFiles {
  private(set) var paths: [String] = []
  private var known: Set<String> = []

  /// Finds the executable and the libraries that its loader lists without running the executable: a short program may
  /// end before its mapped files can be examined.
  mutating func find(_ words: [String]) {
    guard let program = PageCache.file(named: words[0]) else { return }
    consume(program)
    guard
      let process = try? LaunchedProcess(
        words, changes: ["LD_TRACE_LOADED_OBJECTS=1"], output: .terminal)
    else { return }
    var printed: [UInt8] = []
    let limit = LaunchedProcess.now + 2_000_000_000
    loop: while printed.count < 1 << 20 {
      switch process.next(until: limit) {
      case .printed(let bytes, _): printed += bytes
      case .ended: break loop
      case .timeOver:
        // A program without a loader would start to run.
        _ = process.stop()
        break loop
      }
    }
    let words = String(decoding: printed, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    for word in words where word.hasPrefix("/") { consume(String(word)) }
  }

  /// Adds the file at a path, with links resolved.
  private mutating func consume(_ path: String) {
    guard let file = PageCache.file(named: path), known.insert(file).inserted else { return }
    paths.append(file)
  }

  /// Adds the files that a process currently maps.
  mutating func look(at process: Int32) {
    let input = try? InputFile(path: "/proc/\(process)/maps")
    guard let bytes = try? input?.readAll(atMost: 64 << 20, of: "maps") else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // The path follows five fields and extends to the end of the line.
      guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
      let path = String(decoding: line[start...], as: UTF8.self)
      if !path.hasSuffix(" (deleted)"), !path.hasPrefix("/dev/") { consume(path) }
    }
  }
}
