import FrameKit

/// Launches a program repeatedly, and measures each launch.
struct LaunchHarness {
  /// The event that ends a launch.
  enum Until {
    case exit
    /// The first line that matches.
    case marker(LinePattern)
    /// The first frame of a Wayland client.
    case firstFrame
  }

  /// The command, and the name of the command in messages.
  let words: [String]
  var name: String
  let until: Until
  /// Whether the program's files are dropped from memory before each measured launch.
  let isCold: Bool
  /// Additional files to drop.
  let dropped: [String]
  /// The time limit of a launch, in nanoseconds.
  let limit: Int64
  let showsOutput: Bool
  let ignoresFailure: Bool
  let console: Console

  /// The files found in the warm-up launch.
  private(set) var files = MappedFiles()
  /// The files dropped from memory before the last cold launch.
  private(set) var cache: PageCache?

  init(
    _ words: [String], until: Until, isCold: Bool, dropped: [String], limit: Int64,
    showsOutput: Bool, ignoresFailure: Bool, console: Console
  ) {
    self.words = words
    name = PrintableText.line(words.joined(separator: " "))
    self.until = until
    self.isCold = isCold
    self.dropped = dropped
    self.limit = limit
    self.showsOutput = showsOutput
    self.ignoresFailure = ignoresFailure
    self.console = console
  }

  /// Launches the program once.
  mutating func launch(isThrowaway: Bool) throws(CommandError) -> LaunchRecord {
    if isCold, !isThrowaway { try dropFiles() }
    if isCold, isThrowaway { files.find(words) }
    let process = try start()
    let kind: LaunchColumn.Kind? = isThrowaway ? nil : isCold ? .cold : .warm
    var watch = LaunchWatch(
      LaunchRecord(
        process: name, kind: kind, isThrowaway: isThrowaway, started: process.started,
        until: .exited), until)
    let end = process.started + limit
    let looks = isThrowaway && isCold
    // Files mapped later, such as fonts, are found only by checking repeatedly.
    var nextLook: Int64 = 1_000_000
    while true {
      if looks { files.look(at: process.identifier) }
      let last = min(end, watch.patience ?? end)
      switch process.next(until: looks ? min(last, LaunchedProcess.now + nextLook) : last) {
      case .printed(let bytes, let time):
        if showsOutput { console.noteRaw(bytes) }
        if watch.consume(bytes, at: time) {
          return try stopped(process, &watch)
        }
      case .ended(let end):
        // Remaining child processes would disturb the next launch.
        process.endGroup()
        try checkStatus(end)
        watch.consume(end)
        return try watch.finished(by: name)
      case .timeOver:
        nextLook = min(nextLook * 5 / 4, 20_000_000)
        if LaunchedProcess.now < last { continue }
        if watch.patience != nil { return try stopped(process, &watch) }
        _ = process.stop()
        throw CommandError(
          .badData,
          "\(name): expected \(watch.expectation) within \(Nanoseconds(limit).seconds) s, found none",
          help: "raise --limit S, or wait for another event with --until or --first-frame")
      }
    }
  }

  /// Ends a program after its launch is complete.
  private func stopped(
    _ process: LaunchedProcess, _ watch: inout LaunchWatch
  ) throws(CommandError) -> LaunchRecord {
    // Processor time spent while ending is not part of the launch.
    watch.consume(cpu: process.cpu)
    _ = process.stop()
    return try watch.finished(by: name)
  }

  private func start() throws(CommandError) -> LaunchedProcess {
    do throws(SystemError) {
      switch until {
      case .exit: return try LaunchedProcess(words, output: showsOutput ? .shown : .none)
      case .marker: return try LaunchedProcess(words, output: .terminal)
      case .firstFrame:
        return try LaunchedProcess(words, changes: ["WAYLAND_DEBUG=client"], output: .errors)
      }
    } catch {
      throw CommandError(
        .unavailable, "\(words[0]): cannot be started: \(systemError(error.number))",
        help: "give a program and its arguments after --; shell commands as sh -c '…'")
    }
  }

  private func checkStatus(_ end: LaunchedProcess.End) throws(CommandError) {
    guard end.status != 0, !ignoresFailure else { return }
    let how = end.status.map { "with status \($0)" } ?? "by signal \(end.signal)"
    throw CommandError(
      .badData, "\(name): ended \(how)",
      help: "--show-output shows what it prints; --ignore-failure measures it anyway")
  }

  private mutating func dropFiles() throws(CommandError) {
    let cache = PageCache(dropping: files.paths + dropped)
    guard cache.files > 0, !cache.isInVain else {
      let why =
        cache.files == 0
        ? "none of its files were found" : "its files cannot be dropped from memory"
      throw CommandError(
        .unavailable, "\(name): \(why)",
        help:
          "files of an in-memory file system cannot be dropped; omit --cold to measure warm launches"
      )
    }
    self.cache = cache
  }

  /// The conditions of the measurement, in words.
  var conditions: [String] {
    var words: [String] = []
    if let cache {
      let megabytes = { (bytes: Int64) in Megabytes.text(bytes) }
      let unknown =
        cache.unknown == 0
        ? "" : "; for \(cache.unknown) of them the system does not say what is in memory"
      words.append(
        "before each cold launch of \(name) the \(cache.files) files that it maps were dropped from the page cache (posix_fadvise): of \(megabytes(cache.before)) MB, \(megabytes(cache.after)) MB stayed because others use them (last launch)\(unknown); files that it only reads were not dropped"
      )
    }
    switch until {
    case .exit: break
    case .marker:
      words.append("\(name) printed to a separate terminal, and was ended after the marker")
    case .firstFrame:
      words.append(
        "\(name) ran with WAYLAND_DEBUG, which costs it some time, and was ended after its first frame"
      )
    }
    return words
  }
}
