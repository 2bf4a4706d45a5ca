/// Reads what analyze, compare and launch print as JSON, and histograms of devices in the field.
public struct HistoryResultReader {
  /// Which side of a comparison is meant.
  public enum Side: String, Sendable, CaseIterable { case before, after }

  private let input: String
  private let side: Side
  private let process: String?

  /// The largest file that is read.
  private static let mostBytes = 256 << 20

  /// The schema that a file states in its first bytes, without its version; `nil` for files that
  /// are no results.
  public static func schema(of input: InputFile) -> String? {
    let start = String(decoding: input.head.prefix(400), as: UTF8.self)
    return readers.keys.first { start.contains("\"\($0)/") }
  }

  /// Reads a result.
  /// - Parameters:
  ///   - side: Which side of a comparison is meant.
  ///   - process: Of several processes the one that is meant.
  public static func read(
    _ input: InputFile, side: Side = .after, process: String? = nil
  ) throws(ParseError) -> HistoryResult {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try input.read(into: &block, at: 0..<block.count)
      if count == 0 { break }
      bytes += block[..<count]
      guard bytes.count <= mostBytes else {
        throw ParseError(
          path: input.path, problem: "expected at most \(mostBytes) bytes of results, found more")
      }
    }
    let reader = HistoryResultReader(input: input.path, side: side, process: process)
    do throws(JSONScanner.Problem) {
      return try reader.result(try JSONNode(bytes))
    } catch {
      throw ParseError(
        path: input.path, place: .byte(error.offset), problem: "expected \(error.expected)",
        help: "results are what 'analyze', 'compare' and 'launch' print with --format json")
    }
  }

  private typealias Read =
    @Sendable (HistoryResultReader, JSONNode) throws(JSONScanner.Problem) -> HistoryResult

  /// What reads each kind of result, by its schema; the number is the version that is read.
  private static let readers: [String: (version: Int, read: Read)] = [
    "frametool.analysis": (
      1,
      { reader, node throws(JSONScanner.Problem) in
        try reader.analyses(node)
      }
    ),
    "frametool.comparison": (
      1,
      { reader, node throws(JSONScanner.Problem) in
        try reader.comparison(node)
      }
    ),
    "frametool.launch": (
      1,
      { reader, node throws(JSONScanner.Problem) in
        try reader.launches(node)
      }
    ),
    "frametool.histogram": (
      1,
      { reader, node throws(JSONScanner.Problem) in
        try reader.histograms(node)
      }
    ),
  ]

  private func result(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    let parts = (node["schema"]?.text ?? "").split(separator: "/").map(String.init)
    guard parts.count == 2, let reader = Self.readers[parts[0]] else {
      let known = Self.readers.keys.sorted().joined(separator: ", ")
      throw JSONScanner.Problem(offset: node.offset, expected: "a schema out of \(known)")
    }
    guard Int(parts[1]) == reader.version else {
      throw JSONScanner.Problem(
        offset: node.offset, expected: "\(parts[0])/\(reader.version), found version \(parts[1])")
    }
    let result = try reader.read(self, node)
    guard result.runs.contains(where: { !$0.isEmpty }) || !result.histograms.isEmpty else {
      throw JSONScanner.Problem(offset: node.offset, expected: "figures, found none")
    }
    return result
  }
}

extension HistoryResultReader {
  /// A run for each analysis: its surface with most frames, and its launches.
  private func analyses(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    var result = HistoryResult()
    for analysis in node["analyses"]?.array ?? [node] {
      let surfaces = (analysis["surfaces"]?.array ?? []).filter { surface in
        process == nil || surface["process"]?.text == process
      }
      let frames = { (surface: JSONNode) in surface["frames"]?["count"]?.integer ?? 0 }
      let most = surfaces.max { frames($0) < frames($1) }
      var values = (most?["metrics"]?.members ?? []).flatMap { Self.values($0.key, $0.value) }
      values += launchValues(analysis["launches"]?.array ?? [])
      result.runs.append(values)
    }
    return result
  }

  /// The statistics of a metric, or the one figure that it is.
  private static func values(_ name: String, _ metric: JSONNode) -> [HistoryValue] {
    guard let unit = metric["unit"]?.text, let n = metric["n"]?.integer, n > 0 else { return [] }
    if let value = metric["value"]?.number {
      return [HistoryValue(metric: name, unit: unit, value: value, n: Int(n))]
    }
    return statistics(name, metric, unit, n)
  }

  private static func statistics(
    _ name: String, _ summary: JSONNode, _ unit: String, _ n: Int64
  ) -> [HistoryValue] {
    ["mean", "p50", "p95", "p99"].compactMap { statistic in
      // The tail of a hundred values is one of them.
      guard statistic != "p99" || n >= 100, let value = summary[statistic]?.number else {
        return nil
      }
      return HistoryValue(metric: "\(statistic)(\(name))", unit: unit, value: value, n: Int(n))
    }
  }

  /// The medians of the launches of an analysis that count, by kind.
  private func launchValues(_ launches: [JSONNode]) -> [HistoryValue] {
    let counted = launches.filter { launch in
      launch["measured"]?.isTrue == true && (process == nil || launch["process"]?.text == process)
    }
    return LaunchTime.kinds.compactMap { kind in
      let times = counted.filter { $0["kind"]?.text == kind.map { "\($0)" } }
        .compactMap { $0["total_ms"]?.number }
      guard !times.isEmpty else { return nil }
      return HistoryValue(
        metric: "p50(\(LaunchTime.metric(kind)))", unit: "ms",
        value: RealQuantile.type7(times, 0.5), n: times.count)
    }
  }

  /// One run with the figures of a side.
  private func comparison(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    let runs = node[side.rawValue]?.array ?? []
    let frames = runs.reduce(0) { $0 + ($1["frames"]?.integer ?? 0) }
    let values = ((node["metrics"]?.array ?? []) + (node["beside"]?.array ?? [])).compactMap {
      metric -> HistoryValue? in
      guard let name = metric["name"]?.text, let unit = metric["unit"]?.text,
        let value = metric[side.rawValue]?.number
      else { return nil }
      return HistoryValue(metric: name, unit: unit, value: value, n: Int(frames))
    }
    var result = HistoryResult()
    result.runs = [values]
    return result
  }

  /// One run with the medians of the launches that count, and of their phases.
  private func launches(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    let groups = (node["groups"]?.array ?? []).filter { $0["profiled"]?.isTrue != true }
    let wanted = process ?? groups.first?["process"]?.text
    var values: [HistoryValue] = []
    for group in groups where group["process"]?.text == wanted {
      let kind = LaunchColumn.Kind.allCases.first { "\($0)" == group["kind"]?.text }
      let name = LaunchTime.metric(kind)
      values += Self.medians("\(name)", group["total"]) + Self.medians("\(name).cpu", group["cpu"])
      for phase in group["phases"]?.array ?? [] {
        guard let part = phase["name"]?.text else { continue }
        values += Self.medians("\(name).\(part)", phase["wall"])
      }
    }
    var result = HistoryResult()
    result.runs = [values]
    return result
  }

  private static func medians(_ name: String, _ summary: JSONNode?) -> [HistoryValue] {
    guard let summary, let n = summary["n"]?.integer, n > 0, let value = summary["p50"]?.number,
      let unit = summary["unit"]?.text
    else { return [] }
    return [HistoryValue(metric: "p50(\(name))", unit: unit, value: value, n: Int(n))]
  }

  /// Histograms with what they say of their version and device.
  private func histograms(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    var result = HistoryResult()
    result.version = node["version"]?.text
    result.device = node["device"]?.text
    result.system = node["system"]?.text
    if let date = node["date"] {
      guard let known = date.text.flatMap({ JobDate($0) }) else {
        throw JSONScanner.Problem(offset: date.offset, expected: "a date such as 2026-11-21")
      }
      result.date = known
    }
    for histogram in node["histograms"]?.array ?? [node] {
      let bins = (histogram["bins"]?.array ?? []).map(Self.bin)
      let known = bins.compactMap { $0 }
      guard let metric = histogram["metric"]?.text, let unit = histogram["unit"]?.text,
        !bins.isEmpty, known.count == bins.count,
        let made = FieldHistogram(metric: metric, unit: unit, bins: known)
      else {
        throw JSONScanner.Problem(
          offset: histogram.offset,
          expected: "a histogram with its metric, unit and bins, each with from, to and count")
      }
      result.histograms.append(made)
    }
    return result
  }

  private static func bin(_ node: JSONNode) -> FieldHistogram.Bin? {
    guard let low = node["from"]?.number, let high = node["to"]?.number,
      let count = node["count"]?.integer, (0..<(1 << 40)).contains(count), low <= high
    else { return nil }
    return .init(low: low, high: high, count: count)
  }
}
