import CRelay
import FrameKit

/// A capture of a program that runs until the program exits, the time limit is reached, or the user stops it.
struct CaptureRun<Source: CaptureSource> {
  private var source: Source
  private let options: CaptureOptions
  private let console: Console
  private let file: CaptureFile
  private var part = 1
  private var partStart: Int64
  private var partBytes = 0
  private var lastWrite: Int64 = 0
  private var gaps = 0
  /// When the last iteration of the work loop ended.
  private var lastTurn: Int64
  private var wasStopped = false
  private var isStopWanted = false

  /// The longest wait when idle, in ms, and the additional delay that counts as a gap, in ns.
  private static var pause: Int32 { 5 }
  private static var longestGap: Int64 { 3_000_000 }
  /// The interval at which lines are formatted, in ns; formatting must not delay the forwarding of messages.
  private static var writeInterval: Int64 { 20_000_000 }

  /// How often to examine the running program, in ns.
  private static var lookInterval: Int64 { 250_000_000 }

  init(
    _ source: Source, to path: String, _ options: CaptureOptions, on console: Console
  ) throws(CommandError) {
    self.source = source
    self.options = options
    self.console = console
    let now = LaunchedProcess.now
    (partStart, lastTurn) = (now, now)
    let opening = self.source.opening(part: 1, at: now)
    do throws(ParseError) {
      file = try CaptureFile(path: path, kept: options.kept, opening: opening)
    } catch {
      throw CommandError(error)
    }
  }

  /// Runs the program.
  /// - Parameter changes: The changes to the program's environment.
  mutating func run(
    _ words: [String], changes: [String]
  ) throws(CommandError) -> ExitStatus {
    let process: LaunchedProcess
    do throws(SystemError) {
      process = try LaunchedProcess(words, changes: changes, output: .shown)
    } catch {
      file.discard()
      throw CommandError(
        .unavailable, "\(words[0]): cannot be started: \(systemError(error.number))",
        help: "give a program and its arguments after --; shell commands as sh -c '…'")
    }
    let stop: StopRequest
    do throws(SystemError) {
      stop = try StopRequest()
    } catch {
      process.end(politely: false)
      file.discard()
      throw CommandError(.inputOutput, "cannot wait for signals: \(systemError(error.number))")
    }
    let sampler = options.noTelemetry ? nil : TelemetrySampler(Int(process.identifier))
    sampler?.start()
    defer { sampler?.stop() }
    lastTurn = LaunchedProcess.now
    let limit = options.duration.map { process.started + Nanoseconds.seconds($0).count } ?? .max
    var patience = Int64.max
    var isFailureSaid = false
    var lastLook: Int64 = 0
    while true {
      turn(stop, process, sampler)
      let now = LaunchedProcess.now
      if process.ending == nil, now - lastLook > Self.lookInterval {
        source.look(at: process.identifier)
        lastLook = now
      }
      if process.ending != nil, source.isIdle { break }
      if patience == .max, now >= limit || isStopWanted || source.isDone {
        // First ask the program to end, so that it can finish its output.
        process.end(politely: true)
        wasStopped = true
        patience = now + 2_000_000_000
      } else if now >= patience {
        process.end(politely: false)
        if process.ending != nil { break }
        patience = now + 100_000_000
      }
      if !isFailureSaid, let failure = file.failure {
        isFailureSaid = true
        console.note(
          "error: \(failure.description); the program keeps running, but is no longer recorded")
      }
    }
    process.end(politely: false)
    file.write(source.closing(isLast: true))
    return try finish(words, process)
  }

  /// Waits a short time for work, and does it.
  private mutating func turn(
    _ stop: StopRequest, _ process: LaunchedProcess, _ sampler: TelemetrySampler?
  ) {
    var waits = source.waits
    let count = waits.count
    for file in [process.ending == nil ? process.wake : -1, isStopWanted ? -1 : stop.file] {
      waits.append(relay_wait(file: file, reads: 1, writes: 0, can_read: 0, can_write: 0))
    }
    let before = LaunchedProcess.now
    note(gapFrom: lastTurn, to: before, allowed: 0)
    // Busy-wait for work that is due within a millisecond.
    let rest = source.due.map { max(0, ($0 - before) / 1_000_000) } ?? .max
    RelaySocket.wait(&waits, milliseconds: Int32(clamping: min(rest, Int64(Self.pause))))
    let woken = LaunchedProcess.now
    note(gapFrom: before, to: woken, allowed: Int64(Self.pause) * 1_000_000)
    source.work(waits[..<count])
    if waits[count + 1].can_read != 0 { isStopWanted = true }
    let done = LaunchedProcess.now
    note(gapFrom: woken, to: done, allowed: 0)
    lastTurn = done
    guard done - lastWrite > Self.writeInterval else { return }
    lastWrite = done
    let lines = source.takeLines() + (sampler?.take() ?? []).flatMap(source.lines)
    partBytes += lines.count
    file.write(lines)
    turnPart(at: done)
  }

  /// Records an interval in which the capture itself was delayed.
  private mutating func note(gapFrom start: Int64, to end: Int64, allowed: Int64) {
    guard end - start > allowed + Self.longestGap else { return }
    if source.note(gapFrom: start, to: end) { gaps += 1 }
  }

  private mutating func turnPart(at now: Int64) {
    let isLong = options.partTime.map { Nanoseconds(now - partStart).seconds >= $0 } ?? false
    let isLarge = options.partSize.map { Megabytes.count(partBytes) >= $0 } ?? false
    guard isLong || isLarge else { return }
    part += 1
    let closing = source.closing(isLast: false)
    file.turn(to: part, closing: closing, opening: source.opening(part: part, at: now))
    (partStart, partBytes) = (now, 0)
  }

  /// Prints a summary of the capture.
  private func finish(
    _ words: [String], _ process: LaunchedProcess
  ) throws(CommandError) -> ExitStatus {
    let (paths, written, lost) = file.finish()
    if source.hasFrames { file.keep() } else { file.discard() }
    let seconds = Nanoseconds(LaunchedProcess.now - process.started).seconds
    if !options.quiet {
      let name = paths.count == 1 ? paths[0] : "\(paths[0]) to \(paths[paths.count - 1])"
      let megabytes = Megabytes.text(written)
      console.note(
        "recorded \(source.hasFrames ? PrintableText.line(name) : "nothing"): \(source.summary), \(FixedNumber.text(seconds, decimals: 1)) s, \(megabytes) MB"
      )
      if gaps > 0 {
        console.note(
          "note: frametool itself was delayed by more than \(Self.longestGap / 1_000_000) ms, \(gaps) times; the file records when"
        )
      }
      if !wasStopped, let end = process.ending, end.status != 0 {
        let how = end.status.map { "with status \($0)" } ?? "by signal \(end.signal)"
        console.note("note: \(words[0]) ended \(how)")
      }
    }
    if let failure = file.failure { throw CommandError(failure) }
    if lost > 0 {
      throw CommandError(
        .inputOutput, "\(file.path): the disk did not keep up, \(lost) bytes were lost")
    }
    if let (problem, help) = source.emptiness { throw CommandError(.badData, problem, help: help) }
    guard !wasStopped, let signal = process.ending?.signal, signal > 0 else { return .success }
    return .ended(bySignal: signal)
  }
}
