import FrameKit

/// Opens and reads the traces a user named, several at once, in the order of their names.
struct TraceInputs {
  let console: Console
  /// How files are to be read.
  let importing: ImportChoice
  /// What is needed of the traces.
  var demand = TraceDemand.everything
  /// Whether progress stays away even on a terminal.
  let quiet: Bool
  /// Whether all paths are parts of one recording; folders stand for the files in them.
  var areOneRecording = false
  /// A recording of touches to join to each trace, and how.
  var touches: String?
  var offset: JoinedTouches.Offset?

  /// Reads each trace and makes something of it.
  /// - Returns: For each path the result, or why there is none.
  func map<Value: Sendable>(
    _ paths: [String], _ transform: @Sendable (Trace) -> Value
  ) -> [Result<Value, CommandError>] {
    do throws(CommandError) {
      try checkTouches()
    } catch {
      return [.failure(error)]
    }
    if areOneRecording { return [Result { () throws(CommandError) in transform(try join(paths)) }] }
    return mapInputs(paths) { (input, read) throws(CommandError) in transform(try read(input)) }
  }

  /// Opens each input and makes something of it.
  /// - Parameter make: Gets the input, and what reads a trace from it.
  /// - Returns: For each path the result, or why there is none.
  func mapInputs<Value: Sendable>(
    _ paths: [String],
    _ make:
      @Sendable (InputFile, (InputFile) throws(CommandError) -> Trace) throws(CommandError)
      -> Value
  ) -> [Result<Value, CommandError>] {
    let progress = Progress(console, isShown: console.showsProgress && !quiet)
    defer { progress.end() }
    return Concurrently.map(paths.count) { index throws(CommandError) in
      try make(try open(paths[index], progress), read)
    }
  }

  private func open(_ path: String, _ progress: Progress) throws(CommandError) -> InputFile {
    do throws(ParseError) {
      let input = try console.open(path)
      input.progress = { progress.update(path, read: $0, size: $1) }
      return input
    } catch {
      throw CommandError(error)
    }
  }

  /// Reads the parts of one recording.
  private func join(_ paths: [String]) throws(CommandError) -> Trace {
    let progress = Progress(console, isShown: console.showsProgress && !quiet)
    defer { progress.end() }
    var inputs: [InputFile] = []
    for file in try Self.files(paths) { inputs.append(try open(file, progress)) }
    do throws(ParseError) {
      return try joinTouches(Importers.read(recording: inputs, as: importing, demand: demand))
    } catch {
      throw CommandError(error)
    }
  }

  /// The trace with the touches that were recorded beside it.
  private func joinTouches(_ trace: Trace) throws(ParseError) -> Trace {
    guard let touches, let offset else { return trace }
    return try JoinedTouches(Importers.read(InputFile(path: touches)), offset).joined(to: trace)
  }

  /// Touches come with the distance of their clock, and the other way round.
  func checkTouches() throws(CommandError) {
    guard (touches == nil) != (offset == nil) else { return }
    throw CommandError(
      .usage,
      touches == nil
        ? "--offset is of --touches, which is not there"
        : "--touches takes --offset: what to add to its times to get those of the frames; 0 where both are on one clock"
    )
  }

  /// The files that paths stand for: folders for those in them.
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
      return try joinTouches(Importers.read(input, as: importing, demand: demand))
    } catch {
      throw CommandError(error)
    }
  }

  /// Reads each trace, prints why any cannot be read, and gives the others.
  /// - Returns: What was made of the traces that could be read, and the status of the first
  ///   failure, or of success.
  func readAll<Value: Sendable>(
    _ paths: [String], _ transform: @Sendable (Trace) -> Value
  ) -> (values: [Value], status: ExitStatus) {
    var values: [Value] = []
    var status = ExitStatus.success
    for result in map(paths, transform) {
      switch result {
      case .success(let value): values.append(value)
      case .failure(let error):
        console.report(error)
        if status == .success { status = error.status }
      }
    }
    return (values, status)
  }
}
