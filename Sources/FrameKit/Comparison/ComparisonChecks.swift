/// What stands against a comparison, or against believing it.
enum ComparisonChecks {
  /// Refuses runs that are not of the same kind.
  static func refuse(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    let runs = before + after
    if let short = runs.first(where: { $0.count < RunSummary.fewestFrames }),
      options.kind == .frames
    {
      throw ComparisonRefusal(
        message:
          "\(short.file): expected at least \(RunSummary.fewestFrames) frame times, found \(short.count)",
        help: short.count == 0 && !short.launches.isEmpty
          ? "it has launches, which --launch compares"
          : "a shorter run says too little of its tail to be compared")
    }
    guard let first = runs.first else { return }
    if let other = runs.first(where: { $0.definition != first.definition }) {
      throw ComparisonRefusal(
        message:
          "\(other.file): frame times are measured \(other.definition), those of \(first.file) \(first.definition)",
        help: "compare traces of the same kind of source")
    }
    try refuseRefresh(runs, options)
  }

  private static func refuseRefresh(
    _ runs: [RunSummary], _ options: ComparisonOptions
  ) throws(ComparisonRefusal) {
    guard !options.allowsDifferentRefresh else { return }
    let known = runs.filter { $0.interval != nil && $0.intervalSource != "assumed" }
    guard let first = known.first, let length = first.interval else { return }
    for run in known {
      guard let own = run.interval, abs(own - length) * 100 > length else { continue }
      let words = { (length: Int64) in FixedNumber.text(Double(length) / 1e6, decimals: 3) }
      throw ComparisonRefusal(
        message:
          "\(run.file): the display refreshes every \(words(own)) ms, that of \(first.file) every \(words(length)) ms",
        help: "--allow-different-refresh compares them all the same")
    }
  }

  /// What a reader has to know before the verdict is believed.
  static func warnings(
    _ before: [RunSummary], _ after: [RunSummary], _ options: ComparisonOptions,
    _ measures: [RunMeasure], _ method: SideStatistics.Method
  ) -> [String] {
    var warnings: [String] = []
    if method == .singleRun {
      warnings.append(
        "one run on a side cannot tell a change from run-to-run noise, which is assumed to be 2.5 %; where it is 5 %, one comparison in seven is a false alarm"
      )
    }
    if let order = order(before, after), options.history.isEmpty { warnings.append(order) }
    if let short = shortRuns(before + after) { warnings.append(short) }
    if (1..<Comparison.fewestJobs).contains(options.history.count) {
      warnings.append(
        "\(options.history.count) earlier runs say too little of the noise and are left out; \(Comparison.fewestJobs) would do"
      )
    }
    let assumed = (before + after).filter { $0.interval == nil || $0.intervalSource == "assumed" }
    if !assumed.isEmpty, options.kind == .frames {
      warnings.append(
        "the refresh interval of \(assumed.count) run\(assumed.count == 1 ? "" : "s") is not known, 16.667 ms is assumed for missed refreshes and hitches"
      )
    }
    return warnings + outliers(before, "before", measures) + outliers(after, "after", measures)
  }

  /// A device that warms up looks like a change when one side was measured first.
  private static func order(_ before: [RunSummary], _ after: [RunSummary]) -> String? {
    guard min(before.count, after.count) >= 2 else { return nil }
    let runs = before + after
    let starts = runs.compactMap(\.start)
    let clocks = Set(runs.map(\.clock))
    guard starts.count == runs.count, clocks.count == 1 else {
      return
        "the traces do not tell in which order the runs were made; if all of one side came first, a drift looks like a change"
    }
    let (first, second) = (before.compactMap(\.start), after.compactMap(\.start))
    let isApart =
      (first.max() ?? 0) < (second.min() ?? 0) || (second.max() ?? 0) < (first.min() ?? 0)
    guard isApart else { return nil }
    return
      "all runs of one side were made before all of the other, so a drift of the device looks like a change; 'frametool compare --plan \(max(before.count, after.count))' prints a better order"
  }

  private static func shortRuns(_ runs: [RunSummary]) -> String? {
    let short = runs.filter { $0.count < 1000 }
    guard !short.isEmpty else { return nil }
    return
      "p99 rests on fewer than ten frames in \(short.count) of \(runs.count) runs, which have less than 1000"
  }

  /// Runs that are far from the others of their side, in any gating figure.
  private static func outliers(
    _ runs: [RunSummary], _ side: String, _ measures: [RunMeasure]
  ) -> [String] {
    guard runs.count >= 4 else { return [] }
    return runs.indices.compactMap { index in
      let names = measures.filter(\.isGating).compactMap { measure -> String? in
        let values = runs.map(measure.value)
        let median = RealQuantile.type7(values, 0.5)
        let spread = RealQuantile.type7(values.map { abs($0 - median) }, 0.5)
        let distance = abs(values[index] - median)
        let threshold = measure.metric.isTime ? 0.05 : measure.metric.usualThreshold
        // A z of 3.5 on the median's own scale, and far enough to matter.
        return distance > 3.5 * 1.4826 * spread && distance > threshold ? measure.name : nil
      }
      guard !names.isEmpty else { return nil }
      return
        "\(runs[index].file) is far from the other runs of '\(side)' in \(names.joined(separator: ", ")); it is not left out"
    }
  }
}
