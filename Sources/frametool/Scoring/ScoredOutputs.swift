import FrameKit

/// The output of tools for the traces, from the files that a user names.
///
/// Each table counts as a tool. All files of frametool's JSON count as one tool, and so do all traces of a format whose
/// source judges frames.
struct ScoredOutputs {
  private struct Tool {
    var name: String
    var namesFrames: Bool
    var outputs: [String: DetectorOutput] = [:]
  }

  private let truths: [String: (truth: JankTruth, file: ScoredTruths.File)]
  private var tools: [Tool] = []
  /// Warnings about the outputs.
  private(set) var warnings: [String] = []

  init(_ files: ScoredTruths, on console: Console) throws(CommandError) {
    truths = try files.byName()
    let known = truths.mapValues(\.truth)
    for path in files.outputs {
      do throws(ParseError) {
        try add(try console.open(path), path, known)
      } catch {
        throw CommandError(error)
      }
    }
    for tool in tools {
      let unnamed = truths.count - tool.outputs.count
      if unnamed > 0 {
        warnings.append(
          "\(tool.name) says nothing of \(unnamed) of \(truths.count) traces: their dropped refreshes count as not found"
        )
      }
    }
  }

  private mutating func add(
    _ input: InputFile, _ path: String, _ known: [String: JankTruth]
  ) throws(ParseError) {
    let reading = DetectorReading(known, path: path)
    if DetectorReading.isAnalysis(input.head) {
      let bytes = try input.readAll(atMost: 1 << 31, of: "analysis")
      try consume(try reading.analyses(bytes), of: "frametool (JSON)", namesFrames: true, path)
    } else if DetectorReading.isTable(input.head) {
      let outputs = try reading.table(input)
      let namesFrames = outputs.contains { output in
        output.findings.contains { $0.culprit != nil || $0.frame != nil }
      }
      let file = path.split(separator: "/").last.map(String.init) ?? path
      try consume(outputs, of: file, namesFrames: namesFrames, path)
    } else {
      try addTrace(input, path, known)
    }
  }

  private mutating func addTrace(
    _ input: InputFile, _ path: String, _ known: [String: JankTruth]
  ) throws(ParseError) {
    guard Importers.recognizes(input) else {
      throw ParseError(
        path: path,
        problem:
          "expected an analysis as JSON, a table with the columns \(DetectorReading.columns.joined(separator: ",")), or a trace",
        help: "'frametool analyze --format json' writes the first")
    }
    let name = DetectorOutput.name(ofFile: path)
    guard known[name] != nil else {
      throw ParseError(
        path: path, problem: "expected the name of a trace with a truth, found \(name)",
        help: known.keys.min().map { "names are those of the truths, such as \($0)" })
    }
    let trace = try Importers.read(input)
    guard let output = DetectorOutput(stated: trace, name: name) else {
      throw ParseError(
        path: path,
        problem: "expected verdicts on frames, hitches or a count of janky frames, found none",
        help: "to score frametool on this trace, name only the truths")
    }
    try consume([output], of: "\(trace.provenance.importer), as stated", namesFrames: false, path)
  }

  private mutating func consume(
    _ outputs: [DetectorOutput], of name: String, namesFrames: Bool, _ path: String
  ) throws(ParseError) {
    let position = tools.firstIndex { $0.name == name } ?? tools.count
    if position == tools.count { tools.append(Tool(name: name, namesFrames: namesFrames)) }
    for output in outputs {
      guard tools[position].outputs[output.trace] == nil else {
        throw ParseError(
          path: path, problem: "expected one output of \(output.trace), found a second one",
          help: "score them one after the other")
      }
      tools[position].outputs[output.trace] = output
    }
  }

  func card(explains: Bool) -> ScoreCard {
    var card = ScoreCard(tools.map { ScoreReport.Tool($0.name) })
    for (number, tool) in tools.enumerated() {
      for name in truths.keys.sorted() {
        guard let known = truths[name] else { continue }
        card.add(
          tool.outputs[name] ?? DetectorOutput(trace: name), of: number, known.truth, known.file,
          namesFrames: tool.namesFrames, explains: explains)
      }
    }
    return card
  }
}
