import FrameTrace
package import FrameVerdicts

/// How often tools are correct about dropped refreshes, over traces with a known truth.
package struct ScoreReport: Sendable {
  /// The schema of its JSON.
  static let schema = "frametool.score/1"

  /// A tool and its results.
  package struct Tool: Sendable {
    package let name: String
    /// The tool's rule in words, and its published source; `nil` for outputs.
    package let rule: (formula: String, source: String)?
    /// The families for which the tool is not intended, with the reason.
    package let notMeant: [String: String]
    /// The tallies by family.
    package var tallies: [String: ScoreTally] = [:]
    /// The tallies by the stage that dropped the refresh; only the counts of dropped refreshes are known.
    package var stages: [String: ScoreTally] = [:]

    package init(
      _ name: String, rule: (formula: String, source: String)? = nil,
      notMeant: [String: String] = [:]
    ) {
      (self.name, self.rule, self.notMeant) = (name, rule, notMeant)
    }

    /// The sum over all families.
    package var total: ScoreTally { tallies.values.reduce(ScoreTally(), +) }
  }

  /// A mistake, and the command that shows it.
  package struct Explained: Sendable {
    package let tool, trace, family: String
    package let miss: TraceScore.Miss
    package let command: String

    package init(
      tool: String, trace: String, family: String, miss: TraceScore.Miss, command: String
    ) {
      (self.tool, self.trace, self.family) = (tool, trace, family)
      (self.miss, self.command) = (miss, command)
    }
  }

  let tools: [Tool]
  let explained: [Explained]
  /// Warnings about the inputs.
  let warnings: [String]
  private let families: [String]

  /// Whether the text also shows several tools by family.
  private let showsFamilies: Bool

  package init(
    _ tools: [Tool], explained: [Explained] = [], warnings: [String] = [],
    showsFamilies: Bool = false
  ) {
    self.showsFamilies = showsFamilies
    (self.tools, self.explained, self.warnings) = (tools, explained, warnings)
    families = Set(tools.flatMap(\.tallies.keys)).sorted()
  }

  /// A tool and a part of the traces.
  struct Row: Sendable {
    let tool: Tool
    let family: String
    let tally: ScoreTally

    var whyNotMeant: String? { tool.notMeant[family] }
  }

  static let whole = "all"

  private static let aboutIntervals =
    "in brackets: 95 % intervals (Wilson), which take dropped refreshes as independent"

  private var totals: [Row] {
    tools.map { Row(tool: $0, family: Self.whole, tally: $0.total) }
  }

  private var byFamily: [Row] {
    families.flatMap { family in
      tools.compactMap { tool in
        tool.tallies[family].map { Row(tool: tool, family: family, tally: $0) }
      }
    }
  }

  private static func percent(_ share: ScoreTally.Share?) -> String {
    guard let share else { return "" }
    let low = FixedNumber.text(100 * share.interval.lowerBound, decimals: 1)
    let high = FixedNumber.text(100 * share.interval.upperBound, decimals: 1)
    return "\(FixedNumber.text(100 * share.value, decimals: 1)) [\(low), \(high)]"
  }

  private static func share(
    _ key: String, _ heading: String, _ meaning: String, _ why: String,
    _ share: @escaping @Sendable (ScoreTally) -> ScoreTally.Share?
  ) -> [ResultColumn<Row>] {
    [
      .real(key, meaning) { share($0.tally)?.value }.shown(heading, .right) { row in
        percent(share(row.tally))
      }.otherwise { share($0.tally) == nil ? why : nil },
      .interval("\(key)_interval", "its 95 % interval (Wilson)") { share($0.tally)?.interval }
        .otherwise { share($0.tally) == nil ? why : nil },
    ]
  }

  /// The columns of a tool, for scripts and for people.
  static let columns: [ResultColumn<Row>] =
    [
      .text("tool", "the tool") { $0.tool.name }.shown("tool"),
      .text("family", "the family of traces, or all", \.family).shown("family"),
      .integer("traces", "how many traces were scored", \.tally.traces).shown("traces", .right) {
        "\($0.tally.traces)"
      },
      .integer("drops", "the dropped refreshes in them", \.tally.drops).shown("drops", .right) {
        "\($0.tally.drops)"
      },
    ]
    + [
      .integer("clean", "how many of the traces have none, and are judged", \.tally.clean)
        .shown("clean", .right) { "\($0.tally.clean)" }
    ]
    + share(
      "detected", "found %", "the share of dropped refreshes that it finds",
      "no refresh was dropped", \.detection)
    + share(
      "clean_alarmed", "clean alarmed %", "the share of clean traces in which it finds something",
      "no trace is clean", \.alarms)
    + [
      .integer("false_alarms", "the findings that match no dropped refresh", \.tally.falseAlarms),
      .real("false_alarms_per_1000", "false alarms for each 1,000 frames shown") {
        $0.tally.falseAlarmRate
      }.shown("false per 1000 frames", .right) { row in
        row.tally.falseAlarmRate.map { FixedNumber.text($0, decimals: 2) } ?? ""
      }.otherwise { $0.tally.falseAlarmRate == nil ? "no frame was shown" : nil },
    ]
    + share(
      "right_stage", "right stage %", "the share of found refreshes with the right stage",
      "nothing was found", \.stage)
    + [
      .integer("wrong_stage", "found refreshes with another stage", \.tally.wrongStage),
      .integer("unknown_stage", "found refreshes without a stage", \.tally.unknownStage),
    ]
    + share(
      "right_frame", "right frame %",
      "the share with the right frame, of the found refreshes that one frame is to blame for",
      "it blames no frame, or no single frame is to blame", \.culprit)
    + [
      .integer("unjudged", "dropped refreshes of traces that it does not judge", \.tally.unjudged)
        .shown("not judged", .right) { $0.tally.unjudged > 0 ? "\($0.tally.unjudged)" : "" },
      .integer("repeated", "findings given more than once, which count once", \.tally.repeated),
      .text("not_meant", "why it was never meant for the family; missing where it was") {
        $0.whyNotMeant
      }.shown("") { $0.whyNotMeant.map { "not meant: \($0)" } ?? "" }.otherwise { _ in
        "it may be meant for it"
      },
    ]

  private func table(_ rows: [Row]) -> TextTable {
    ResultRows(columns: Self.columns, rows: rows).table.withoutEmptyColumns
  }

  /// The stages that dropped refreshes, for each tool.
  private var stages: TextTable {
    let names = ["app", "compositor", "gpu", "display"]
    var table = TextTable([("tool", .left)] + names.map { ("\($0) found %", .right) })
    for tool in tools {
      table.append([tool.name] + names.map { Self.percent(tool.stages[$0]?.detection) })
    }
    return table
  }

  var document: Document {
    var document = Document()
    let counted = { (count: Int, thing: String, things: String) in
      "\(count) \(count == 1 ? thing : things)"
    }
    let parts = [
      counted(tools.count, "tool", "tools"),
      counted(tools.map(\.total.traces).max() ?? 0, "trace", "traces"),
      counted(tools.map(\.total.drops).max() ?? 0, "dropped refresh", "dropped refreshes"),
    ]
    document.add(.title(tools.count == 1 ? answer(tools[0]) : parts.joined(separator: ", ")))
    document.add(table(totals), "All traces")
    document.add(.notes([Self.aboutIntervals]))
    if families.count > 1, tools.count == 1 {
      document.add(table(byFamily), "By family")
    } else if families.count > 1, showsFamilies {
      for family in families {
        document.add(table(byFamily.filter { $0.family == family }), family)
      }
    }
    if tools.contains(where: { !$0.stages.isEmpty }) {
      document.add(stages, "Dropped refreshes by the stage that dropped them")
    }
    document.add(explanations, "Mistakes")
    document.add(Document.Block.warnings, warnings)
    return document
  }

  /// How often a tool is correct, as a sentence.
  private func answer(_ tool: Tool) -> String {
    let total = tool.total
    let clean = total.clean == 1 ? "clean trace" : "clean traces"
    return
      "\(tool.name) finds \(total.detected) of \(total.drops) dropped refreshes, and something in \(total.alarmed) of \(total.clean) \(clean)"
  }

  private var explanations: TextTable? {
    guard !explained.isEmpty else { return nil }
    return ResultRows(columns: Self.explainedColumns, rows: explained).table.withoutEmptyColumns
  }

  /// The columns of a mistake.
  static let explainedColumns: [ResultColumn<Explained>] = [
    .text("tool", "the tool") { $0.tool }.shown("tool"),
    .text("trace", "the trace") { $0.trace }.shown("trace"),
    .text("family", "its family") { $0.family },
    .text("mistake", "what is wrong") { $0.miss.kind.rawValue }.shown("mistake"),
    .integer("surface", "the surface, by its place in the truth") { $0.miss.surface }
      .otherwise { _ in "the tool names none" },
    .integer("refresh", "the refresh") { $0.miss.refresh }.shown("refresh", .right) {
      $0.miss.refresh.map { "\($0)" } ?? ""
    }.otherwise { _ in "the tool names a frame" },
    .instant("t", "when it was, on the trace's clock") {
      $0.miss.time.map(Timestamp.init(nanoseconds:))
    }.shown("ms", .right) { explained in
      explained.miss.time.map {
        FixedNumber.text(Nanoseconds($0).milliseconds, decimals: 1)
      } ?? ""
    }.otherwise { _ in "not known" },
    .integer("frame", "the frame that was due, by its place in the truth") { $0.miss.frame }
      .shown("frame", .right) { $0.miss.frame.map { "\($0)" } ?? "" }
      .otherwise { _ in "not known" },
    .text("said", "what the tool says") { $0.miss.said }.shown("said") { $0.miss.said ?? "" }
      .otherwise { _ in "nothing" },
    .text("truth", "what is true") { $0.miss.truth }.shown("truth") { $0.miss.truth ?? "" }
      .otherwise { _ in "nothing was dropped" },
    .text("command", "a command that shows it") { $0.command }.shown("see"),
  ]

  var rows: [[String]] {
    ResultRows(columns: Self.columns, rows: totals + (families.count > 1 ? byFamily : [])).cells()
  }

  static let fields: [ResultColumn<ScoreReport>] = [
    .schema(schema),
    .rows(
      "tools",
      [
        .text("name", "its name", \.name),
        .text("rule", "its rule in words", \.rule?.formula).otherwise("it is an output"),
        .text("source", "where the rule was published", \.rule?.source)
          .otherwise("it is an output"),
      ], "the tools that were scored", \.tools),
    .rows("scores", columns, "each tool over all traces, then by family") {
      $0.totals + $0.byFamily
    },
    .rows("mistakes", explainedColumns, "each mistake; empty without --explain", \.explained),
    .texts("warnings", "what to know about the outputs", \.warnings),
  ]

  var record: FieldRecord { FieldRecord(Self.fields, of: self) }
}
