import FrameKit

/// The files that a program has in its memory: itself, its libraries, what else it maps.
struct MappedFiles {
  private(set) var paths: [String] = []
  private var known: Set<String> = []

  /// The program's own file, and the libraries that its loader names instead of running it: a
  /// program may be over before anybody can look at what it maps.
  mutating func find(_ words: [String]) {
    guard let program = PageCache.file(named: words[0]) else { return }
    take(program)
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
        // A program without a loader runs.
        _ = process.stop()
        break loop
      }
    }
    let words = String(decoding: printed, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    for word in words where word.hasPrefix("/") { take(String(word)) }
  }

  /// Takes the file that a path leads to.
  private mutating func take(_ path: String) {
    guard let file = PageCache.file(named: path), known.insert(file).inserted else { return }
    paths.append(file)
  }

  /// Looks which files a process has mapped now.
  mutating func look(at process: Int32) {
    let input = try? InputFile(path: "/proc/\(process)/maps")
    guard let bytes = try? input?.readAll(atMost: 64 << 20, of: "maps") else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A path is behind five fields and goes to the end of the line.
      guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
      let path = String(decoding: line[start...], as: UTF8.self)
      if !path.hasSuffix(" (deleted)"), !path.hasPrefix("/dev/") { take(path) }
    }
  }
}
