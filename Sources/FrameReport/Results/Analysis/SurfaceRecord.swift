import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension SurfaceAnalysis {
  /// The measurements of one surface.
  static let fields = identityFields + ownFields + findingFields + latencyFields + extraFields

  private static let ownFields: [ResultColumn<AnalyzedSurface>] = [
    .object(
      "coverage", Coverage.fields, orMissing: Coverage.keys,
      "how much of the recording its frames cover", \.surface.coverage
    ) { _ in "no frame has a time, or only a part of the trace was read" },
    .object(
      "contradictions",
      [
        .integer(SurfaceKey.frames, "how many frames have such times", \.frames),
        .integer("first_frame", "the first of them", \.first),
        .text("earlier", "the time of the first frame that should come first") {
          $0.earlier.schema.key
        },
        .text("later", "the time that comes before it", \.later.schema.key),
        .length("", "by how much", \.distance),
      ], "frames with times that cannot all be right", \.surface.contradictions
    ).ifAny,
    .object(
      "verdicts", StatedVerdicts.fields,
      "the source's own verdicts on frames, whether or not drops can be judged",
      \.surface.verdicts
    ).ifAny,
  ]

  private static let findingFields: [ResultColumn<AnalyzedSurface>] = [
    .finding(
      "dropped", DropFindings.fields, orMissing: DropFindings.essential,
      "refreshes that repeated an older frame while one was due", \.surface.drops
    ) { (drops: $0, of: $1) },
    .object(
      "stops", StopFindings.fields, "stretches of more than 500 ms without a new frame"
    ) { (stops: $0.surface.stops, frames: $0.surface.outcomes.count) },
    .object(
      "stutters", StutterFindings.fields, orMissing: StutterFindings.essential,
      "new frames that took much longer than those around them"
    ) { row in
      row.surface.stutters.map { (found: $0, differences: row.surface.stutterDifferences) }
    } why: { _ in
      "fewer than 60 frames"
    },
    .finding(
      "limits", FrameLimits.fields,
      orMissing: ["n"] + FrameLimits.Limit.allCases.map(\.rawValue),
      "what limited each frame of a game", \.surface.limits
    ) { limits, _ in limits },
    .object(
      "engine", EngineWords.fields, "what fills the frame time, where an engine counts it"
    ) { row in
      EngineWords(row.surface).map {
        (engine: $0, hitches: EngineHitches(row.surface, of: row.analysis))
      }
    }.ifAny,
    .finding(
      "hitches", HitchFindings.fields, orMissing: HitchFindings.essential,
      "hitches, rebuilt or as the source states them", \.surface.hitches
    ) { (hitches: $0, of: $1) },
    .finding(
      "buffers", BufferFindings.fields,
      orMissing: ["depth_share", "colors", "inferred", "mode_changes"], "its buffers",
      \.surface.buffers
    ) { (buffers: $0, shown: $1.surface.outcomes.displayed) },
  ]

  private static let latencyFields: [ResultColumn<AnalyzedSurface>] = [
    .record("latency", LatencyShape.shape, "from touches to their light") { row, origin in
      row.surface.touches.value.map {
        FieldRecord(TouchSummary.fields, of: ($0, row.analysis.options), from: origin)
      } ?? LatencyShape.missing(row.surface.touches.whyMissing ?? "")
    },
    .finding(
      "touches", TouchSummary.counts, orMissing: TouchSummary.counts.prefix(6).map(\.key),
      "what became of its touch samples", \.surface.touches
    ) { touches, _ in touches },
    .map(SurfaceKey.metrics, .named("measured"), "each metric") { row in
      FieldRecord { record in
        for metric in row.surface.metrics { record.add(metric.name, MeasuredField(metric)) }
      }
    },
    .record("display", .named("display"), "its display") { row, origin in
      row.surface.refreshes.map { FieldRecord(DisplayRefreshes.fields, of: $0, from: origin) }
        ?? FieldRecord(
          missing: DisplayRefreshes.essential, "the requested metrics do not need it")
    },
  ]

  private static let extraFields: [ResultColumn<AnalyzedSurface>] = [
    .object(
      "offscreen_passes",
      [
        .real("gpu_ms_per_pass", "GPU time for each pass", \.slope).counted { passes in
          FieldRecord.Figure(unit: "ms", n: passes.n, definition: "Theil-Sen")
        },
        .list("ci95", "its bounds") { [$0.low, $0.high] },
        .integer("n", "of how many frames", \.n),
        .text("method", "how it was computed") { _ in "Theil-Sen" },
      ], "what an offscreen pass costs the GPU", \.surface.passes
    ).ifAny,
    .object("over_budget", budgetFields, "frames over the requested budget") { row in
      guard let over = row.surface.overBudget, let budget = row.analysis.options.budget else {
        return nil
      }
      return (over: over, budget: budget)
    }.ifAny,
    .map("dialects", .list(.object(of: dialectFields)), "other tools' figures") {
      row in
      guard !row.surface.dialects.isEmpty else { return nil }
      return FieldRecord { record in
        for result in row.surface.dialects {
          let figures = Array(zip(result.dialect.figures, result.values))
          record.add(result.dialect.name, rows: figures) { $1.add(dialectFields, of: $0) }
        }
      }
    }.ifAny,
    .rows(
      "perception", PerceptionFinding.fields,
      "what published models predict, if it was requested"
    ) { row in row.analysis.options.predictsPerception ? row.surface.perception : nil }.ifAny,
    .rows(
      "worst", worstFields, areEvents: true, "the worst frames, if they were requested"
    ) { row in
      row.analysis.options.worstCount > 0
        ? row.surface.worst.map { (frame: $0, of: row.surface) } : nil
    }.ifAny,
  ]

  private static let identityFields: [ResultColumn<AnalyzedSurface>] = [
    .text(SurfaceKey.id, "its name in the trace", \.surface.id),
    .text(SurfaceKey.process, "its process", \.surface.process).otherwise(unnamed),
    .integer(SurfaceKey.processID, "the number of the process", \.surface.processID)
      .otherwise(unnamed),
    .text(SurfaceKey.name, "what it is called", \.surface.name).otherwise(unnamed),
    .counts(
      SurfaceKey.frames, outcomeCounts.map(\.key), of: "frames", "what became of its frames",
      figure: { FieldRecord.Figure(unit: "frames", n: $0.surface.outcomes.count) },
      { row, name in outcomeCounts.first { $0.key == name }?.count(row.surface.outcomes) }),
  ]

  private static let unnamed = "the source does not name it"

  private static let outcomeCounts: [(key: String, count: @Sendable (FrameOutcomes) -> Int)] = [
    (SurfaceKey.count, \.count), ("displayed", \.displayed), ("replaced", \.replaced),
    ("discarded", \.discarded), ("dropped", \.dropped), ("unresolved", \.unresolved),
    ("generated", \.generated),
  ]

  private static let budgetFields:
    [ResultColumn<(over: Finding<BudgetShare>, budget: Nanoseconds)>] = [
      .length("budget", "the budget", \.budget),
      .integer("frames", "frames over it", \.over.value?.over).otherwise(\.over.whyMissing)
        .counted { row in
          FieldRecord.Figure(
            unit: "frames", n: row.over.value?.n ?? 0,
            definition: "over \(row.budget.milliseconds) ms")
        },
      .integer("n", "of how many frames") { $0.over.value?.n ?? 0 },
      .real("share", "as a share", \.over.value?.share).otherwise(\.over.whyMissing),
    ]

  private static let dialectFields: [ResultColumn<(figure: MetricDialect.Figure, value: Double?)>] =
    [
      .text("name", "the tool's name for it", \.figure.name),
      .real("value", "its value", \.value).otherwise("the tool has none for so few frames"),
      .text("unit", "its unit", \.figure.unit),
      .text("formula", "how the tool computes it", \.figure.formula),
      .text("ours", "the metric that it corresponds to", \.figure.counterpart),
    ]

  private static let worstFields: [ResultColumn<(frame: WorstFrame, of: SurfaceAnalysis)>] = [
    .integer("frame", "the frame's row", \.frame.row),
    .integer("id", "the frame's number in the source", \.frame.identifier)
      .otherwise("the source does not number frames"),
    .instant("t", "when, from the start of the trace", \.frame.time),
    .length("display_change", "the time to the next frame's display", \.frame.displayChange)
      .otherwise(whyUnrecorded),
    .length("frame_time", "its frame time", \.frame.frameTime).otherwise(whyUnrecorded),
    .length("app", "the app's work", \.frame.app).otherwise(whyUnrecorded),
    .length("compositor", "the compositor's work", \.frame.compositor).otherwise(whyUnrecorded),
    .length("gpu", "the GPU's work", \.frame.gpu).otherwise(whyUnrecorded),
    .length("queue", "how long the finished buffer waited", \.frame.queueWait)
      .otherwise(whyUnrecorded),
    .integer("dropped", "refreshes that it dropped", \.frame.dropped)
      .otherwise(\.of.drops.whyMissing),
  ]
}

private let whyUnrecorded = "the source does not record it"

extension StatedVerdicts {
  /// The source's statements about the frames.
  fileprivate static let fields: [ResultColumn<StatedVerdicts>] = [
    .integer("judged", "frames that the source judges", \.judged),
    .integer("on_time", "judged frames that it calls on time", \.onTime),
    .integer("late", "judged frames that it calls late", \.late),
    .integer("partial", "judged frames that were shown without the app's own update", \.partial),
    .integer("dropped", "judged frames that it calls dropped", \.dropped),
    .integer(
      "dropped_invisibly", "judged frames dropped without an effect on smoothness",
      \.droppedInvisibly),
    .object(
      "longest_run",
      [
        .integer("frames", "how many", \.frames),
        .instant("t", "when the first began, from the start of the trace", \.start),
        .length("", "how long it lasted", \.length),
      ], "the most late or dropped frames in a row", \.longestRun
    ).ifAny,
    .stages(
      "by_stage", of: "frames", besides: true,
      "late and dropped frames that are charged to a stage", \.byStage),
  ]
}

extension Coverage {
  static let keys = ["frames_ms", "recording_ms", "share", "frames_shown", "frames_judged"]

  /// How much of the recording the frames of a surface cover.
  fileprivate static let fields: [ResultColumn<Coverage>] = [
    .length("frames", "how long frames cover", \.frames),
    .length("recording", "how long the recording is", \.recording),
    .real("share", "the former as a share of the latter", \.share),
    .integer("frames_shown", "frames that follow another one", \.shown)
      .otherwise("the display's refreshes are not known"),
    .integer("frames_judged", "how many of these have a due time", \.judged)
      .otherwise("the display's refreshes are not known"),
  ]
}

extension StopFindings {
  /// The stops of a surface, with the number of its frames.
  fileprivate static let fields: [ResultColumn<(stops: StopFindings, frames: Int)>] = [
    .integer("count", "how many there are", \.stops.stops.count)
      .counted { FieldRecord.Figure(unit: "stops", n: $0.frames) },
    .length("total", "how long they took", \.stops.total)
      .counted { FieldRecord.Figure(unit: "ms", n: $0.stops.stops.count) },
    .length("longest", "how long the longest took", \.stops.longest?.length)
      .otherwise("no stop was found"),
    .integer(
      "at_most_refreshes", "refreshes that those of unknown cause dropped at most",
      \.stops.atMost
    ).otherwise("no fixed refresh interval is known"),
    .integer(
      "off_grid_refreshes",
      "refreshes that stops of known cause dropped, within one for each, where display times lie off the refreshes",
      \.stops.frozenOffGrid
    ).ifAny,
    .real(
      "fps_without", "frames per second without the frame times that are stops",
      \.stops.rateWithout
    ).otherwise("no frame time is a stop, or each one is"),
    .rows("list", stopFields, areEvents: true, "each stop", \.stops.stops),
    .rows(
      "hidden", stopFields, areEvents: true,
      "times in which the window was hidden, which are rest", \.stops.hidden),
  ]

  private static let stopFields: [ResultColumn<Stop>] = [
    .instant("t", "its start, from the start of the trace", \.time),
    .length("", "its length", \.length),
    .integer("frame", "the row of the frame that ended it", \.row),
    .words(
      "cause", ["freeze", "hidden", "unknown"], "why there was no new frame", \.cause.name),
    .stage("stage", "the stage that worked", \.cause.stage)
      .otherwise("no stage is known to have caused it"),
  ]
}

extension FrameLimits {
  /// What limits the frames of a surface, as the number of frames for each limit.
  fileprivate static let fields = judged + Limit.allCases.map(counted) + usual

  private static let judged: [ResultColumn<FrameLimits>] = [
    .integer("n", "how many frames were judged", \.counts.n),
    .integer("missing", "how many were not", \.missing),
  ]

  private static func counted(_ limit: Limit) -> ResultColumn<FrameLimits> {
    .integer(limit.rawValue, "the number of frames by what limited them: \(limit.rawValue)") {
      $0.counts[limit]
    }.counted { limits in
      FieldRecord.Figure(unit: "frames", n: limits.counts.n, isInferred: limits.isInferred)
    }
  }

  private static let usual: [ResultColumn<FrameLimits>] = [
    .words(
      "main", FrameLimits.Limit.allCases.map(\.rawValue), "the limit of most frames",
      \.counts.main.rawValue),
    .flag("inferred", "whether busy times are inferred", \.isInferred),
    .length(
      "frame_time", "the median frame time of frames with the main limit", \.frameTime),
    .length("cpu_busy", "their median CPU time", \.cpuBusy).otherwise(whyUnrecorded),
    .length("gpu_busy", "their median GPU time", \.gpuBusy).otherwise(whyUnrecorded),
  ]
}

/// The keys of a surface that are read back.
private enum SurfaceKey {
  static let id = "id"
  static let process = "process"
  static let processID = "pid"
  static let name = "name"
  static let frames = "frames"
  static let count = "count"
  static let metrics = "metrics"
}

/// The figures of a surface as a history reads them from the output of a `FieldRecord`.
struct SurfaceFigures {
  private let node: JSONNode

  init(_ node: JSONNode) { self.node = node }

  func isChosen(_ choice: SurfaceChoice) -> Bool {
    choice.matches(
      process: [
        node[SurfaceKey.process]?.text, node[SurfaceKey.processID]?.integer.map { "\($0)" },
      ], surface: [node[SurfaceKey.id]?.text, node[SurfaceKey.name]?.text])
  }

  /// The mean and the quantiles of each metric, or its single figure.
  var values: [HistoryValue] {
    (node[SurfaceKey.metrics]?.members ?? []).flatMap { name, metric -> [HistoryValue] in
      guard let read = MeasuredField.read(metric) else { return [] }
      return read.statistics.compactMap { statistic, value in
        guard let statistic else {
          return HistoryValue(metric: name, unit: read.unit, value: value, n: read.n)
        }
        guard HistoryValue.keeps(statistic, n: read.n) else { return nil }
        return HistoryValue(
          metric: "\(statistic)(\(name))", unit: read.unit, value: value, n: read.n)
      }
    }
  }
}
