import FrameKit

/// Runs two commands alternately until it is decided whether they differ.
struct PairedMeasurement {
  /// Why the measurement ended.
  enum Ending: String, Sendable {
    case decided
    case mostRuns = "max_runs"
    case mostTime = "max_time"
    case stopped
    case failing
  }

  /// The limits of a measurement, and how it starts.
  struct Limits: Sendable {
    /// The maximum number of runs per side.
    var runs = 40
    /// The time after which nothing new is started, on the monotonic clock in nanoseconds; `nil` for no limit.
    var until: Int64?
    /// How many runs of each side are discarded at the start.
    var warmUps = 1
    var seed: UInt64 = 1
  }

  let sides: [MeasuredCommand]
  let limits: Limits
  let terms: PairedRuns.Terms
  let journal: RunJournal
  let console: Console
  let progress: Progress
  private(set) var machine: MachineWatch
  private(set) var lines: [SummarizedRun]
  private(set) var lastPair: Int
  /// How many runs of each side have been discarded so far.
  private(set) var warmUps = 0

  /// The maximum number of pairs in a row that may fail.
  private static let mostFailures = 2

  /// - Parameter before: The pairs of an earlier session.
  init(
    _ sides: [MeasuredCommand], _ terms: PairedRuns.Terms, _ limits: Limits, to journal: RunJournal,
    after before: PairedRuns? = nil, machine: MachineWatch, progress: Progress, on console: Console
  ) {
    (self.sides, self.limits, self.terms, self.journal) = (sides, limits, terms, journal)
    (self.console, self.progress, self.machine) = (console, progress, machine)
    lines = before?.lines ?? []
    lastPair = before?.lastPair ?? 0
  }

  /// The pairs so far.
  var runs: PairedRuns { PairedRuns(terms, lines) }

  /// Measures until the result is decided, a limit is reached, or the user stops the measurement.
  mutating func measure(_ wish: StopWish) throws(CommandError) -> Ending {
    let until = limits.until ?? .max
    let isOver = { LaunchedProcess.now >= until }
    if let end = try warmUp(wish, isOver) { return end }
    var failures = 0
    while true {
      let runs = runs
      if try isDecided(runs) { return .decided }
      if runs.pairs.count >= limits.runs { return .mostRuns }
      if wish.hasCome { return .stopped }
      if isOver() { return .mostTime }
      lastPair += 1
      switch try pair(lastPair, wish) {
      case .made: failures = 0
      case .failed:
        failures += 1
        if failures == Self.mostFailures { return .failing }
      case .stopped: return .stopped
      }
    }
  }

  private enum PairEnd { case made, failed, stopped }

  private mutating func warmUp(
    _ wish: StopWish, _ isOver: () -> Bool
  ) throws(CommandError) -> Ending? {
    for number in 0..<limits.warmUps {
      for side in sides {
        progress.update("warming up \(side.name), \(number + 1) of \(limits.warmUps)")
        var outcome = try side.run("warm-up", wish, on: console)
        if case .failed = outcome { outcome = try side.run("warm-up", wish, on: console) }
        switch outcome {
        case .measured: break
        case .failed(let reason):
          throw CommandError(
            .badData, "\(side.name): \(reason)",
            help: "--show-output shows what the program prints; --warm-up 0 runs none beforehand")
        case .stopped: return .stopped
        }
        if isOver() { return .mostTime }
      }
      warmUps += 1
    }
    return nil
  }

  /// Runs both sides, in an order that depends only on the seed and the number of the pair.
  private mutating func pair(_ number: Int, _ wish: StopWish) throws(CommandError) -> PairEnd {
    progress.update(words(number))
    let order = MeasuringPlan.isBeforeFirst(inPair: number, seed: limits.seed) ? [0, 1] : [1, 0]
    for position in order {
      var isRetry = false
      attempts: while true {
        let tag = position == 0 ? PairedRuns.firstSide : PairedRuns.secondSide
        machine.begin()
        let outcome = try sides[position].run("\(tag)-\(number)", wish, on: console)
        let tags = [PairedRuns.sideTag: tag, PairedRuns.pairTag: "\(number)"]
        switch outcome {
        case .stopped: return .stopped
        case .measured(var run, let cpu):
          machine.end(cpu: cpu)
          run.tags = tags
          try add(run)
          break attempts
        case .failed(let reason):
          try add(
            SummarizedRun(
              file: "\(tag)-\(number)", size: nil, tags: tags,
              failed: "\(sides[position].name), pair \(number): \(reason)"))
          if isRetry { return .failed }
          isRetry = true
        }
      }
    }
    return .made
  }

  private mutating func add(_ run: SummarizedRun) throws(CommandError) {
    lines.append(run)
    try journal.append(Writers.line(run))
  }

  /// - Throws: If the runs cannot be compared and more runs would not help.
  private func isDecided(_ runs: PairedRuns) throws(CommandError) -> Bool {
    do throws(ComparisonRefusal) {
      return try runs.compared().isDecided
    } catch {
      if case .fewPairs = error { return false }
      throw CommandError(error)
    }
  }

  /// The current measurement, with the verdict so far.
  private func words(_ number: Int) -> String {
    let known = (try? runs.compared()).map { ", \(Writers.sentence($0))" } ?? ""
    return "pair \(number) of at most \(limits.runs)\(known)"
  }
}
