import FrameKit

/// Writes the summary of any number of traces, using all processors and a bounded amount of memory.
///
/// Lines are written, in the order of the files, to a file next to the output with the suffix `.part`, which is renamed
/// to the output when it is complete. Interrupted work resumes after the lines of that file.
struct SummaryOfMany {
  let console: Console
  let choice: TraceChoice
  /// The names of the requested metrics; empty for all.
  let metrics: [String]
  let tags: RunTags
  let output: String
  let files: [TraceLists.File]
  var limits = TraceWorkers.Limits()

  /// The number of files that are processed before their results are written.
  private static let atOnce = 128

  func write() throws(CommandError) -> ExitStatus {
    LaunchedProcess.reuseMemory()
    reportPositionsWithoutTags()
    guard output != "-" else {
      try console.print(Writers.summaryHeader)
      return try end(
        counting: process(from: 0) { lines throws(CommandError) in try console.print(lines) })
    }
    try Output.keep(files.map(\.path), from: output)
    let (sink, done) = try opened()
    let found = try process(from: done.runs + done.failures) { lines throws(CommandError) in
      try Self.reporting { () throws(ParseError) in _ = try sink.write(Array(lines.utf8)) }
    }
    try Self.reporting { () throws(ParseError) in try sink.finish(under: output) }
    return try end(
      counting: Counts(runs: done.runs + found.runs, failures: done.failures + found.failures))
  }

  /// Warns about files that the pattern does not match, which is probably a mistake.
  private func reportPositionsWithoutTags() {
    guard let pattern = tags.path else { return }
    let without = files.filter { pattern.tags(of: $0.position) == nil }
    guard let first = without.first else { return }
    console.note(
      PrintableText.line(
        "note: --tag-path \(pattern.text) does not match \(without.count) of \(files.count) files, such as \(first.position); it must match the whole path below the given folder, where ** matches any number of folders"
      ))
  }

  /// The output for lines, and the counts of an earlier attempt.
  private func opened() throws(CommandError) -> (sink: ByteSink, done: Counts) {
    let part = "\(output).part"
    var done: Counts?
    let sink = try Self.reporting { () throws(ParseError) in
      let sink = try ByteSink(alone: part) { () throws(ParseError) in
        let resumed = try SummaryResumption(part, asked: asked, files: files.map(\.path))
        done = resumed.map { Counts(runs: $0.runs, failures: $0.failures) }
        return resumed?.bytes ?? 0
      }
      if done == nil { _ = try sink.write(Array(Writers.summaryHeader(asked: asked).utf8)) }
      return sink
    }
    if let done, done.runs + done.failures > 0 {
      console.note(
        "note: \(part): resuming after \(done.runs + done.failures) of \(files.count) files")
    }
    return (sink, done ?? Counts())
  }

  private static func reporting<Value>(
    _ body: () throws(ParseError) -> Value
  ) throws(CommandError) -> Value {
    do throws(ParseError) {
      return try body()
    } catch {
      throw CommandError(error)
    }
  }

  private struct Counts {
    var runs = 0
    var failures = 0
  }

  /// A hash of the request, used to decide whether an interrupted summary can be resumed.
  private var asked: String {
    let tagged = tags.given.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let bounds = ["\(limits.memory)", "\(limits.time)"]
    let text = (metrics + tagged + [tags.path?.text ?? ""] + choice.words + bounds)
      .joined(separator: "\n")
    return String(StableHash(text).value, radix: 16)
  }

  /// Processes the files from a given index.
  private func process(
    from start: Int, _ write: (String) throws(CommandError) -> Void
  ) throws(CommandError) -> Counts {
    let progress = Progress(console, isShown: console.showsProgress && !choice.quiet)
    defer { progress.end() }
    let workers = TraceWorkers(Array(console.arguments.dropFirst()), limits)
    let began = ContinuousClock.now
    var counts = Counts()
    for first in stride(from: start, to: files.count, by: Self.atOnce) {
      let batch = files[first..<min(first + Self.atOnce, files.count)]
      var lines = ""
      let atOnce = choice.jobs ?? LaunchedProcess.processorCount
      let found = Concurrently.map(batch.count, atOnce: atOnce) { position throws(CommandError) in
        let file = batch[first + position]
        guard let workers, !Self.isOwn(file.path) else { return row(of: file) }
        return try workers.row(of: file) { failed(file, $0) }
      }
      for result in found {
        let row: SummaryRow
        do throws(CommandError) {
          row = try result.get()
        } catch {
          // The files read so far are kept for the next attempt.
          try write(lines)
          throw error
        }
        if let reason = row.reason {
          counts.failures += 1
          console.note("error: \(reason)")
        } else {
          counts.runs += 1
        }
        lines += row.line
      }
      try write(lines)
      let elapsed = (ContinuousClock.now - began).components
      let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
      let rate = FixedNumber.text(
        Double(counts.runs + counts.failures) / max(seconds, 1e-3), decimals: 0)
      progress.update(
        "\(batch.endIndex) of \(files.count) files, \(rate) per second, \(counts.failures) could not be read"
      )
    }
    return counts
  }

  /// Whether a path refers to something else in another process.
  private static func isOwn(_ path: String) -> Bool {
    path == "-" || path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
  }

  /// The choice without progress for individual files.
  private var quietChoice: TraceChoice {
    var choice = choice
    choice.quiet = true
    return choice
  }

  /// The run of a file that could not be read.
  private func failed(_ file: TraceLists.File, _ reason: String) -> SummarizedRun {
    SummarizedRun(
      file: file.path, size: FileDescriptor.size(of: file.path),
      tags: tags.of(file.position, listed: file.tags), failed: reason)
  }

  /// Summarizes a trace in this process.
  func row(of file: TraceLists.File) -> SummaryRow { SummaryRow(summary(of: file)) }

  private func summary(of file: TraceLists.File) -> SummarizedRun {
    let choice = quietChoice
    let selection = metrics.isEmpty ? .all : MetricSelection(metrics) ?? .all
    let demand = choice.region.isWhole ? selection.demand : .everything
    let tags = tags.of(file.position, listed: file.tags)
    let size: Int64?
    let head: [UInt8]
    do throws(ParseError) {
      let input = try console.peek(file.path)
      size = input.fileSize.map(Int64.init) ?? FileDescriptor.size(of: file.path)
      head = try input.wholeHead()
    } catch {
      return failed(file, CommandError(error).message)
    }
    let result = choice.inputs(on: console, demand: demand).map([file.path]) {
      trace throws(CommandError) in
      try choice.surfaces.check(trace)
      let study = try choice.study(of: trace) { _ in }
      do throws(ComparisonRefusal) {
        return try SummarizedRun(
          of: study, selection, tags: tags, size: size, isComparable: metrics.isEmpty
        ).identified(by: head)
      } catch {
        throw CommandError(.badData, "\(file.path): \(error.message)", help: error.help)
      }
    }
    switch result.first {
    case .success(let run)?: return run
    case .failure(let error)?:
      return SummarizedRun(file: file.path, size: size, tags: tags, failed: error.message)
    case nil:
      return SummarizedRun(
        file: file.path, size: size, tags: tags, failed: "\(file.path): nothing was read")
    }
  }

  private func end(counting counts: Counts) throws(CommandError) -> ExitStatus {
    if output != "-" {
      let files = "\(counts.failures) file\(counts.failures == 1 ? "" : "s")"
      let failed = counts.failures == 0 ? "" : ", \(files) could not be read"
      try console.print(
        PrintableText.line("\(output): \(counts.runs) run\(counts.runs == 1 ? "" : "s")\(failed)")
          + "\n")
    }
    return counts.failures == 0 ? .success : .badData
  }
}
