import FrameAnalysis
import FrameStatistics
package import FrameTrace
package import FrameVerdicts

/// Reads summaries line by line; memory is needed only for the longest line.
package enum SummaryReader {
  /// The maximum number of values and figures in a line: several times the number of metrics.
  private static let most = 1024

  /// Whether an input is a summary, judged by its first bytes.
  package static func recognizes(_ input: InputFile) -> Bool {
    let start = String(decoding: input.head.prefix(200), as: UTF8.self)
    return SummarizedRun.schemas.contains { start.contains("\"\($0)\"") }
  }

  /// Passes on each run of a summary, with its line number and the bytes of the line without the line feed.
  /// - Parameter withRuns: Whether to read the data for a comparison of individual runs.
  /// - Throws: The errors of `body`, and an error if a line is invalid.
  package static func read(
    _ input: InputFile, withRuns: Bool = false,
    _ body: (SummarizedRun, Int, [UInt8]) throws(ParseError) -> Void
  ) throws(ParseError) {
    // Truncated compressed data has no first line.
    if input.head.isEmpty, let broken = try TextLines.read(input, { _ in }) { throw broken }
    guard recognizes(input) else {
      throw ParseError(
        path: input.path,
        problem: "expected a summary whose first line has the schema \(SummarizedRun.schema)",
        help:
          "'frametool analyze --summary FILE TRACE…' writes one; 'frametool compare' reads traces and results of benchmarks"
      )
    }
    let broken = try TextLines.read(input) { line throws(ParseError) in
      guard !line.isBlank else { return }
      var run: SummarizedRun?
      let bytes = Array(line.bytes)
      do throws(JSONScanner.Problem) {
        run = try Self.run(bytes, withRun: withRuns)
      } catch {
        throw ParseError(
          path: input.path, position: .line(line.number), problem: "expected \(error.expected)",
          help: "'frametool analyze --summary FILE TRACE…' writes such files")
      }
      if let run { try body(run, line.number, bytes) }
    }
    if let broken { throw broken }
  }

  /// A line from `read`, in the current form. Traces that failed have the same form in all versions.
  package static func current(_ line: [UInt8]) -> String {
    // If the data of an individual run cannot be read, the line is used without that data, as before.
    if let members = try? JSONFields(line), members[SummaryKey.packed] == nil,
      members[SummaryKey.failed] == nil,
      let run = (try? run(line, withRun: true)) ?? (try? run(line, withRun: false))
    {
      return Writers.line(run)
    }
    return String(decoding: line, as: UTF8.self) + "\n"
  }

  /// The run in a line from `read`.
  package static func run(in line: String) throws(ParseError) -> SummarizedRun? {
    do throws(JSONScanner.Problem) {
      return try run(Array(line.utf8), withRun: false)
    } catch {
      throw ParseError(path: "the summary", problem: "expected \(error.expected)", help: "")
    }
  }

  /// - Returns: `nil` for a line that only states the schema, for example between concatenated files.
  private static func run(
    _ line: [UInt8], withRun: Bool
  ) throws(JSONScanner.Problem) -> SummarizedRun? {
    let members = try JSONFields(line)
    let node = members.node
    if let schema = members[SummaryKey.schema] {
      guard let name = schema.text, SummarizedRun.schemas.contains(name) else {
        throw problem(schema, "the schema \(SummarizedRun.schema)")
      }
      return nil
    }
    let file = members[SummaryKey.file]?.text
    let size = members[SummaryKey.size]?.integer
    let tags = (members[SummaryKey.tags]?.membersByKey ?? [:]).compactMapValues(\.text)
    if let reason = members[SummaryKey.failed]?.text {
      guard let file else { throw problem(node, "the file that failed") }
      return SummarizedRun(file: file, size: size, tags: tags, failed: reason)
    }
    // Lines of version 2 have unpacked counts.
    let packed = try members[SummaryKey.packed].map(PackedCounts.init)
    let counts = packed?.members ?? members
    var run = SummarizedRun(
      try tally(node, members, counts, packed?.histograms), tags: tags)
    (run.file, run.size) = (file, size)
    (run.process, run.surface) = (
      members[SummaryKey.process]?.text, members[SummaryKey.surface]?.text
    )
    run.surfaces = members[SummaryKey.surfaces]?.integer
    run.identities = try identities(members)
    if packed == nil, run.identities.isEmpty {
      run.identities = [RunIdentity(ofLine: String(decoding: line, as: UTF8.self) + "\n")]
    }
    if let found = counts[SummaryKey.run] {
      guard found.isObject else { throw problem(found, "the data of a single run as an object") }
      if withRun { run.run = try RunSummaryReader.run(found, of: file, packed?.histograms) }
    }
    return run
  }

  private static func identities(
    _ members: JSONFields
  ) throws(JSONScanner.Problem) -> [RunIdentity] {
    let one = [members[SummaryKey.identity]].compactMap(\.self)
    return try (one + (members[SummaryKey.identities]?.array ?? [])).map {
      node throws(JSONScanner.Problem) in
      guard let identity = node.text.flatMap(RunIdentity.init) else {
        throw problem(node, "a run's id of sixteen hexadecimal digits")
      }
      return identity
    }
  }

  /// - Parameters:
  ///   - counts: The object with the values, and the figures of several runs.
  ///   - histograms: The histograms that the counts refer to; `nil` if the counts list their bins.
  private static func tally(
    _ node: JSONNode, _ members: JSONFields, _ counts: JSONFields,
    _ histograms: UnpackedHistograms?
  ) throws(JSONScanner.Problem) -> RunTally {
    var tally = RunTally()
    tally.runs = try count(SummaryKey.runs, members, node)
    if members[SummaryKey.bound] != nil {
      tally.bound = try count(SummaryKey.bound, members, node)
    }
    guard let frames = members[SummaryKey.frames] else { throw problem(node, SummaryKey.frames) }
    tally.frames = try Self.frames(frames)
    tally.drops = try members[SummaryKey.dropped].map(drops)
    tally.hitches = try members[SummaryKey.hitches].map(hitches)
    for node in try list(SummaryKey.values, counts, node) {
      let members = node.fields
      var values = RunTally.Values(counts: try self.counts(node, members, histograms))
      // Version 2 could count frames both as left out and as missing, so that the number of missing frames was
      // negative.
      if histograms != nil || members[SummaryKey.missing]?.integer ?? 0 >= 0 {
        values.missing = try count(SummaryKey.missing, members, node, else: 0)
      }
      values.runs = try count(SummaryKey.runs, members, node, else: 1)
      values.inferred = try count(SummaryKey.inferred, members, node, else: 0)
      tally.values[try key(node, members)] = values
    }
    if histograms != nil, counts[SummaryKey.figures] == nil {
      guard let statistics = members[SummaryKey.statistics],
        let figures = members[SummaryKey.figures]
      else { throw problem(node, "statistics and figures next to packed counts of one run") }
      try NamedFigures.read(
        statistics: statistics, figures: figures,
        definitions: counts[SummaryKey.definitions], to: &tally)
      return tally
    }
    for node in try list(SummaryKey.figures, counts, node) {
      let members = node.fields
      let statistic = members[SummaryKey.statistic]
      let known = statistic?.text.flatMap(RunFigure.Statistic.init)
      if let statistic, known == nil {
        throw problem(statistic, "a statistic: mean, p50, p95, p99")
      }
      let figure = RunFigure(key: try key(node, members), statistic: known)
      guard let list = members[SummaryKey.each] else {
        let counts = try self.counts(node, members, histograms)
        guard let values = FigureValues(counts) else { throw problem(node, "values below 2^62") }
        tally.figures[figure] = values
        continue
      }
      guard let values = FigureValues(each: try each(list)) else {
        throw problem(list, "values of the figure in order, below 2^62")
      }
      tally.figures[figure] = values
    }
    return tally
  }

  private static func list(
    _ key: String, _ members: JSONFields, _ line: JSONNode
  ) throws(JSONScanner.Problem) -> [JSONNode] {
    guard let member = members[key] else { throw problem(line, "a list of \(key)") }
    guard let list = member.array(atMost: most) else {
      throw problem(member, "a list of at most \(most) \(key)")
    }
    return list
  }

  private static func key(
    _ node: JSONNode, _ members: JSONFields
  ) throws(JSONScanner.Problem) -> TallyKey {
    guard let metric = members[SummaryKey.metric]?.text else {
      throw problem(node, SummaryKey.metric)
    }
    return TallyKey(metric: metric, definition: members[SummaryKey.definition]?.text)
  }

  private static func frames(_ node: JSONNode) throws(JSONScanner.Problem) -> RunTally.Frames {
    let members = node.fields
    var frames = RunTally.Frames()
    frames.count = try count(SummaryKey.count, members, node)
    frames.displayed = try count(SummaryKey.displayed, members, node)
    frames.replaced = try count(SummaryKey.replaced, members, node)
    frames.discarded = try count(SummaryKey.discarded, members, node)
    frames.unresolved = try count(SummaryKey.unresolved, members, node)
    return frames
  }

  private static func drops(_ node: JSONNode) throws(JSONScanner.Problem) -> RunTally.Drops {
    let members = node.fields
    var byStage: [PipelineStage: Int64] = [:]
    for (name, value) in members[SummaryKey.byStage]?.members ?? [] {
      guard let stage = PipelineStage(rawValue: name), let number = value.integer,
        Int64.counts.contains(number)
      else { throw problem(value, "a stage with a count of refreshes") }
      byStage[stage] = number
    }
    var drops = RunTally.Drops(
      active: try count(SummaryKey.active, members, node), byStage: byStage)
    drops.runs = try count(SummaryKey.runs, members, node)
    return drops
  }

  private static func hitches(_ node: JSONNode) throws(JSONScanner.Problem) -> RunTally.Hitches {
    let members = node.fields
    // Durations may be as long as years.
    let lengths = [SummaryKey.total, SummaryKey.span].map { members[$0]?.integer }
    guard let total = lengths[0], let span = lengths[1], min(total, span) >= 0,
      max(total, span) < 1 << 58
    else {
      throw problem(node, "total_ns and span_ns")
    }
    var hitches = RunTally.Hitches(
      count: try count(SummaryKey.count, members, node), total: total, span: span)
    hitches.runs = try count(SummaryKey.runs, members, node)
    return hitches
  }

  private static func counts(
    _ node: JSONNode, _ members: JSONFields, _ histograms: UnpackedHistograms?
  ) throws(JSONScanner.Problem) -> ValueCounts {
    let number = try count(SummaryKey.count, members, node)
    guard let field = members[SummaryKey.sum],
      let sum = field.integer.map({ Int128($0) }) ?? field.text.flatMap({ Int128($0) })
    else { throw problem(node, "the sum of values") }
    if number == 1, members[SummaryKey.low] == nil, let value = Int64(exactly: sum), value != .min {
      return ValueCounts(value)
    }
    let zeros = members[SummaryKey.zeros] == nil ? 0 : try count(SummaryKey.zeros, members, node)
    guard let low = members[SummaryKey.low]?.integer, let high = members[SummaryKey.high]?.integer,
      let counts = ValueCounts(
        count: number, sum: sum, low: low, high: high,
        below: try histogram(members[SummaryKey.below], histograms), zeros: zeros,
        above: try histogram(members[SummaryKey.above], histograms))
    else { throw problem(node, "values whose n, sum, min and max match their bins") }
    return counts
  }

  /// Values in order: each value after the first is stored as the difference from the previous value.
  private static func each(_ node: JSONNode) throws(JSONScanner.Problem) -> [Int64] {
    guard let steps = node.integers, steps.count <= FigureValues.mostExact else {
      throw problem(node, "at most \(FigureValues.mostExact) whole numbers")
    }
    var values: [Int64] = []
    for step in steps {
      let (value, isTooLarge) = (values.last ?? 0).addingReportingOverflow(step)
      guard !isTooLarge else { throw problem(node, "values of 64 bits") }
      values.append(value)
    }
    return values
  }

  private static func histogram(
    _ node: JSONNode?, _ histograms: UnpackedHistograms?
  ) throws(JSONScanner.Problem) -> FrameHistogram {
    guard let node else { return FrameHistogram() }
    return try FrameHistogram(node, histograms, listed: .steps)
  }

  /// - Parameter usual: The count if the member is missing; `nil` if the member is required.
  private static func count(
    _ key: String, _ members: JSONFields, _ node: JSONNode, else usual: Int64? = nil
  ) throws(JSONScanner.Problem) -> Int64 {
    if let usual, members[key] == nil { return usual }
    guard let number = members[key]?.integer, Int64.counts.contains(number) else {
      throw problem(node, "a count as \(key)")
    }
    return number
  }

  private static func problem(_ node: JSONNode, _ expected: String) -> JSONScanner.Problem {
    JSONScanner.Problem(offset: node.offset, expected: expected)
  }
}
