import Fixtures
import FrameKit

/// Lists the metrics.
struct MetricsCommand: ListCommand {
  static let name = "list metrics"
  static let summary = "lists the metrics with their formulas"

  var format = ListFormat.text
  var markdown = false
  var explained: String?
  var choice = TraceChoice()

  static let operands = "[METRIC | TRACE]"
  static let operandCount = 0...1
  static let examples = [
    (
      command: "frametool list metrics gpuBusy",
      does: "one metric: what it is, its formula and source"
    ),
    (
      command: "frametool list metrics --explain onePercentLowPercentile game.csv",
      does: "what each tool computes from the same trace, and why the values differ"
    ),
    (
      command: "frametool list metrics --explain dropped game.csv",
      does: "which facts carry the judgment of drops, and which of them the trace has"
    ),
  ]
  static var options: [CommandOption<MetricsCommand>] {
    listOptions + [
      .text(
        "--explain", to: \.explained, metavar: "METRIC",
        help:
          "show how other tools compute this metric, on a trace or a generated one; or the facts that carry a judgment: \(Self.judgments)"
      )
    ] + TraceChoice.options(\.choice)
  }

  func run(_ operands: [String], on console: Console) throws(CommandError) -> ExitStatus {
    guard let explained else {
      guard operands.isEmpty else {
        return try describe(operands[0], on: console)
      }
      try console.print(
        Self.table.text(format, markdown: markdown, look: console.look))
      return .success
    }
    let names = Dialects.counterparts.filter { $0.hasPrefix(explained) }
    if names.isEmpty, let judgment = Judgment(named: explained) {
      try console.print(
        Self.evidence(for: judgment, try study(operands, on: console))
          .text(format, markdown: markdown, look: console.look))
      return .success
    }
    guard !names.isEmpty else {
      let source = Metrics.entries.first { $0.name == Metrics.name(explained) }?.source
      let follows =
        source.map { "'list metrics \(explained)' shows its formula, after \($0); " } ?? ""
      throw CommandError(
        .usage,
        "--explain: expected a judgment, or a metric with variants of other tools, found \(explained)",
        help:
          "\(follows)available: \(Dialects.counterparts.joined(separator: ", ")), \(Self.judgments)"
      )
    }
    try console.print(
      explanation(names, try study(operands, on: console))
        .text(format, markdown: markdown, look: console.look))
    return .success
  }

  private static let judgments = Judgment.allCases.map(\.rawValue).joined(separator: ", ")

  /// The study of the given trace, or of a generated one.
  private func study(_ operands: [String], on console: Console) throws(CommandError) -> Study {
    var traces: [Trace] = []
    for result in choice.inputs(on: console).map(operands, { $0 }) {
      traces.append(try result.get())
    }
    return try choice.study(of: traces.first ?? Self.generated)
  }

  /// The facts on which a judgment is based, and which of these facts the first surface has.
  private static func evidence(for judgment: Judgment, _ study: Study) -> ListTable {
    let surface = study.meant.map { study.surface($0) }
    let rows = judgment.reasons.map { reason in
      let found = surface?.evidence(reason.fact) ?? (.missing, nil)
      let shows = reason.sources.contains(found.source)
      return [
        reason.fact.rawValue, found.source.rawValue,
        found.frames.map { "\($0) of \((surface?.frames.count ?? 0).frames)" } ?? "",
        shows ? "yes" : "no", reason.shows,
      ]
    }
    return ListTable(
      keys: ["fact", "source", "frames", "counts", "shows"],
      headings: ["fact", "source", "known for", "counts", "it shows"], rows: rows)
  }

  /// Prints the entry of one metric.
  private func describe(_ word: String, on console: Console) throws(CommandError) -> ExitStatus {
    let names = Metrics.entries.map(\.name)
    let known = Metrics.name(word) ?? names.first { $0.lowercased() == word.lowercased() }
    guard let entry = Metrics.entries.first(where: { $0.name == known }) else {
      if ByteSink.exists(word) {
        throw CommandError(
          .usage, "metrics: a trace needs --explain",
          help: "'frametool analyze \(word)' measures it")
      }
      throw CommandError(
        .usage, "metrics: there is no metric \(word)",
        help: Spelling.suggestion(for: word, among: names).map { "did you mean '\($0)'?" }
          ?? "'frametool list metrics' lists them")
    }
    try console.print(Self.table([entry]).text(format, markdown: markdown, look: console.look))
    return .success
  }

  /// A generated game trace with a few stutters.
  private static var generated: Trace {
    Scenario.explained.play(.init(frames: 1000)).trace
  }

  /// The results of frametool and other tools for a trace.
  private func explanation(_ names: [String], _ study: Study) -> ListTable {
    let analysis = TraceAnalysis(of: study, metrics: MetricSelection(names) ?? .all)
    let meant = analysis.surfaces.first { $0.index == study.meant }
    var rows: [[String]] = []
    for name in names {
      let entry = Metrics.entries.first { $0.name == name }
      if let value = meant?[name]?.figure?.value {
        rows.append([
          name, "frametool", name, FixedNumber.text(value, decimals: 2), entry?.unit.rawValue ?? "",
          entry?.formula ?? "", "",
        ])
      }
      rows += study.explanation(of: name).map {
        [
          name, $0.dialect, $0.name, $0.value.map { FixedNumber.text($0, decimals: 2) } ?? "none",
          $0.unit, $0.formula, $0.because,
        ]
      }
    }
    return ListTable(
      keys: ["metric", "tool", "name", "value", "unit", "formula", "because"],
      headings: ["metric", "tool", "called", "value", "", "formula", "why it differs"], rows: rows)
  }

  static var table: ListTable { table(Metrics.entries) }

  private static func table(_ entries: [Metrics.Entry]) -> ListTable {
    ListTable(
      keys: ["name", "unit", "better", "summary", "formula", "source"],
      headings: ["name", "unit", "better", "what it is", "formula", "source"],
      rows: entries.map {
        [
          $0.name, $0.unit.rawValue, word($0.direction), $0.summary, $0.formula, $0.source ?? "",
        ]
      })
  }

  private static func word(_ direction: MetricDirection) -> String {
    switch direction {
    case .lowerIsBetter: "lower"
    case .higherIsBetter: "higher"
    case .neither: "neither"
    }
  }
}
