import FrameAnalysis
import FrameTrace

/// A check on the user's runs that a comparison finds a regression of a given size, and finds none
/// if nothing changed.
package struct ComparisonSelfTest: Sendable {
  /// The steps of the test and their results, one line each.
  package let lines: [String]
  /// Whether the comparison found the regression and nothing else.
  package let isProved: Bool

  /// The sizes tried to find the smallest detectable one.
  private static let sizes = [0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1]

  /// Splits the runs of one side in two and slows down the second half.
  /// - Parameters:
  ///   - runs: Runs of one side.
  ///   - size: The share by which the second half gets worse.
  /// - Throws: If the runs are too short.
  package init(
    _ runs: [RunTimes], size: Double, _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    let halves = Self.halves(runs)
    let before = halves.first.map(\.summary)
    let alike = try Comparison(before, halves.second.map(\.summary), options: options)
    let worse = try Self.injected(size, halves, before, options)
    let isQuiet = alike.overall != .regressed && alike.overall != .suspected
    isProved = isQuiet && Self.isFound(worse)
    var lines = [
      "split: \(halves.words)",
      "A/A: \(alike.overall.word), \(isQuiet ? "no alarm, as expected" : "a FALSE ALARM")",
      "injected \(Self.percent(size)) (\(Self.words(halves, size))): \(worse.overall.word), \(Self.isFound(worse) ? "found" : "NOT FOUND")",
    ]
    if let least = try Self.least(halves, before, options) {
      lines.append("smallest tested size that was found: \(Self.percent(least))")
    } else {
      lines.append(
        "no tested size was found, up to \(Self.percent(Self.sizes[Self.sizes.count - 1]))")
    }
    lines.append(Self.conclusion(isQuiet ? nil : alike, isProved: isProved, runs: runs.count))
    self.lines = lines
  }

  /// The conclusion of the test, and advice.
  /// - Parameter alarm: The A/A comparison, if it raised a false alarm.
  private static func conclusion(_ alarm: Comparison?, isProved: Bool, runs: Int) -> String {
    guard let alarm else {
      return isProved ? "self-test passed" : "self-test FAILED: try more runs, or a larger size"
    }
    let found = alarm.metrics.filter { $0.isGating && $0.verdict == alarm.overall }.map {
      "\($0.name) by \(FixedNumber.text($0.effect, decimals: 1)) \($0.effectUnit)"
    }
    let cause =
      runs >= 4
      ? "alternating runs of one side differ more than their noise explains"
      : "stretches of the same run differ more than its noise explains, as when the scene changes"
    let threshold = alarm.metrics.first { $0.isGating && $0.verdict == alarm.overall }.map {
      metric in
      let size = FixedNumber.text((metric.effect * 1.5).rounded(.up), decimals: 0)
      return
        ", or allow for it with --threshold \(FigureName(metric.name).statistic ?? metric.name)=\(size)"
    }
    return
      "self-test FAILED: \(found.joined(separator: ", ")): \(cause); give at least six runs of one fixed scene, leave out a warm-up with --skip-first\(threshold ?? "")"
  }

  private static func isFound(_ comparison: Comparison) -> Bool {
    comparison.overall == .regressed || comparison.overall == .suspected
  }

  private static func percent(_ share: Double) -> String {
    FixedNumber.text(share * 100, decimals: share < 0.1 ? 1 : 0) + " %"
  }

  private static func least(
    _ halves: Halves, _ before: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) -> Double? {
    for size in sizes where isFound(try injected(size, halves, before, options)) { return size }
    return nil
  }

  private static func injected(
    _ size: Double, _ halves: Halves, _ before: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) -> Comparison {
    try Comparison(before, halves.second.map { $0.worse(by: size).summary }, options: options)
  }

  private static func words(_ halves: Halves, _ size: Double) -> String {
    halves.second.first?.summary.isQuantized == true
      ? "that share of the frames takes one more refresh" : "every frame takes that much longer"
  }

  /// Two halves of the runs of one side.
  private struct Halves {
    let first, second: [RunTimes]
    let words: String
  }

  /// Alternating runs; with fewer than four runs, alternating stretches of about one second of each run.
  private static func halves(_ runs: [RunTimes]) -> Halves {
    if runs.count >= 4 {
      let even = runs.count / 2 * 2
      let first = stride(from: 0, to: even, by: 2).map { runs[$0] }
      let second = stride(from: 1, to: even, by: 2).map { runs[$0] }
      return Halves(
        first: first, second: second, words: "alternating runs, \(first.count) v \(second.count)")
    }
    let parts = runs.map { run in (run.part(0, of: 2), run.part(1, of: 2)) }
    return Halves(
      first: parts.map(\.0), second: parts.map(\.1),
      words: "alternating one-second stretches of \(runs.count) run\(runs.count == 1 ? "" : "s")")
  }
}

extension RunTimes {
  /// Every `count`th second of the run, starting with the second at `position`.
  fileprivate func part(_ position: Int, of count: Int) -> RunTimes {
    var part = self
    part.times = []
    var second = 0
    var elapsed: Int64 = 0
    for time in times {
      if second % count == position { part.times.append(time) }
      elapsed += time
      if elapsed >= 1_000_000_000 {
        elapsed = 0
        second += 1
      }
    }
    return part
  }

  /// The run made worse by a share. If its frames are bound to refreshes, that share of them takes one more refresh,
  /// evenly spread; otherwise, every frame takes longer.
  fileprivate func worse(by share: Double) -> RunTimes {
    var worse = self
    guard summary.isQuantized, let interval = refresh?.interval else {
      worse.times = times.map { Int64((Double($0) * (1 + share)).rounded()) }
      return worse
    }
    var due = 0.5
    for position in times.indices {
      due += share
      if due >= 1 {
        due -= due.rounded(.down)
        worse.times[position] += interval
      }
    }
    return worse
  }
}
