import FrameKit

/// A reader for the runs of a comparison: traces, or summary files.
struct RunInputs {
  let console: Console
  /// The options for reading traces, and the selected part of the traces.
  let choice: TraceChoice
  /// The side to read from a file with paired runs; `nil` for all runs.
  var side: HistoryResultReader.Side?
  /// Processes that first read each trace, within limits; `nil` if no limits were given.
  var guards: TraceWorkers?

  /// The runs in the files of a side; the runs of a summary file keep their order. A folder represents its files, and
  /// dumps of one running program form one run.
  func all(
    _ paths: [String], _ figures: ComparedFigures
  ) throws(CommandError) -> [RunSummary] {
    var runs: [RunSummary] = []
    for file in try files(paths, figures, poolsDumps: true) { runs += file }
    return runs
  }

  /// Whether a path is the path of one trace, and not of a summary, a folder, or standard input, which can be read only
  /// once.
  static func isTrace(_ path: String, on console: Console) -> Bool {
    guard path != "-", FileDescriptor.isRegular(path), let input = try? console.peek(path) else {
      return false
    }
    return !RunSummaryReader.recognizes(input)
  }

  /// The runs of each file, as jobs.
  /// - Parameter keepingEmpty: Whether a job without runs keeps its position among the others.
  func jobs(
    _ paths: [String], _ figures: ComparedFigures = ComparedFigures(), keepingEmpty: Bool = false
  ) throws(CommandError) -> [[RunSummary]] {
    try files(paths, figures).filter { keepingEmpty || !$0.isEmpty }
  }

  private func files(
    _ paths: [String], _ figures: ComparedFigures, poolsDumps: Bool = false
  ) throws(CommandError) -> [[RunSummary]] {
    try read(paths, poolsDumps: poolsDumps) { input, read throws(CommandError) in
      if RunSummaryReader.recognizes(input) {
        let runs = try summaries(input)
        guard figures.isMetricChosen, let other = runs.first(where: { $0.metric != figures.metric })
        else { return runs }
        throw CommandError(
          .usage,
          "\(input.path): --metric names \(figures.metric), but a summary has only \(other.metric)",
          help: "give the traces instead of summaries")
      }
      try guards?.check(input.path)
      let study = try choice.study(of: try read(input))
      if let runs = RunSummary.reported(study, figures) { return runs }
      return [try times(of: study, figures).summary]
    }
  }

  /// The runs of one side, if the file contains paired runs.
  private func side(of input: InputFile) throws(CommandError) -> [RunSummary]? {
    guard let side, PairedRunsFile.recognizes(input) else { return nil }
    do throws(ParseError) {
      let pairs = try PairedRunsFile(reading: input).runs.pairs
      return pairs.map { side == .before ? $0.before : $0.after }
    } catch {
      throw CommandError(error)
    }
  }

  private func summaries(_ input: InputFile) throws(CommandError) -> [RunSummary] {
    if let runs = try side(of: input) { return runs }
    try refuseOptions(
      on: input, "a summary",
      help: { "use it when writing the summary: 'analyze --summary \($0) …'" })
    do throws(ParseError) {
      return try RunSummaryReader.read(input)
    } catch {
      throw CommandError(error)
    }
  }

  /// - Throws: If an option was given that has no effect on frames that are already counted.
  private func refuseOptions(
    on input: InputFile, _ what: String, help: (String) -> String?
  ) throws(CommandError) {
    try console.given.refuse(
      on: .countedFrames, "\(input.path), \(what) whose frames are already counted", help: help)
  }

  /// The results for a history, from result files, summaries and traces.
  /// - Parameter readResult: Reads a result file; returns `nil` for other files.
  func results(
    _ paths: [String],
    _ readResult: @escaping @Sendable (InputFile) throws(ParseError) -> [HistoryResult]?
  ) throws(CommandError) -> [HistoryResult] {
    let files = try read(paths) { input, read throws(CommandError) in
      let results: [HistoryResult]?
      do throws(ParseError) {
        results = try readResult(input)
      } catch {
        throw CommandError(error)
      }
      if let results {
        try refuseOptions(
          on: input, "a result", help: { "use it when making the result: 'analyze \($0) …'" })
        return results
      }
      if RunSummaryReader.recognizes(input) { return try summaries(input).map(HistoryResult.init) }
      let study = try choice.study(of: try read(input))
      let trace = study.trace
      // Launches of several tests are kept separate unless one process is selected.
      let areLaunchesApart = trace.launches.has(.scene) && choice.surfaces.processes.isEmpty
      let isWithout = trace.frameCount == 0 && (trace.launches.count == 0 || areLaunchesApart)
      let found = HistoryResult.results(of: study, isWithout ? nil : try times(of: study).summary)
      // An empty trace gives the same error as in a comparison.
      return found.isEmpty ? [HistoryResult(try times(of: study).summary)] : found
    }
    return files.flatMap { $0 }
  }

  /// The individual frame times of traces.
  func frameTimes(_ paths: [String]) throws(CommandError) -> [RunTimes] {
    try read(paths) { input, read throws(CommandError) in
      if RunSummaryReader.recognizes(input) {
        throw CommandError(
          .usage, "\(input.path): a self-test needs traces, and this is a summary of runs")
      }
      return try times(of: choice.study(of: try read(input)))
    }
  }

  private func read<Value: Sendable>(
    _ paths: [String], poolsDumps: Bool = false,
    _ make:
      @escaping @Sendable (InputFile, (InputFile) throws(CommandError) -> Trace)
      throws(CommandError)
      -> Value
  ) throws(CommandError) -> [Value] {
    var inputs = choice.inputs(on: console)
    inputs.folders = .runs
    var values: [Value] = []
    for result in inputs.mapRuns(paths, poolsDumps: poolsDumps, make) {
      values.append(try result.get())
    }
    return values
  }

  private func times(
    of study: Study, _ figures: ComparedFigures = ComparedFigures()
  ) throws(CommandError) -> RunTimes {
    do throws(ComparisonRefusal) {
      return try RunTimes.of(study, figures)
    } catch {
      throw CommandError(error)
    }
  }
}
