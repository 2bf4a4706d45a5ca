import FrameStatistics
import FrameTrace
package import FrameVerdicts

/// The path from a fleet to its worst runs: a page of all groups, a page for each group, and the files of the runs.
package struct FleetTrail {
  private let report: FleetReport
  /// The groups, the worst first.
  private let groups: [Fleet.Group]
  private let worst: [[String?]: [Run]]
  /// All runs that a page links to, by their numbers.
  package let runs: [Run]
  /// The number of the first run of each group.
  private let first: [[String?]: Int]

  /// A run, reduced to what is needed to rank it among others.
  package struct Run {
    /// The trace as its summary names it, the folder of that summary, and the trace's size in bytes if known.
    package let file, folder: String
    package let size: Int64?
    let share, high: Double?
    let unit: String

    fileprivate func isWorse(than other: Run) -> Bool {
      if share ?? -1 != other.share ?? -1 { return share ?? -1 > other.share ?? -1 }
      if high ?? -1 != other.high ?? -1 { return high ?? -1 > other.high ?? -1 }
      return file < other.file
    }
  }

  /// The maximum number of runs of a group that its page links to.
  package static let mostRuns = 50

  /// Collects the worst runs of each group, while summaries are read.
  package struct Builder {
    private let options: Fleet.Options
    private var worst: [[String?]: [Run]] = [:]

    package init(_ options: Fleet.Options) { self.options = options }

    /// Adds a run; runs without a separate file have no page.
    /// - Parameter folder: The folder of the run's summary.
    package mutating func add(_ run: SummarizedRun, from folder: String) {
      guard let file = run.file, let tally = run.tally else { return }
      let values = tally.values(of: options.metric)
      let found = Run(
        file: file, folder: folder, size: run.size, share: tally.drops?.share,
        high: values?.values.counts.quantile(0.99),
        unit: TallyKey(metric: options.metric, definition: nil).unit)
      var runs = worst[options.by.map { run.tags[$0] }, default: []]
      guard !runs.contains(where: { $0.file == file && $0.folder == folder }) else { return }
      let position = runs.firstIndex { found.isWorse(than: $0) } ?? runs.count
      guard position < FleetTrail.mostRuns else { return }
      runs.insert(found, at: position)
      worst[options.by.map { run.tags[$0] }] = Array(runs.prefix(FleetTrail.mostRuns))
    }

    package func trail(_ fleet: Fleet) -> FleetTrail { FleetTrail(fleet, worst) }
  }

  private init(_ fleet: Fleet, _ worst: [[String?]: [Run]]) {
    report = FleetReport(fleet)
    self.worst = worst
    groups = report.worstFirst
    var (runs, first): ([Run], [[String?]: Int]) = ([], [:])
    for group in groups {
      first[group.values] = runs.count
      runs += worst[group.values] ?? []
    }
    (self.runs, self.first) = (runs, first)
  }

  /// The page of all groups.
  package func overview() throws(PlotRefusal) -> Document {
    var page = try report.page()
    page.add(.heading("From the worst group to its frames", level: 2))
    page.add(
      .links(
        groups.enumerated().map { number, group in
          Document.Link(
            text: name(group), address: "group/\(number)", detail: words(group))
        }))
    return page
  }

  /// The page of a group; `nil` if there is none.
  /// - Parameter isThere: Whether the file of a run can be opened.
  package func page(ofGroup number: Int, isThere: (Run) -> Bool) -> Document? {
    guard groups.indices.contains(number) else { return nil }
    let group = groups[number]
    let runs = worst[group.values] ?? []
    var page = Document()
    page.add(.title(name(group), level: 1))
    page.add(.sentence(words(group)))
    page.add(.heading("The worst runs", level: 2))
    page.add(
      .links(
        runs.enumerated().map { position, run in
          let own = (first[group.values] ?? 0) + position
          let address = isThere(run) ? "../run/\(own)/#worst" : nil
          return Document.Link(
            text: run.file, address: address,
            detail: words(run) + (address == nil ? "; the file is not here" : ""))
        }))
    if group.tally.runs > Int64(runs.count) {
      page.add(.sentence("\(runs.count) of \(group.tally.runs) runs are listed"))
    }
    page.add(.links([Document.Link(text: "All groups", address: "../", detail: "the fleet")]))
    return page
  }

  private func name(_ group: Fleet.Group) -> String {
    let values = zip(report.fleet.options.by, group.values).map { tag, value in
      "\(tag) \(value ?? "none")"
    }
    return values.isEmpty ? "All runs" : values.joined(separator: ", ")
  }

  private func words(_ group: Fleet.Group) -> String {
    let tally = group.tally
    let verdict = report.comparison?.groups.first { $0.values == group.values }
      .map { $0.why ?? $0.verdict.word }
    let high = tally.values(of: report.fleet.options.metric)?.values.counts.quantile(0.99)
    return [
      verdict, "\(tally.runs) \(tally.runs == 1 ? "run" : "runs")", share(tally.drops?.share),
      percentile(high),
    ]
    .compactMap { $0 }.joined(separator: ", ")
  }

  private func words(_ run: Run) -> String {
    let known = [share(run.share), percentile(run.high)].compactMap { $0 }
    return known.isEmpty ? "nothing to rank it by" : known.joined(separator: ", ")
  }

  private func share(_ share: Double?) -> String? {
    share.map { "\(FixedNumber.text($0 * 100, decimals: 2)) % of refreshes dropped" }
  }

  private func percentile(_ value: Double?) -> String? {
    let metric = report.fleet.options.metric
    let unit = TallyKey(metric: metric, definition: nil).unit
    return value.map { "p99(\(metric)) \(FixedNumber.text($0, decimals: 2)) \(unit)" }
  }
}
