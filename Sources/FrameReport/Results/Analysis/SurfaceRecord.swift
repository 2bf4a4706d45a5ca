import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// The measurements of one surface.
  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    let unnamed = "the source does not name it"
    add(SurfaceKey.id, surface.id)
    add(SurfaceKey.process, surface.process, else: unnamed)
    add(SurfaceKey.processID, surface.processID, else: unnamed)
    add(SurfaceKey.name, surface.name, else: unnamed)
    add(SurfaceKey.frames) { $0.add(surface.outcomes) }
    add("coverage", Self.coverage(surface))
    if let contradictions = surface.contradictions {
      add("contradictions") { $0.add(contradictions) }
    }
    if let verdicts = surface.verdicts {
      add("verdicts") { $0.add(verdicts, from: analysis.origin) }
    }
    add("dropped", Self.drops(surface, of: analysis))
    add("stops", Self.stops(surface.stops, of: surface.outcomes.count, from: analysis.origin))
    add("stutters", Self.stutters(surface, from: analysis.origin))
    add("limits", Self.limits(surface))
    if let engine = EngineWords(surface) {
      add("engine", FieldRecord(engine, EngineHitches(surface, of: analysis)))
    }
    add("hitches", Self.hitches(surface, of: analysis))
    add("buffers", Self.buffers(surface, from: analysis.origin))
    add("latency", Self.latency(surface, analysis.options))
    add("touches", Self.touches(surface))
    add(SurfaceKey.metrics) { record in
      for metric in surface.metrics { record.add(metric.name, MeasuredField(metric)) }
    }
    add(
      "display", surface.refreshes.map { FieldRecord($0, from: analysis.origin) } ?? Self.noDisplay)
    if let passes = surface.passes { add("offscreen_passes") { $0.add(passes) } }
    if let over = surface.overBudget, let budget = analysis.options.budget {
      add("over_budget") { $0.add(over, budget) }
    }
    if !surface.dialects.isEmpty {
      add("dialects") { record in
        for result in surface.dialects { record.add(result) }
      }
    }
    if analysis.options.predictsPerception { add(surface.perception) }
    if analysis.options.worstCount > 0 {
      add("worst", events: surface.worst) { frame, record in
        record.add(frame, of: surface, from: analysis.origin)
      }
    }
  }

  private mutating func add(_ outcomes: FrameOutcomes) {
    let counts = [
      (SurfaceKey.count, outcomes.count), ("displayed", outcomes.displayed),
      ("replaced", outcomes.replaced), ("discarded", outcomes.discarded),
      ("dropped", outcomes.dropped), ("unresolved", outcomes.unresolved),
      ("generated", outcomes.generated),
    ]
    for (key, count) in counts { add(key, count, Figure(unit: "frames", n: outcomes.count)) }
  }

  /// What the source itself says of the frames.
  private mutating func add(_ verdicts: StatedVerdicts, from origin: Timestamp) {
    add("judged", verdicts.judged)
    add("on_time", verdicts.onTime)
    add("late", verdicts.late)
    add("partial", verdicts.partial)
    add("dropped", verdicts.dropped)
    add("dropped_invisibly", verdicts.droppedInvisibly)
    if let run = verdicts.longestRun {
      add("longest_run") { record in
        record.add("frames", run.frames)
        record.add("t_ms", (run.start - origin).milliseconds)
        record.add("ms", run.length.milliseconds)
      }
    }
    add("by_stage") { record in
      for stage in PipelineStage.allCases where stage != .unknown {
        record.add(stage.rawValue, verdicts.byStage[stage] ?? 0)
      }
    }
  }

  /// The frames whose times cannot all be right.
  private mutating func add(_ contradictions: Contradictions) {
    add(SurfaceKey.frames, contradictions.frames)
    add("first_frame", contradictions.first)
    add("earlier", contradictions.earlier.schema.key)
    add("later", contradictions.later.schema.key)
    add("ms", contradictions.distance.milliseconds)
  }

  /// How much of the recording the frames of a surface can speak for.
  private static func coverage(_ surface: SurfaceAnalysis) -> FieldRecord {
    let keys = ["frames_ms", "recording_ms", "share", "frames_shown", "frames_judged"]
    guard let coverage = surface.coverage else {
      return FieldRecord(missing: keys, "no frame has a time, or only a part of the trace was read")
    }
    return FieldRecord { record in
      record.add(keys[0], coverage.frames.milliseconds)
      record.add(keys[1], coverage.recording.milliseconds)
      record.add(keys[2], coverage.share)
      let why = "the display's refreshes are not known"
      record.add(keys[3], coverage.shown, else: why)
      record.add(keys[4], coverage.judged, else: why)
    }
  }

  /// The stops of a surface.
  /// - Parameter frames: How many frames the surface has.
  private static func stops(
    _ stops: StopFindings, of frames: Int, from origin: Timestamp
  ) -> FieldRecord {
    FieldRecord { record in
      let n = Figure(unit: "ms", n: stops.stops.count)
      record.add("count", stops.stops.count, Figure(unit: "stops", n: frames))
      record.add("total_ms", stops.total.milliseconds, n)
      record.add("longest_ms", stops.longest?.length.milliseconds, else: "there is no stop")
      record.add(
        "at_most_refreshes", stops.atMost, else: "no fixed refresh interval is known")
      record.add(
        "fps_without", stops.rateWithout, else: "no frame time is a stop, or each one is")
      record.add("list", events: stops.stops) { $1.add($0, from: origin) }
      record.add("hidden", events: stops.hidden) { $1.add($0, from: origin) }
    }
  }

  private mutating func add(_ stop: StopFindings.Stop, from origin: Timestamp) {
    add("t_ms", (stop.time - origin).milliseconds)
    add("ms", stop.length.milliseconds)
    add("frame", stop.row)
    add("cause", stop.cause.name)
    add("stage", stop.cause.stage?.rawValue, else: "no stage is known to have caused it")
  }

  /// What limits the frames of a surface: for each limit, the number of frames.
  private static func limits(_ surface: SurfaceAnalysis) -> FieldRecord {
    let cases = FrameLimits.Limit.allCases
    guard let limits = surface.limits.value else {
      return FieldRecord(missing: ["n"] + cases.map(\.rawValue), surface.limits.whyMissing ?? "")
    }
    let why = "the source does not record it"
    return FieldRecord { record in
      record.add("n", limits.counts.n)
      record.add("missing", limits.missing)
      for limit in cases {
        let figure = Figure(unit: "frames", n: limits.counts.n, isInferred: limits.isInferred)
        record.add(limit.rawValue, limits.counts[limit], figure)
      }
      record.add("main", limits.counts.main.rawValue)
      record.add("inferred", limits.isInferred)
      record.add("frame_time_ms", limits.frameTime.milliseconds)
      record.add("cpu_busy_ms", limits.cpuBusy?.milliseconds, else: why)
      record.add("gpu_busy_ms", limits.gpuBusy?.milliseconds, else: why)
    }
  }

  private mutating func add(_ passes: TheilSen) {
    let figure = Figure(unit: "ms", n: passes.n, definition: "Theil-Sen")
    add("gpu_ms_per_pass", passes.slope, figure)
    add("ci95", values: [passes.low, passes.high])
    add("n", passes.n)
    add("method", "Theil-Sen")
  }

  private mutating func add(_ over: Finding<BudgetShare>, _ budget: Nanoseconds) {
    let figure = Figure(
      unit: "frames", n: over.value?.n ?? 0, definition: "over \(budget.milliseconds) ms")
    add("budget_ms", budget.milliseconds)
    add("frames", over.value?.over, else: over.whyMissing, figure)
    add("n", over.value?.n ?? 0)
    add("share", over.value?.share, else: over.whyMissing)
  }

  private mutating func add(_ result: DialectResult) {
    let figures = Array(zip(result.dialect.figures, result.values))
    add(result.dialect.name, rows: figures) { figure, record in
      let (figure, value) = figure
      record.add("name", figure.name)
      record.add("value", value, else: "the tool has none for so few frames")
      record.add("unit", figure.unit)
      record.add("formula", figure.formula)
      record.add("ours", figure.counterpart)
    }
  }

  private mutating func add(
    _ frame: WorstFrame, of surface: SurfaceAnalysis, from origin: Timestamp
  ) {
    let why = "the source does not record it"
    add("frame", frame.row)
    add("id", frame.identifier, else: "the source does not number frames")
    add("t_ms", (frame.time - origin).milliseconds)
    add("display_change_ms", frame.displayChange?.milliseconds, else: why)
    add("frame_time_ms", frame.frameTime?.milliseconds, else: why)
    add("app_ms", frame.app?.milliseconds, else: why)
    add("compositor_ms", frame.compositor?.milliseconds, else: why)
    add("gpu_ms", frame.gpu?.milliseconds, else: why)
    add("queue_ms", frame.queueWait?.milliseconds, else: why)
    add("dropped", frame.dropped, else: surface.drops.whyMissing)
  }
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

/// The figures of a surface as a history reads them from what a `FieldRecord` was written to.
struct SurfaceFigures {
  private let node: JSONNode

  init(_ node: JSONNode) { self.node = node }

  func isChosen(_ choice: SurfaceChoice) -> Bool {
    choice.matches(
      process: [
        node[SurfaceKey.process]?.text, node[SurfaceKey.processID]?.integer.map { "\($0)" },
      ], surface: [node[SurfaceKey.id]?.text, node[SurfaceKey.name]?.text])
  }

  /// The mean and the quantiles of each metric, or its one figure.
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
