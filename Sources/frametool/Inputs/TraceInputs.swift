import FrameKit

/// A reader that opens the traces a user named, several at once, and returns them in the given
/// order.
struct TraceInputs {
  let console: Console
  /// The options for reading traces.
  let choice: TraceChoice
  /// The data needed from the traces.
  var demand = TraceDemand.everything
  /// The kind of files that a folder represents.
  var folders = TraceFolder.Kind.traces

  /// Reads and transforms each trace; with `--one-recording`, all files are one trace.
  /// - Returns: For each path, the result or the error.
  func map<Value: Sendable>(
    _ paths: [String], _ transform: @escaping @Sendable (Trace) throws(CommandError) -> Value
  ) -> [Result<Value, CommandError>] {
    if choice.areOneRecording, !paths.isEmpty {
      return read([paths]) { (input, read) throws(CommandError) in try transform(try read(input)) }
    }
    switch expanded(paths) {
    case .success(let files):
      return read(files.map { [$0] }) { (input, read) throws(CommandError) in
        try transform(try read(input))
      }
    case .failure(let error): return [.failure(error)]
    }
  }

  /// Opens and transforms each run. With `--one-recording`, each folder is a run, and the files outside folders form
  /// another run together.
  /// - Parameters:
  ///   - poolsDumps: Whether dumps of one running program are one run.
  ///   - make: Receives the run's first file, and a function that reads its trace.
  /// - Returns: For each run, the result or the error.
  func mapRuns<Value: Sendable>(
    _ paths: [String], poolsDumps: Bool = false,
    _ make:
      @escaping @Sendable (InputFile, (InputFile) throws(CommandError) -> Trace)
      throws(CommandError)
      -> Value
  ) -> [Result<Value, CommandError>] {
    guard choice.areOneRecording else {
      switch expanded(paths) {
      case .success(let files):
        return read(poolsDumps ? pooled(files) : files.map { [$0] }, make)
      case .failure(let error): return [.failure(error)]
      }
    }
    let groups = Result { () throws(CommandError) in try Self.recordings(paths) }
    switch groups {
    case .success(let groups): return read(groups, make)
    case .failure(let error): return [.failure(error)]
    }
  }

  /// The paths, with each folder replaced by its traces.
  private func expanded(_ paths: [String]) -> Result<[String], CommandError> {
    Result { () throws(CommandError) in
      try TraceFolder.expand(paths, folders, on: console)
    }
  }

  /// The files of each recording: the files of each folder, and the files outside folders.
  private static func recordings(_ paths: [String]) throws(CommandError) -> [[String]] {
    var groups: [[String]] = []
    var alone: [String] = []
    for path in paths {
      let files = try files([path])
      if files == [path] { alone.append(path) } else { groups.append(files) }
    }
    return alone.isEmpty ? groups : groups + [alone]
  }

  /// The files of each run, with the dumps of one running program grouped into one run.
  private func pooled(_ paths: [String]) -> [[String]] {
    var groups: [[String]] = []
    var positions: [String: Int] = [:]
    for path in paths {
      // Standard input can be read only once; files that cannot be opened are reported when they
      // are read.
      let program = path == "-" ? nil : dumpedProgram(path)
      if let program, let position = positions[program] {
        groups[position].append(path)
      } else {
        if let program { positions[program] = groups.count }
        groups.append([path])
      }
    }
    return groups
  }

  private func dumpedProgram(_ path: String) -> String? {
    ProgramBuild.reading(path) { (try? console.open(path)).flatMap(Importers.dumpedProgram) }
  }

  private func read<Value: Sendable>(
    _ groups: [[String]],
    _ make:
      @escaping @Sendable (InputFile, (InputFile) throws(CommandError) -> Trace)
      throws(CommandError)
      -> Value
  ) -> [Result<Value, CommandError>] {
    let progress = Progress(console, isShown: console.showsProgress && !choice.quiet)
    defer { progress.end() }
    return Concurrently.map(groups.count, atOnce: choice.jobs) { index throws(CommandError) in
      guard choice.areOneRecording || groups[index].count > 1 else {
        let path = groups[index][0]
        return try ProgramBuild.reading(path) { () throws(CommandError) in
          try make(try open(path, progress), read)
        }
      }
      var inputs: [InputFile] = []
      for file in try Self.files(groups[index]) { inputs.append(try open(file, progress)) }
      guard let first = inputs.first else {
        throw CommandError(.inputOutput, "the recording has no files")
      }
      return try make(first) { _ throws(CommandError) in try join(inputs) }
    }
  }

  private func open(_ path: String, _ progress: Progress) throws(CommandError) -> InputFile {
    do throws(ParseError) {
      let input = try console.open(path)
      input.progress = { progress.update(path, read: $0, size: $1) }
      input.parallelism = .processors(atOnce: choice.jobs)
      input.largestSize = choice.maxSize.map { Int($0 * 1_000_000) }
      return input
    } catch {
      throw CommandError(error)
    }
  }

  /// Reads the parts of one recording.
  private func join(_ inputs: [InputFile]) throws(CommandError) -> Trace {
    do throws(ParseError) {
      return try joinCompanions(
        Importers.read(recording: inputs, as: choice.importing, demand: demand))
    } catch {
      throw CommandError(error)
    }
  }

  /// The trace, with the separately recorded touches and threads.
  private func joinCompanions(_ trace: Trace) throws(ParseError) -> Trace {
    var trace = trace
    if let touches = choice.touches, let offset = choice.offset {
      trace = try JoinedTouches(Importers.read(InputFile(path: touches)), offset).joined(to: trace)
    }
    if let threads = choice.threads {
      let offset = choice.threadsOffset.map { Nanoseconds.milliseconds($0) }
      trace = try JoinedThreads(Importers.read(InputFile(path: threads)), offset: offset)
        .joined(to: trace)
    }
    if let compositor = choice.compositor {
      trace = try JoinedComposition(Importers.read(InputFile(path: compositor)))
        .joined(to: trace)
    }
    return trace
  }

  /// The files that paths represent; a folder represents its files.
  static func files(_ paths: [String]) throws(CommandError) -> [String] {
    do throws(ParseError) {
      var files: [String] = []
      for path in paths { files += try FileFolder.files(in: path) ?? [path] }
      return files
    } catch {
      throw CommandError(error)
    }
  }

  private func read(_ input: InputFile) throws(CommandError) -> Trace {
    do throws(ParseError) {
      return try joinCompanions(Importers.read(input, as: choice.importing, demand: demand))
    } catch {
      throw CommandError(error)
    }
  }

  /// Reads and transforms each trace, and prints the errors of traces that fail.
  /// - Returns: The results of readable traces, the messages of unreadable traces, and the status of the first failure,
  ///   or of success.
  func readAll<Value: Sendable>(
    _ paths: [String],
    _ transform: @escaping @Sendable (Trace) throws(CommandError) -> Value
  ) -> (values: [Value], failures: [String], status: ExitStatus) {
    var values: [Value] = []
    var failures: [String] = []
    var status = ExitStatus.success
    for result in map(paths, transform) {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        console.report(error)
        failures.append(error.message)
        if status == .success { status = error.status }
      }
    }
    return (values, failures, status)
  }
}
