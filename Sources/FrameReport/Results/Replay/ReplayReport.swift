import FrameAnalysis
public import FrameReplay
import FrameTrace

/// The result of a replay, in words, tables and for scripts.
public struct ReplayReport: Sendable {
  private let replay: Replay
  private let sweep: ReplaySweep?
  private let advice: ReplayAdvice?
  /// Whether every frame is listed.
  private let listsFrames: Bool

  /// The report on a replay, with a sweep and advice if they were requested.
  public init(
    _ replay: Replay, sweep: ReplaySweep? = nil, advice: ReplayAdvice? = nil,
    listsFrames: Bool = false
  ) {
    (self.replay, self.sweep, self.advice) = (replay, sweep, advice)
    self.listsFrames = listsFrames
  }

  /// How well the model fits the recording, in a sentence.
  var fit: String {
    let share = FixedNumber.text(replay.reproducedShare * 100, decimals: 1)
    return
      "\(share) % of \(replay.shown.frames) keep their recorded refresh when replayed unchanged: \(replay.recordedWords.joined(separator: ", "))"
  }

  /// The report as a document.
  var document: Document {
    var document = Document()
    document.add(.title("\(replay.file): \(replay.surface)"))
    document.add(.sentence(fit))
    if !replay.conditions.isEmpty { document.add(.sentence(headline)) }
    if let advice { document.add(Document.Block.list, Self.lines(advice)) }
    document.add(figures, "Figures")
    if !replay.dropsBefore.isEmpty || !replay.dropsAfter.isEmpty, replay.prediction != nil {
      document.add(stages, "Dropped refreshes by stage")
    }
    if let sweep { document.add(table(sweep), "By \(sweep.variable.name)") }
    if listsFrames { document.add(frames, "Frames") }
    document.add(Document.Block.notes, notes)
    return document
  }

  /// The changes that help most, one sentence each.
  static func lines(_ advice: ReplayAdvice, atMost count: Int = .max) -> [String] {
    guard advice.replay.isExplained else {
      return ["changes are not ranked because the model does not explain the recording"]
    }
    let decided = advice.items.filter(\.isDecided).prefix(count).map(\.sentence)
    let rest = advice.items.filter { !$0.isDecided }.prefix(max(0, count - decided.count))
    let undecided = rest.map { "undecided, within the model's error: \($0.sentence)" }
    let all = Array(decided) + undecided
    return all.isEmpty ? ["none of the tested changes helps"] : all
  }

  private var headline: String {
    let share = { (figure: Replay.Figure) in
      abs(figure.gain ?? 0) / max(abs(figure.recorded), 1e-9)
    }
    // Dropped refreshes come first, then the figures that change most.
    let changed = replay.figures.filter {
      [.better, .worse, .changed].contains($0.change) || !$0.alternatives.isEmpty
    }.sorted {
      ($0.unit == "refreshes" ? .infinity : share($0))
        > ($1.unit == "refreshes" ? .infinity : share($1))
    }
    let words = "with \(replay.conditions.words.joined(separator: ", "))"
    guard !changed.isEmpty else {
      let isOpen = replay.figures.contains { $0.change == .undecided }
      return
        "\(words): \(isOpen ? "undecided, the changes are within the model's error" : "nothing changes")"
    }
    let open =
      changed.contains { !$0.alternatives.isEmpty }
      ? "\(replay.otherwise.count == 1 ? "two" : "three") explanations fit: " : ""
    let parts = changed.prefix(3).map { figure in
      "\(figure.name) \(figure.text(figure.recorded)) → \(figure.predictedText) \(figure.unit)"
    }
    return "\(words): \(open)\(parts.joined(separator: "; "))"
  }

  /// The finding as a sentence: what would help, what the conditions change, and how well the model fits.
  var finding: String {
    let advice = advice.map { Self.lines($0, atMost: 2) } ?? []
    let change = replay.conditions.isEmpty ? [] : [headline]
    return (advice + change + [fit]).joined(separator: "; ")
  }

  /// The figures of the replay.
  var figureRows: [Replay.Figure] { replay.figures }

  private var figures: TextTable {
    ResultRows(columns: Replay.Figure.columns, rows: replay.figures).table.withoutEmptyColumns
  }

  private var stages: TextTable {
    var table = TextTable([("stage", .left), ("recorded", .right), ("predicted", .right)])
    for stage in PipelineStage.allCases {
      let counts = [replay.dropsBefore[stage] ?? 0, replay.dropsAfter[stage] ?? 0]
      if counts != [0, 0] { table.append([stage.rawValue] + counts.map { "\($0)" }) }
    }
    return table
  }

  /// The most important figures, because all of them would be too wide for a terminal; scripts receive all.
  private func table(_ sweep: ReplaySweep) -> TextTable {
    let figures = sweep.mainFigures
    var table = TextTable(
      [(sweep.variable.name, .right)]
        + figures.map { ("\($0.name), \($0.unit)", TextTable.Alignment.right) })
    for step in sweep.replays {
      table.append(
        [FixedNumber.text(step.value, decimals: 2)]
          + figures.map { step.replay.figure($0.name).flatMap { $0.expected.map($0.text) } ?? "" })
    }
    return table
  }

  /// Each frame of the prediction, with its start and display times, next to the recording's
  /// replay.
  private var frames: TextTable {
    var table = TextTable([
      ("frame", .right), ("start ms", .right), ("shown ms", .right), ("predicted start", .right),
      ("predicted shown", .right),
    ])
    let before = replay.asRecorded
    let after = replay.prediction ?? replay.asRecorded
    guard let start = before.timeRange?.lowerBound, let one = before.surfaces.first?.frames,
      let other = after.surfaces.first?.frames
    else { return table }
    let text = { (time: Timestamp?) in
      time.map { FixedNumber.text(($0 - start).milliseconds, decimals: 2) } ?? ""
    }
    for row in 0..<max(one.count, other.count) {
      let times = [one, other].flatMap { frames in
        [FrameColumn.appStart, .displayed].map {
          row < frames.count ? text(frames.time(row, $0)) : ""
        }
      }
      table.append(["\(row)"] + times)
    }
    return table
  }

  private var notes: [String] {
    var notes = replay.notes
    if !replay.isExplained {
      notes.insert(
        "most frames miss their recorded refresh in the replay: the model lacks what determines their timing, so predictions say little",
        at: 0)
    }
    notes += replay.otherwise.map {
      "another explanation fits the recording as well: \($0.joined(separator: ", "))"
    }
    if replay.missing > 0 {
      notes.append(
        "\(replay.missing.frames) left out: the trace lacks their app times or display times"
      )
    }
    notes.append(
      "a prediction is the recorded figure plus its change in the replay; the bounds cover the model's error and run-to-run noise"
    )
    return notes
  }

  /// The schema name, with its version.
  static let schema = "frametool.replay/2"

  /// The report as data.
  var record: FieldRecord { FieldRecord(Self.fields, of: self) }

  static let fields: [ResultColumn<ReplayReport>] = [
    .schema(schema), .text("file", "the trace", \.replay.file),
    .text("surface", "the surface", \.replay.surface),
    .texts("recorded", "the conditions of the recording", \.replay.recordedWords),
    .texts("conditions", "what was changed", \.replay.conditions.words),
    .rows(
      "explanations", [.texts("words", "its conditions") { $0 }],
      "other explanations that fit the recording as well"
    ) { $0.replay.otherwise.isEmpty ? nil : $0.replay.otherwise }.ifAny,
    .object(
      "model",
      [
        .integer("frames", "the number of frames: frames", \.frames),
        .integer("shown", "the number of frames: shown", \.shown),
        .integer("reproduced", "the number of frames: reproduced", \.reproduced),
        .real(
          "reproduced_share", "the share shown when they were recorded to be",
          \.reproducedShare),
        .integer("missing", "the number of frames: missing", \.missing),
        .integer("generated", "the number of frames: generated", \.generated),
      ], "how well the replay explains the recording", \.replay),
    .rows("figures", Replay.Figure.columns, as: "figure", "each figure", \.replay.figures),
    .rows(
      "dropped_by_stage",
      [
        .words("stage", PipelineStage.allCases.map(\.rawValue), "the stage", \.stage.rawValue),
        .integer("recorded", "dropped refreshes as recorded") {
          $0.replay.dropsBefore[$0.stage] ?? 0
        },
        .integer("predicted", "dropped refreshes under the conditions") {
          $0.replay.prediction == nil ? nil : $0.replay.dropsAfter[$0.stage] ?? 0
        }.otherwise("no conditions were given"),
      ], "dropped refreshes"
    ) { report in PipelineStage.allCases.map { (stage: $0, replay: report.replay) } },
    .object(
      "sweep",
      [
        .text("variable", "what was varied", \.variable.name),
        .rows(
          "values",
          [
            .real("value", "its value", \.value),
            .rows(
              "figures", Replay.Figure.columns, as: "figure", "each figure", \.replay.figures),
          ], "each value", \.replays),
      ], "one condition at several values", \.sweep
    ).ifAny,
    .rows(
      "advice",
      [
        .texts("conditions", "the change", \.conditions.words),
        .text("metric", "the figure that gains", \.figure.name),
        .real("gain", "by how much", \.gain), .text("unit", "its unit", \.figure.unit),
        .real("model_error", "by how much the model misses it", \.figure.modelError),
        .flag("decided", "whether the gain is larger than that", \.isDecided),
        .text("sentence", "the same in words", \.sentence),
      ], "changes that help, the best first", \.advice?.items
    ).ifAny,
    .texts("notes", "what a reader must know before trusting it", \.notes),
  ]

  /// The key of the replays of several traces.
  static let replaysKey = "replays"

  /// The report as rows for data frames: one row per figure, and for a sweep, one row per figure and value.
  var rows: [[String]] {
    typealias Row = (replay: Replay, figure: Replay.Figure)
    let owner: [ResultColumn<Row>] = [
      .text("file", "the trace", \.replay.file), .text("surface", "the surface", \.replay.surface),
      .text("conditions", "what was changed in the replay") {
        $0.replay.conditions.words.joined(separator: "; ")
      },
    ]
    let replays = sweep?.replays.map(\.replay) ?? [replay]
    let rows = replays.flatMap { replay in replay.figures.map { Row(replay, $0) } }
    return ResultRows(columns: owner + Replay.Figure.columns.map { $0.on(\.figure) }, rows: rows)
      .cells()
  }
}

extension FieldRecord {
  /// The replay of a trace, or a list of the replays of several traces.
  init(_ reports: [ReplayReport]) {
    if let only = reports.first, reports.count == 1 {
      self = only.record
    } else {
      add("schema", ReplayReport.schema)
      add(ReplayReport.replaysKey, rows: reports) { report, record in record = report.record }
    }
  }
}
