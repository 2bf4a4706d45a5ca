/// Reads what analyze, compare and launch print as JSON, and histograms of devices in the field.
public struct HistoryResultReader {
  /// Which side of a comparison is meant.
  public enum Side: String, Sendable, CaseIterable { case before, after }

  private let side: Side
  private let choice: SurfaceChoice

  /// The largest file that is read.
  private static let mostBytes = 256 << 20

  /// The schema that a file states near its start, without its version; `nil` for files that
  /// are no results.
  public static func schema(of input: InputFile) -> String? {
    let start = String(decoding: input.head, as: UTF8.self)
    return readers.keys.first { start.contains("\"\($0)/") }
  }

  /// Reads a result.
  /// - Parameters:
  ///   - side: Which side of a comparison is meant.
  ///   - choice: What is meant of several surfaces and processes; else the one with the most
  ///     frames or launches is.
  public static func read(
    _ input: InputFile, side: Side = .after, _ choice: SurfaceChoice = .all
  ) throws(ParseError) -> [HistoryResult] {
    let bytes = try input.readAll(atMost: mostBytes, of: "results")
    let reader = HistoryResultReader(side: side, choice: choice)
    do throws(JSONScanner.Problem) {
      return try reader.result(try JSONNode(bytes))
    } catch {
      throw ParseError(
        path: input.path, place: .byte(error.offset), problem: "expected \(error.expected)",
        help: "results are what 'analyze', 'compare' and 'launch' print with --format json")
    }
  }

  private typealias Read =
    @Sendable (HistoryResultReader, JSONNode) throws(JSONScanner.Problem) -> [HistoryResult]

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
        [try reader.comparison(node)]
      }
    ),
    "frametool.launch": (
      1,
      { reader, node throws(JSONScanner.Problem) in
        [try reader.launches(node)]
      }
    ),
    "frametool.histogram": (
      1,
      { reader, node throws(JSONScanner.Problem) in
        [try reader.histograms(node)]
      }
    ),
  ]

  private func result(_ node: JSONNode) throws(JSONScanner.Problem) -> [HistoryResult] {
    let parts = (node["schema"]?.text ?? "").split(separator: "/").map(String.init)
    guard parts.count == 2, let reader = Self.readers[parts[0]] else {
      let known = Self.readers.keys.sorted().joined(separator: ", ")
      throw JSONScanner.Problem(offset: node.offset, expected: "a schema out of \(known)")
    }
    guard Int(parts[1]) == reader.version else {
      throw JSONScanner.Problem(
        offset: node.offset, expected: "\(parts[0])/\(reader.version), found version \(parts[1])")
    }
    let results = try reader.read(self, node).filter {
      $0.runs.contains { !$0.isEmpty } || !$0.histograms.isEmpty
    }
    guard !results.isEmpty else {
      throw JSONScanner.Problem(offset: node.offset, expected: "figures, found none")
    }
    return results
  }
}

extension HistoryResultReader {
  /// A run for each analysis: its surface with most frames, and its launches; and what the source of
  /// each states itself.
  private func analyses(_ node: JSONNode) throws(JSONScanner.Problem) -> [HistoryResult] {
    var result = HistoryResult()
    var stated: [HistoryResult] = []
    for analysis in node["analyses"]?.array ?? [node] {
      let surfaces = (analysis["surfaces"]?.array ?? []).filter(isWanted)
      let most = SurfaceChoice.ranked(surfaces) { surface in
        Self.count(surface["frames"]?["count"]) ?? 0
      }.first
      var values = (most?["metrics"]?.members ?? []).flatMap { Self.values($0.key, $0.value) }
      values += LaunchValues(analysis["launches"]?.array ?? [], of: choice.processes.first).all
      result.runs.append(values)
      stated += try Self.stated(analysis)
    }
    return [result] + stated
  }

  /// The figures of each scene, and the histograms.
  private static func stated(_ analysis: JSONNode) throws(JSONScanner.Problem) -> [HistoryResult] {
    let setting = analysis["trace"]?["setting"]
    let isField = setting?["origin"]?.text == Setting.Origin.field.rawValue
    var order: [String?] = []
    var runs: [String?: [[HistoryValue]]] = [:]
    for figure in analysis["figures"]?.array ?? [] {
      guard let metric = figure["metric"]?.text, let unit = figure["unit"]?.text else { continue }
      let scene = figure["scene"]?.text
      if runs[scene] == nil { order.append(scene) }
      for (run, node) in (figure["runs"]?.array ?? []).enumerated() {
        if runs[scene, default: []].count <= run { runs[scene, default: []].append([]) }
        let values = (node.array ?? []).compactMap(\.number).map {
          HistoryValue(metric: metric, unit: unit, value: $0, n: 1)
        }
        runs[scene]?[run] += values.withoutSamples
      }
    }
    var results = order.map { scene -> HistoryResult in
      var result = HistoryResult()
      (result.scene, result.runs, result.isField) = (scene, runs[scene] ?? [], isField)
      return result
    }
    let histograms = try (analysis["histograms"]?.array ?? []).map(histogram)
    if !histograms.isEmpty {
      var result = HistoryResult()
      (result.histograms, result.isField) = (histograms, isField)
      results.append(result)
    }
    for place in results.indices {
      results[place].version = setting?["version"]?.text
      results[place].device = setting?["device"]?.text
      results[place].system = setting?["system"]?.text
      results[place].date = setting?["date"]?.text.flatMap { JobDate($0) }
    }
    return results
  }

  private func isWanted(_ surface: JSONNode) -> Bool {
    choice.matches(
      process: [surface["process"]?.text], surface: [surface["id"]?.text, surface["name"]?.text])
  }

  /// The statistics of a metric, or the one figure that it is.
  private static func values(_ name: String, _ metric: JSONNode) -> [HistoryValue] {
    guard let unit = metric["unit"]?.text, let n = count(metric["n"]), n > 0 else { return [] }
    if let value = metric["value"]?.number {
      return [HistoryValue(metric: name, unit: unit, value: value, n: n)]
    }
    return statistics(name, metric, unit, n)
  }

  private static func statistics(
    _ name: String, _ summary: JSONNode, _ unit: String, _ n: Int
  ) -> [HistoryValue] {
    ["mean", "p50", "p95", "p99"].compactMap { statistic in
      // The tail of a hundred values is one of them.
      guard statistic != "p99" || n >= 100, let value = summary[statistic]?.number else {
        return nil
      }
      return HistoryValue(metric: "\(statistic)(\(name))", unit: unit, value: value, n: n)
    }
  }

  /// A number of things, of which sums stay whole numbers.
  private static func count(_ node: JSONNode?) -> Int? {
    node?.integer.flatMap { (0..<(1 << 40)).contains($0) ? Int($0) : nil }
  }

  /// One run with the figures of a side.
  private func comparison(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    let runs = node[side.rawValue]?.array ?? []
    let count = { (key: String) in runs.reduce(0) { $0 + (Self.count($1[key]) ?? 0) } }
    let (frames, latencies, launches) = (count("frames"), count("latencies"), count("launches"))
    let values = ((node["metrics"]?.array ?? []) + (node["beside"]?.array ?? [])).compactMap {
      metric -> HistoryValue? in
      guard let name = metric["name"]?.text, let unit = metric["unit"]?.text,
        let value = metric[side.rawValue]?.number
      else { return nil }
      let base = HistoryMetric(name, unit: unit).base
      let n =
        LaunchMeasure(named: base) != nil
        ? launches : base == "frameTime" || !name.hasSuffix(")") ? frames : latencies
      return HistoryValue(metric: name, unit: unit, value: value, n: n)
    }
    var result = HistoryResult()
    result.runs = [values]
    return result
  }

  /// A run for each trace: the medians of its launches.
  private func launches(_ node: JSONNode) throws(JSONScanner.Problem) -> HistoryResult {
    var result = HistoryResult()
    result.runs = (node["traces"]?.array ?? []).map { trace in
      LaunchValues(trace["launches"]?.array ?? [], of: choice.processes.first).all
    }
    return result
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
    result.histograms = try (node["histograms"]?.array ?? [node]).map(Self.histogram)
    result.isField = true
    return result
  }

  private static func histogram(_ node: JSONNode) throws(JSONScanner.Problem) -> FieldHistogram {
    let bins = (node["bins"]?.array ?? []).map(bin)
    let known = bins.compactMap { $0 }
    guard let metric = node["metric"]?.text, let unit = node["unit"]?.text,
      !bins.isEmpty, known.count == bins.count,
      let made = FieldHistogram(metric: metric, unit: unit, bins: known)
    else {
      throw JSONScanner.Problem(
        offset: node.offset,
        expected: "a histogram with its metric, unit and bins, each with from, to and count")
    }
    return made
  }

  private static func bin(_ node: JSONNode) -> FieldHistogram.Bin? {
    guard let low = node["from"]?.number, let high = node["to"]?.number,
      let count = count(node["count"]), low <= high
    else { return nil }
    return .init(low: low, high: high, count: Int64(count))
  }
}
