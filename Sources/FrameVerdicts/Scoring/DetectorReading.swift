import FrameAnalysis
package import FrameTrace

/// Reads what tools report about traces, from frametool's own JSON or from a table of four columns.
package struct DetectorReading {
  /// The truths by the names of their traces.
  private let truths: [String: JankTruth]
  private let path: String

  package init(_ truths: [String: JankTruth], path: String) {
    (self.truths, self.path) = (truths, path)
  }

  /// The columns of the table. `surface` may follow.
  package static let columns = ["trace", "refresh_or_time", "frame", "stage"]

  /// Whether a file's first bytes are those of a table.
  package static func isTable(_ head: [UInt8]) -> Bool {
    String(decoding: head.withoutByteOrderMark.prefix(40), as: UTF8.self)
      .hasPrefix("trace,refresh_or_time,")
  }

  /// Whether a file's first bytes are those of frametool's analysis.
  package static func isAnalysis(_ head: [UInt8]) -> Bool {
    let start = String(decoding: head.prefix(200), as: UTF8.self)
    return start.contains(#""schema""#) && start.contains("frametool.analysis/")
  }

  private func unknown(_ name: String, _ position: Position?) -> ParseError {
    ParseError(
      path: path, position: position,
      problem: "expected the name of a trace with a truth, found \(name)",
      help: truths.keys.min().map { "names are those of the truths, such as \($0)" }
        ?? "name the truths first")
  }
}

// Frametool's own JSON.
extension DetectorReading {
  private static let analyzeAgain = "write it again with 'frametool analyze --format json'"

  /// Reads the analyses of one or several traces.
  package func analyses(_ bytes: [UInt8]) throws(ParseError) -> [DetectorOutput] {
    let node = try JSONNode(bytes, path: path, help: Self.analyzeAgain)
    var outputs: [DetectorOutput] = []
    for analysis in node["analyses"]?.array ?? [node] { outputs.append(try output(analysis)) }
    return outputs
  }

  private func output(_ node: JSONNode) throws(ParseError) -> DetectorOutput {
    let trace = node["trace"]
    guard let file = trace?["file"]?.text, let surfaces = node["surfaces"]?.array else {
      throw ParseError(
        path: path, problem: "expected trace.file and surfaces", help: Self.analyzeAgain)
    }
    let name = DetectorOutput.name(ofFile: file)
    guard let truth = truths[name] else { throw unknown(name, nil) }
    let start = trace?["start_ns"]?.integer.flatMap { JankTruth.times.contains($0) ? $0 : nil } ?? 0
    var output = DetectorOutput(trace: name)
    var whyNot: String?
    var isJudged = false
    for (position, surface) in surfaces.enumerated() {
      let dropped = surface["dropped"]
      guard let drops = dropped?["drops"]?.array else {
        whyNot = whyNot ?? dropped?["why"]?.text
        continue
      }
      isJudged = true
      let index = truth.position(of: surface["id"]?.text) ?? position
      output.findings += drops.compactMap { finding($0, index, from: start, truth) }
    }
    if !isJudged { output.whyUnjudged = whyNot ?? "no surface has a list of drops" }
    return output
  }

  private func finding(
    _ drop: JSONNode, _ surface: Int, from start: Int64, _ truth: JankTruth
  ) -> DetectorOutput.Finding? {
    let fields = drop.membersByKey
    let time = fields["t_ms"]?.number.map {
      start &+ Nanoseconds.milliseconds(min(max($0, -1e12), 1e12)).count
    }
    let refresh = fields["refresh"]?.integer.flatMap {
      JankTruth.refreshes.contains($0) ? $0 : nil
    }
    guard time != nil || refresh != nil else { return nil }
    let culprit = fields["cause_frame"]?.count.map {
      DetectorOutput.Blamed(
        surface: truth.position(of: fields["cause_surface"]?.text) ?? surface, row: $0)
    }
    return DetectorOutput.Finding(
      surface: surface, refresh: refresh, time: time, count: fields["count"]?.integer ?? 1,
      stage: fields["stage"]?.text.flatMap(PipelineStage.init), culprit: culprit)
  }
}

extension JankTruth {
  /// The position of the surface with that id; `nil` if there is none.
  fileprivate func position(of id: String?) -> Int? { surfaces.firstIndex { $0.id == id } }
}

// The table of four columns.
extension DetectorReading {
  /// Reads a table. A row that contains only the name of a trace means that nothing was found in that trace.
  package func table(_ input: InputFile) throws(ParseError) -> [DetectorOutput] {
    var reader = CSVReader(input)
    var outputs: [String: DetectorOutput] = [:]
    var order: [String] = []
    var header: [String]?
    while try reader.nextBlock() {
      let block = reader.block
      for row in 0..<block.rowCount {
        let cells = (0..<block.cellCount(row)).map { block.text(row, $0) }
        let line = block.firstLine + row
        guard header != nil else {
          header = try checked(cells, line)
          continue
        }
        if cells == [""] { continue }
        guard cells.count == header?.count else {
          throw ParseError(
            path: path, position: .line(line),
            problem: "expected \(header?.count ?? 0) cells, found \(cells.count)",
            help: "a cell may be empty, but not left out")
        }
        guard let truth = truths[DetectorOutput.name(ofFile: cells[0])] else {
          throw unknown(cells[0], .line(line))
        }
        if outputs[truth.name] == nil { order.append(truth.name) }
        var output = outputs[truth.name] ?? DetectorOutput(trace: truth.name)
        if let finding = try finding(cells, truth, line) { output.findings.append(finding) }
        outputs[truth.name] = output
      }
    }
    return order.compactMap { outputs[$0] }
  }

  private func checked(_ header: [String], _ line: Int) throws(ParseError) -> [String] {
    let wanted = Self.columns
    guard header == wanted || header == wanted + ["surface"] else {
      throw ParseError(
        path: path, position: .line(line),
        problem:
          "expected the columns \(wanted.joined(separator: ",")), found \(header.joined(separator: ","))",
        help: "a column surface may follow, with the surface's number in the truth")
    }
    return header
  }

  private func fail(
    _ line: Int, _ what: String, _ found: String, _ help: String
  ) -> ParseError {
    ParseError(
      path: path, position: .line(line), problem: "expected \(what), found \(found)", help: help)
  }

  private func stage(_ cell: String, _ line: Int) throws(ParseError) -> PipelineStage? {
    if cell.isEmpty { return nil }
    guard let stage = PipelineStage(rawValue: cell) else {
      let all = PipelineStage.allCases.map(\.rawValue).joined(separator: ", ")
      throw fail(line, "one of \(all) as stage", cell, "leave the cell empty where there is none")
    }
    return stage
  }

  private func surface(
    _ cell: String, _ truth: JankTruth, _ line: Int
  ) throws(ParseError) -> Int? {
    if cell.isEmpty { return nil }
    guard let position = Int(cell), truth.surfaces.indices.contains(position) else {
      throw fail(
        line, "a surface from 0 to \(truth.surfaces.count - 1)", cell, "see the truth's surfaces")
    }
    return position
  }

  private func frame(_ cell: String, _ line: Int) throws(ParseError) -> Int? {
    if cell.isEmpty { return nil }
    guard let row = Int(cell), row >= 0 else {
      throw fail(line, "a frame by its row in the trace, from 0", cell, "see the truth's frames")
    }
    return row
  }

  private func finding(
    _ cells: [String], _ truth: JankTruth, _ line: Int
  ) throws(ParseError) -> DetectorOutput.Finding? {
    if cells[1...].allSatisfy(\.isEmpty) { return nil }
    let stage = try stage(cells[3], line)
    let surface = try surface(cells.count > 4 ? cells[4] : "", truth, line)
    let frame = try frame(cells[2], line)
    guard !cells[1].isEmpty else {
      return frame.map { DetectorOutput.Finding(surface: surface, frame: $0, stage: stage) }
    }
    var finding = DetectorOutput.Finding(
      surface: surface, refresh: nil, time: nil, stage: stage,
      culprit: frame.map { .init(surface: surface, row: $0) })
    if let number = Int64(cells[1]) {
      finding.refresh = min(
        max(number, JankTruth.refreshes.lowerBound), JankTruth.refreshes.upperBound)
    } else if let time = Self.time(cells[1]) {
      finding.time = time
    } else {
      throw fail(
        line, "a refresh number, or a time with its unit", cells[1],
        "write 48 for a refresh, and 812.5ms, 0.8125s or 812500000ns for a time")
    }
    try check(finding, cells[1], truth, line)
    return finding
  }

  /// Refuses a time or a number far outside the trace: it has a different unit, or is from a different clock.
  private func check(
    _ finding: DetectorOutput.Finding, _ cell: String, _ truth: JankTruth, _ line: Int
  ) throws(ParseError) {
    guard let range = truth.range else { return }
    let margin: Int64 = 1_000_000_000
    let time = finding.time ?? finding.refresh.map { truth.time($0) ?? range.lowerBound }
    guard let time, time < range.lowerBound - margin || time - margin > range.upperBound else {
      return
    }
    let bounds = [range.lowerBound, range.upperBound].map {
      FixedNumber.text(Nanoseconds($0).milliseconds, decimals: 1)
    }
    throw ParseError(
      path: path, position: .line(line),
      problem:
        "expected \(finding.time == nil ? "a refresh" : "a time") of \(truth.name), which lasts from \(bounds[0]) to \(bounds[1]) ms, found \(cell)",
      help: "is it in another unit, or of another clock?")
  }

  /// A time with its unit, in nanoseconds.
  static func time(_ text: String) -> Int64? {
    for (unit, factor) in [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
    where text.hasSuffix(unit) {
      let digits = text.dropLast(unit.count)
      guard !digits.isEmpty, digits.allSatisfy({ "+-.0123456789".contains($0) }),
        let value = Double(digits), abs(value * factor) < 1e18
      else { return nil }
      return Int64((value * factor).rounded())
    }
    return nil
  }
}
