import FrameKit
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The processes that summarize traces, each reused until it fails.
final class TraceWorkers: Sendable {
  /// The limits for a trace of a batch.
  struct Limits: Sendable {
    /// The memory limit in megabytes.
    var memory = 4096.0
    /// The time limit in seconds.
    var time = 600.0

    /// A default as help shows it.
    static func words(_ path: KeyPath<Limits, Double>) -> String { text(Limits()[keyPath: path]) }

    /// A limit without superfluous decimals.
    static func text(_ limit: Double) -> String {
      limit == limit.rounded() ? FixedNumber.text(limit, decimals: 0) : "\(limit)"
    }
  }

  private let program: String
  private let words: [String]
  private let limits: Limits
  private let idle = Mutex<[LaunchedProcess]>([])

  /// - Parameter words: The words of the command for which the processes work.
  /// - Returns: `nil` if the system does not report the program's file, or if this process is not the program itself.
  init?(_ words: [String], _ limits: Limits) {
    guard Interruption.isOwnProcess, let program = LaunchedProcess.ownProgram else { return nil }
    (self.program, self.words, self.limits) = (program, words, limits)
  }

  deinit {
    for worker in idle.withLock({ $0 }) { _ = worker.stop() }
  }

  /// A file's row, and why it could not be read.
  /// - Parameter failed: The run of a file that could not be read, with the reason.
  /// - Throws: If no process can be started, which is not caused by the file.
  func row(
    of file: TraceLists.File, failed: (String) -> SummarizedRun
  ) throws(CommandError) -> SummaryRow {
    switch try attempt(file) {
    case .success(let row): row
    case .failure(let failure): SummaryRow(failed("\(file.path): \(failure.reason)"))
    }
  }

  /// Reads a trace in another process, only to check whether it can be read within the limits.
  /// - Throws: If it cannot be read within the limits. An unreadable trace is not reported, because reading it in this
  ///   process gives more information.
  func check(_ path: String) throws(CommandError) {
    guard case .failure(let failure) = try attempt(TraceLists.File(path)) else { return }
    throw CommandError(.badData, "\(path): \(failure.reason)")
  }

  private func attempt(
    _ file: TraceLists.File
  ) throws(CommandError) -> Result<SummaryRow, Failure> {
    // A process that has already read other traces may end because of those traces; the next process is new.
    while true {
      let free = idle.withLock { $0.popLast() }
      let worker = if let free { free } else { try start() }
      do throws(Failure) {
        let row = try ask(worker, file)
        idle.withLock { $0.append(worker) }
        return .success(row)
      } catch {
        if error.isEnd, free != nil { continue }
        return .failure(error)
      }
    }
  }

  private struct Failure: Error {
    let reason: String
    /// Whether the process ended by itself.
    var isEnd = false
  }

  private func start() throws(CommandError) -> LaunchedProcess {
    let memory = "\(TraceWorker.memoryVariable)=\(Int64(limits.memory))"
    do throws(SystemError) {
      return try LaunchedProcess(
        [program, TraceWorker.word] + words, changes: [memory, "SWIFT_BACKTRACE=enable=no"],
        output: .conversation)
    } catch {
      throw CommandError(
        .inputOutput, "no process can be started to read traces: \(systemError(error.number))",
        help: "raise the limits of open files, processes or memory (ulimit -n, -u, -v)")
    }
  }

  private func ask(
    _ worker: LaunchedProcess, _ file: TraceLists.File
  ) throws(Failure) -> SummaryRow {
    let end = LaunchedProcess.now + Nanoseconds.seconds(limits.time).count
    var answers = Parcels()
    // If the worker has ended, the reason is found below.
    _ = worker.send(Parcels.parcel(file.parcel))
    while true {
      switch worker.next(until: end) {
      case .printed(let bytes, _):
        answers.consume(bytes)
        guard let texts = answers.next(), texts.count == 2 else { continue }
        return SummaryRow(line: texts[1], reason: texts[0].isEmpty ? nil : texts[0])
      case .timeOver:
        worker.end(politely: false)
        throw Failure(
          reason:
            "it was not read within \(Limits.text(limits.time)) s; --max-time allows more"
        )
      case .ended(let end): throw Failure(reason: reason(of: end), isEnd: true)
      }
    }
  }

  private func reason(of end: LaunchedProcess.End) -> String {
    if end.status == TraceWorker.outOfMemory {
      return
        "it needs more than \(Limits.text(limits.memory)) MB of memory; --max-memory allows more"
    }
    if end.status == ExitStatus.inputOutput.rawValue {
      return "the process that read it could open no more files; ulimit -n raises the limit"
    }
    if end.signal == SIGKILL {
      return "the process that read it was killed, as the system does when memory runs out"
    }
    let how = end.status.map { "with status \($0)" } ?? "by signal \(end.signal)"
    return
      "the process that read it ended \(how), a defect of frametool; please report it with the file"
  }
}

/// A line of a summary, and why its trace could not be read; `nil` if it could.
struct SummaryRow: Sendable {
  let line: String
  let reason: String?
}

extension SummaryRow {
  init(_ run: SummarizedRun) {
    line = Writers.line(run)
    if case .failed(let reason) = run.outcome {
      self.reason = PrintableText.line(reason)
    } else {
      reason = nil
    }
  }
}
