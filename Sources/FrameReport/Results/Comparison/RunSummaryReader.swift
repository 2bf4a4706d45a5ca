import FrameAnalysis
import FrameStatistics
package import FrameTrace
package import FrameVerdicts

/// Reads files with the runs of a job, as written from a `FieldRecord`.
package enum RunSummaryReader {
  /// The largest file that is read, in bytes; enough for thousands of runs.
  static let mostBytes = 64 << 20

  /// Whether an input is such a file, judged by its first bytes.
  package static func recognizes(_ input: InputFile) -> Bool {
    let start = String(decoding: input.head.prefix(200), as: UTF8.self)
    return start.contains("\"\(RunSummary.schema.prefix { $0 != "/" })/")
  }

  /// The runs in an input.
  package static func read(_ input: InputFile) throws(ParseError) -> [RunSummary] {
    guard !SummaryReader.recognizes(input) else { return try lines(input) }
    let bytes = try input.readAll(atMost: mostBytes, of: "runs")
    do throws(JSONScanner.Problem) {
      return try runs(try JSONNode(bytes))
    } catch {
      throw ParseError(
        path: input.path, position: .byte(error.offset), problem: "expected \(error.expected)",
        help: "'frametool analyze --summary FILE' writes such files")
    }
  }

  /// The runs of a summary in lines.
  private static func lines(_ input: InputFile) throws(ParseError) -> [RunSummary] {
    var runs: [RunSummary] = []
    try SummaryReader.read(input, withRuns: true) { line, number, _ throws(ParseError) in
      guard let run = line.run else {
        let problem =
          switch line.outcome {
          case .failed(let reason):
            "expected a run, found a trace that could not be read: \(reason)"
          case .counted(let tally) where line.file == nil:
            "expected a single run, found the sum of \(tally.runs) runs"
          case .counted: "expected a whole run, found only some of its metrics"
          }
        throw ParseError(
          path: input.path, position: .line(number), problem: problem,
          help:
            "compare summaries of single runs that 'analyze --summary' wrote without --metrics, or use 'fleet'"
        )
      }
      runs.append(run)
    }
    return runs
  }

  private static func runs(_ root: JSONNode) throws(JSONScanner.Problem) -> [RunSummary] {
    guard root[RunKey.schema]?.text == RunSummary.schema else {
      throw problem(root, "the schema \(RunSummary.schema)")
    }
    guard let list = root[RunKey.runs]?.array else { throw problem(root, "a list of runs") }
    var runs: [RunSummary] = []
    for node in list { runs.append(try run(node)) }
    return runs
  }

  /// One run, in any kind of file.
  /// - Parameters:
  ///   - file: The file of the run, if the run does not name it.
  ///   - histograms: The histograms that the run's blocks refer to; `nil` if the blocks list their bins.
  static func run(
    _ node: JSONNode, of file: String? = nil, _ histograms: UnpackedHistograms? = nil
  ) throws(JSONScanner.Problem) -> RunSummary {
    let members = node.membersByKey
    guard let file = members[RunKey.file]?.text ?? file,
      let surface = members[RunKey.surface]?.text,
      let definition = members[RunKey.definition]?.text, let list = members[RunKey.blocks]
    else { throw problem(node, "a run with its file, surface, definition and blocks") }
    var blocks: [RunBlock] = []
    for node in list.array(atMost: BlockWeights.blockCount) ?? [] {
      blocks.append(try block(node, histograms))
    }
    guard blocks.count == BlockWeights.blockCount else {
      throw problem(list, "\(BlockWeights.blockCount) blocks")
    }
    var exact: [RunMetric: Double] = [:]
    for (name, value) in members[RunKey.exact]?.members ?? [] {
      if let metric = RunMetric(rawValue: name), let number = value.number, number > 0 {
        exact[metric] = number
      }
    }
    var interruptions: [RunMetric: Double] = [:]
    for (name, value) in members[RunKey.interruptions]?.members ?? [] {
      if let metric = RunMetric(rawValue: name), let number = value.number, number >= 0 {
        interruptions[metric] = number
      }
    }
    return RunSummary(
      file: file, process: members[RunKey.process]?.text, surface: surface,
      metric: members[RunKey.metric]?.text ?? ComparedFigures.usual,
      definition: definition, refresh: try refresh(members, of: node),
      start: members[RunKey.start]?.summand, clock: members[RunKey.clock]?.text,
      blocks: blocks, exact: exact, interruptions: interruptions,
      onGrid: members[RunKey.onGrid]?.summand ?? 0,
      onKept: members[RunKey.onKept]?.summand ?? 0,
      latencies: (members[RunKey.latencies]?.array ?? []).compactMap(\.summand),
      latencyName: members[RunKey.latency]?.text, launches: try launches(members),
      areProfiled: members[RunKey.profiled]?.isTrue == true,
      droppedShare: members[RunKey.droppedShare]?.number,
      hitchRatio: members[RunKey.hitchRatio]?.number,
      rates: (members[RunKey.rates]?.membersByKey ?? [:]).compactMapValues(\.number),
      jankShare: members[RunKey.jankShare]?.number, countedMetric: nil,
      limits: members[RunKey.limits].map(limits),
      setup: (members[RunKey.setup]?.membersByKey ?? [:]).compactMapValues(\.text),
      losses: (members[RunKey.losses]?.array ?? []).compactMap(\.text))
  }

  /// The refresh; `nil` if it was unknown.
  private static func refresh(
    _ members: [String: JSONNode], of run: JSONNode
  ) throws(JSONScanner.Problem) -> RunRefresh? {
    guard let interval = members[RunKey.refresh]?.summand else { return nil }
    let kept = members[RunKey.refreshesKept]?.summand ?? 1
    guard interval > 0, (1...16).contains(kept) else {
      throw problem(run, "refresh_ns above 0, and refreshes_kept from 1 to 16")
    }
    guard let source = members[RunKey.refreshSource]?.text.flatMap(RunRefresh.Source.init) else {
      throw problem(run, "a refresh_source with refresh_ns")
    }
    return RunRefresh(interval: interval, source: source, kept: kept)
  }

  private static func launches(
    _ members: [String: JSONNode]
  ) throws(JSONScanner.Problem) -> [LaunchTime] {
    guard let list = members[RunKey.launches], let times = list.array?.map(\.summand) else {
      return []
    }
    guard let names = members[RunKey.launchMetrics]?.array?.map(\.text),
      names.count == times.count
    else { throw problem(list, "one launch_metrics entry for each of launches_ns") }
    return zip(times, names).compactMap { time, name in
      guard let time, time > 0 else { return nil }
      return name.flatMap { LaunchMeasure(named: $0) }.map { LaunchTime(time: time, measure: $0) }
    }
  }

  /// What limits the frames. A limit of a later version is ignored.
  private static func limits(_ node: JSONNode) -> LimitCounts {
    var counts: [FrameLimits.Limit: Int] = [:]
    for (name, value) in node.members {
      if let limit = FrameLimits.Limit(rawValue: name), let count = value.summand, count > 0 {
        counts[limit] = Int(count)
      }
    }
    return LimitCounts(counts)
  }

  private static func block(
    _ node: JSONNode, _ histograms: UnpackedHistograms?
  ) throws(JSONScanner.Problem) -> RunBlock {
    let members = node.membersByKey
    guard let count = members[RunKey.count]?.summand, let sum = members[RunKey.sum]?.summand,
      let missed = members[RunKey.missed]?.summand, let late = members[RunKey.late]?.summand,
      let list = members[RunKey.bins], min(count, sum, missed, late) >= 0
    else { throw problem(node, "a block with n, sum_ns, missed, late_ns and bins") }
    var block = RunBlock()
    block.histogram = try FrameHistogram(list, histograms, listed: .numbers)
    guard block.histogram.total == count else {
      throw problem(list, "bins whose counts sum to n")
    }
    (block.count, block.sum, block.missedOfRun, block.lateOfRun) = (count, sum, missed, late)
    // Files of earlier versions only contain the values relative to the interval of most frames of the run.
    block.missed = members[RunKey.missedLocally]?.summand ?? missed
    block.late = members[RunKey.lateLocally]?.summand ?? late
    guard min(block.missed, block.late) >= 0 else {
      throw problem(node, "missed_locally and late_locally_ns of 0 or more")
    }
    return block
  }

  private static func problem(_ node: JSONNode, _ expected: String) -> JSONScanner.Problem {
    JSONScanner.Problem(offset: node.offset, expected: expected)
  }
}

extension JSONNode {
  /// A whole number small enough that sums of such numbers fit in 64 bits.
  fileprivate var summand: Int64? { integer.flatMap { $0.magnitude < 1 << 56 ? $0 : nil } }
}
