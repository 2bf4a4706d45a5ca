/// Reads files with the runs of a job, as `FieldRecord` is written of them.
public struct RunSummaryReader {
  private let bytes: [UInt8]
  private let path: String

  /// The largest file that is read: that of thousands of runs.
  static let mostBytes = 64 << 20
  /// The bins that times from a nanosecond to a day fall into.
  private static let bins = FrameHistogram.bin(1e-6)...FrameHistogram.bin(86_400_000)

  /// Whether an input is such a file, by its first bytes.
  public static func recognizes(_ input: InputFile) -> Bool {
    let start = String(decoding: input.head.prefix(200), as: UTF8.self)
    return start.contains("\"\(RunSummary.schema.prefix { $0 != "/" })/")
  }

  /// The runs in an input.
  public static func read(_ input: InputFile) throws(ParseError) -> [RunSummary] {
    let bytes = try input.readAll(atMost: mostBytes, of: "runs")
    let reader = RunSummaryReader(bytes: bytes, path: input.path)
    do throws(JSONScanner.Problem) {
      return try reader.runs()
    } catch {
      throw ParseError(
        path: input.path, place: .byte(error.offset), problem: "expected \(error.expected)",
        help: "'frametool analyze --summary FILE' writes such files")
    }
  }

  private func runs() throws(JSONScanner.Problem) -> [RunSummary] {
    let whole = 0..<bytes.count
    let root = try object(whole)
    guard text(root[RunKey.schema]) == RunSummary.schema else {
      throw problem(whole, "the schema \(RunSummary.schema)")
    }
    guard let list = root[RunKey.runs] else { throw problem(whole, "a list of runs") }
    var runs: [RunSummary] = []
    for token in try array(list.range) { runs.append(try run(token.range)) }
    return runs
  }

  private func run(_ range: Range<Int>) throws(JSONScanner.Problem) -> RunSummary {
    let members = try object(range)
    guard let file = text(members[RunKey.file]), let surface = text(members[RunKey.surface]),
      let definition = text(members[RunKey.definition]), let list = members[RunKey.blocks]
    else { throw problem(range, "a run with its file, surface, definition and blocks") }
    var blocks: [RunBlock] = []
    for token in try array(list.range) { blocks.append(try block(token.range)) }
    guard blocks.count == BlockWeights.blockCount else {
      throw problem(list.range, "\(BlockWeights.blockCount) blocks")
    }
    var exact: [RunMetric: Double] = [:]
    if let token = members[RunKey.exact] {
      for (name, value) in try object(token.range) {
        if let metric = RunMetric(rawValue: name), let number = real(value), number > 0 {
          exact[metric] = number
        }
      }
    }
    let refresh = try refresh(members, range)
    return RunSummary(
      file: file, process: text(members[RunKey.process]), surface: surface, definition: definition,
      refresh: refresh, start: whole(members[RunKey.start]), clock: text(members[RunKey.clock]),
      blocks: blocks,
      exact: exact, onGrid: whole(members[RunKey.onGrid]) ?? 0,
      onKept: whole(members[RunKey.onKept]) ?? 0,
      latencies: try members[RunKey.latencies].map { token throws(JSONScanner.Problem) in
        try array(token.range).compactMap(whole)
      } ?? [], latencyName: text(members[RunKey.latency]),
      launches: try launches(members),
      areProfiled: members[RunKey.profiled]?.kind == .true,
      droppedShare: real(members[RunKey.droppedShare]),
      hitchRatio: real(members[RunKey.hitchRatio]),
      setup: try members[RunKey.setup].map { token throws(JSONScanner.Problem) in
        try object(token.range).compactMapValues(text)
      } ?? [:],
      losses: try members[RunKey.losses].map { token throws(JSONScanner.Problem) in
        try array(token.range).compactMap(text)
      } ?? [])
  }

  /// The refresh; `nil` where none was known.
  private func refresh(
    _ members: [String: JSONScanner.Token], _ range: Range<Int>
  ) throws(JSONScanner.Problem) -> RunRefresh? {
    guard let interval = whole(members[RunKey.refresh]) else { return nil }
    let kept = whole(members[RunKey.refreshesKept]) ?? 1
    guard interval > 0, (1...16).contains(kept) else {
      throw problem(range, "a refresh above 0, of which 1 to 16 are kept")
    }
    guard let source = text(members[RunKey.refreshSource]).flatMap(RunRefresh.Source.init) else {
      throw problem(range, "a refresh_source beside refresh_ns")
    }
    return RunRefresh(interval: interval, source: source, kept: kept)
  }

  private func launches(
    _ members: [String: JSONScanner.Token]
  ) throws(JSONScanner.Problem) -> [LaunchTime] {
    guard let list = members[RunKey.launches] else { return [] }
    let times = try array(list.range).map(whole)
    let words = try members[RunKey.launchMetrics].map { token throws(JSONScanner.Problem) in
      try array(token.range).map(text)
    }
    guard words.map({ $0.count == times.count }) ?? true else {
      throw problem(list.range, "as many launch_metrics as launches_ns")
    }
    return times.indices.compactMap { place in
      guard let time = times[place], time > 0 else { return nil }
      // Before they had names, all were of unknown kind and ended with a first frame.
      let name = words?[place] ?? "launchTime"
      return LaunchMeasure(named: name).map { LaunchTime(time: time, measure: $0) }
    }
  }

  private func block(_ range: Range<Int>) throws(JSONScanner.Problem) -> RunBlock {
    let members = try object(range)
    var block = RunBlock()
    guard let count = whole(members[RunKey.count]), let sum = whole(members[RunKey.sum]),
      let missed = whole(members[RunKey.missed]), let late = whole(members[RunKey.late]),
      let list = members[RunKey.bins], min(count, sum, missed, late) >= 0
    else { throw problem(range, "a block with n, sum_ns, missed, late_ns and bins") }
    let numbers = try array(list.range).map(whole)
    for place in stride(from: 0, to: numbers.count - 1, by: 2) {
      guard let bin = numbers[place].map(Int.init(truncatingIfNeeded:)), Self.bins.contains(bin),
        let found = numbers[place + 1], Int64.counts.contains(found)
      else { throw problem(list.range, "bins and their counts by turns") }
      block.histogram.add(found, toBin: bin)
    }
    guard numbers.count % 2 == 0, block.histogram.total == count else {
      throw problem(list.range, "bins whose counts sum to n")
    }
    (block.count, block.sum, block.missed, block.late) = (count, sum, missed, late)
    return block
  }
}

extension RunSummaryReader {
  private func object(
    _ range: Range<Int>
  ) throws(JSONScanner.Problem) -> [String: JSONScanner.Token] {
    var scanner = JSONScanner(bytes, range)
    var members: [JSONScanner.Member] = []
    try scanner.object(into: &members)
    var found: [String: JSONScanner.Token] = [:]
    for member in members {
      found[String(decoding: bytes[member.key], as: UTF8.self)] = member.value
    }
    return found
  }

  private func array(_ range: Range<Int>) throws(JSONScanner.Problem) -> [JSONScanner.Token] {
    var scanner = JSONScanner(bytes, range)
    return try scanner.array()
  }

  private func text(_ token: JSONScanner.Token?) -> String? {
    guard let token, token.kind == .string else { return nil }
    return JSONScanner.text(bytes, token.range)
  }

  /// A whole number whose sum with others of its kind cannot go past 64 bits.
  private func whole(_ token: JSONScanner.Token?) -> Int64? {
    guard let token, token.kind == .number,
      let value = Int64(String(decoding: bytes[token.range], as: UTF8.self)),
      value.magnitude < 1 << 56
    else { return nil }
    return value
  }

  private func real(_ token: JSONScanner.Token?) -> Double? {
    guard let token, token.kind == .number else { return nil }
    return Double(String(decoding: bytes[token.range], as: UTF8.self))
  }

  private func problem(_ range: Range<Int>, _ expected: String) -> JSONScanner.Problem {
    JSONScanner.Problem(offset: range.lowerBound, expected: expected)
  }
}
