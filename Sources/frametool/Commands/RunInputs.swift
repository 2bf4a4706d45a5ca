import FrameKit

/// Reads the runs of a comparison: traces, or files of summaries.
struct RunInputs {
  let console: Console
  /// How traces are to be read.
  let importing: ImportChoice
  let selection: SurfaceSelection
  /// The part of each trace that counts.
  var region = RegionSelection(start: nil, end: nil, skipped: 0)
  let quiet: Bool

  /// The runs in files, those of a file of summaries in its order.
  func all(_ paths: [String]) throws(CommandError) -> [RunSummary] {
    var runs: [RunSummary] = []
    for file in try files(paths) { runs += file }
    return runs
  }

  /// The runs of each file: a job.
  /// - Parameter keepingEmpty: Whether a job without runs keeps its place among the others.
  func jobs(
    _ paths: [String], keepingEmpty: Bool = false
  ) throws(CommandError) -> [[RunSummary]] {
    try files(paths).filter { keepingEmpty || !$0.isEmpty }
  }

  private func files(_ paths: [String]) throws(CommandError) -> [[RunSummary]] {
    try read(paths) { input, read throws(CommandError) in
      if RunSummaryReader.recognizes(input) { return try summaries(input) }
      return [try times(of: try read(input)).summary]
    }
  }

  private func summaries(_ input: InputFile) throws(CommandError) -> [RunSummary] {
    let stated = [
      ("--refresh", importing.refreshInterval), ("--target-fps", importing.targetInterval),
    ]
    let option = stated.first { $0.1 != nil }?.0 ?? (region.isWhole ? nil : "--skip-first")
    if let option {
      throw CommandError(
        .usage,
        "\(input.path): \(option) has no effect on a summary, which has its frames counted already",
        help: "'analyze --summary \(option) …' states it when the summary is written")
    }
    do throws(ParseError) {
      return try RunSummaryReader.read(input)
    } catch {
      throw CommandError(error)
    }
  }

  /// The figures of results, of summaries and of traces, for a history.
  /// - Parameter read: Reads a result; gives `nil` for what is none.
  func results(
    _ paths: [String], _ readResult: @Sendable (InputFile) throws(ParseError) -> [HistoryResult]?
  ) throws(CommandError) -> [HistoryResult] {
    let files = try read(paths) { input, read throws(CommandError) in
      do throws(ParseError) {
        if let results = try readResult(input) { return results }
      } catch {
        throw CommandError(error)
      }
      if RunSummaryReader.recognizes(input) { return try summaries(input).map(HistoryResult.init) }
      let trace = try read(input)
      // Launches of several tests are told apart unless those of one are meant.
      let areLaunchesApart = trace.launches.has(.scene) && selection.processes.isEmpty
      let isWithout = trace.frameCount == 0 && (trace.launches.count == 0 || areLaunchesApart)
      let results = HistoryResult.results(
        of: trace, isWithout ? nil : try times(of: trace).summary)
      // What has nothing is told as where runs are compared.
      return results.isEmpty ? [HistoryResult(try times(of: trace).summary)] : results
    }
    return files.flatMap { $0 }
  }

  /// The frame times themselves, of traces.
  func frameTimes(_ paths: [String]) throws(CommandError) -> [RunTimes] {
    try read(paths) { input, read throws(CommandError) in
      if RunSummaryReader.recognizes(input) {
        throw CommandError(
          .usage, "\(input.path): a self-test takes traces, and this is a summary of runs")
      }
      return try times(of: try read(input))
    }
  }

  private func read<Value: Sendable>(
    _ paths: [String],
    _ make:
      @Sendable (InputFile, (InputFile) throws(CommandError) -> Trace) throws(CommandError)
      -> Value
  ) throws(CommandError) -> [Value] {
    let inputs = TraceInputs(console: console, importing: importing, quiet: quiet)
    var values: [Value] = []
    for result in inputs.mapInputs(paths, make) { values.append(try result.get()) }
    return values
  }

  private func times(of trace: Trace) throws(CommandError) -> RunTimes {
    if trace.frameCount > 0 { try selection.check(trace) }
    let region = try region.find(in: trace)
    do throws(ComparisonRefusal) {
      return try RunTimes.of(
        trace, where: selection.matches, region: region,
        launchesOf: selection.processes.first)
    } catch {
      throw CommandError(error)
    }
  }
}
