package import FrameAnalysis
package import FrameTrace
package import FrameVerdicts

/// Reads the JSON output of analyze, compare and launch, and histograms of devices in the field.
package struct HistoryResultReader {
  /// The side of a comparison to read.
  package enum Side: String, Sendable, CaseIterable { case before, after }

  private let side: Side
  private let choice: SurfaceChoice

  /// The largest file that is read.
  private static let mostBytes = 256 << 20

  /// The schema that a file states near its start, without its version; `nil` for files that are
  /// not results.
  package static func schema(of input: InputFile) -> String? {
    let start = String(decoding: input.head, as: UTF8.self)
    return readers.keys.first { start.contains("\"\($0)/") }
  }

  /// Reads a result.
  /// - Parameters:
  ///   - side: The side of a comparison to read.
  ///   - choice: The surface and process to read if there are several; by default, the one with the most frames or
  ///     launches.
  package static func read(
    _ input: InputFile, side: Side = .after, _ choice: SurfaceChoice = .all
  ) throws(ParseError) -> [HistoryResult] {
    let bytes = try input.readAll(atMost: mostBytes, of: "results")
    let reader = HistoryResultReader(side: side, choice: choice)
    do throws(JSONScanner.Problem) {
      return try reader.result(try JSONNode(bytes))
    } catch {
      throw ParseError(
        path: input.path, position: .byte(error.offset), problem: "expected \(error.expected)",
        help: "results are what 'analyze', 'compare' and 'launch' print with --format json")
    }
  }

  private typealias Read =
    @Sendable (HistoryResultReader, JSONNode) throws(JSONScanner.Problem) -> [HistoryResult]

  /// The reader for each kind of result, by schema, with the versions that it reads.
  private static let readers: [String: (versions: ClosedRange<Int>, read: Read)] = [
    "frametool.analysis": (
      2...3,
      { reader, node throws(JSONScanner.Problem) in
        try HistoryResult.analyses(node, reader.choice)
      }
    ),
    "frametool.comparison": (
      1...2,
      { reader, node throws(JSONScanner.Problem) in
        guard node["metrics"] != nil else {
          throw JSONScanner.Problem(
            offset: node.offset, expected: "a comparison of two sides, found one of several")
        }
        return [HistoryResult(comparison: node, reader.side)]
      }
    ),
    "frametool.launch": (
      1...1,
      { reader, node throws(JSONScanner.Problem) in
        [HistoryResult(launches: node, of: reader.choice.processes.first)]
      }
    ),
    "frametool.histogram": (
      1...1,
      { reader, node throws(JSONScanner.Problem) in
        [try reader.histograms(node)]
      }
    ),
  ]

  private func result(_ node: JSONNode) throws(JSONScanner.Problem) -> [HistoryResult] {
    let parts = (node["schema"]?.text ?? "").split(separator: "/").map(String.init)
    guard parts.count == 2, let reader = Self.readers[parts[0]] else {
      let known = Self.readers.keys.sorted().joined(separator: ", ")
      throw JSONScanner.Problem(offset: node.offset, expected: "one of the schemas \(known)")
    }
    guard let version = Int(parts[1]), reader.versions.contains(version) else {
      throw JSONScanner.Problem(
        offset: node.offset,
        expected: "\(parts[0])/\(reader.versions.upperBound), found version \(parts[1])")
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
  /// Reads histograms, with the version and device that the file states.
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
    result.histograms = try (node["histograms"]?.array ?? [node]).map {
      node throws(JSONScanner.Problem) in try FieldHistogram(reading: node)
    }
    result.isField = true
    return result
  }
}
