import FrameAnalysis
import FrameTrace

extension FieldRecord {
  private static let stages: [PipelineStage] = [.app, .compositor, .gpu, .display, .unknown]

  /// The dropped refreshes of a surface.
  static func drops(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) -> FieldRecord {
    guard let drops = surface.drops.value else {
      return FieldRecord(
        missing: ["refreshes", "by_stage", "share", "longest_run"],
        surface.drops.whyMissing ?? "")
    }
    let figure = Figure(
      unit: "refreshes", n: drops.activeRefreshes,
      isInferred: drops.drops.contains(where: \.refreshes.isInferred))
    var record = FieldRecord()
    record.add("refreshes", drops.refreshes, figure)
    record.add("by_stage") { record in
      for stage in stages { record.add(stage.rawValue, drops.byStage[stage] ?? 0, figure) }
    }
    record.add("share", drops.share, else: "no refresh was in active time")
    record.add("longest_run", drops.longestRun, figure)
    record.add("active_refreshes", drops.activeRefreshes)
    record.add("active_ms", drops.activeTime.milliseconds)
    record.add("rest_ms", drops.restTime.milliseconds)
    record.add("cadence_frames", drops.cadenceFrames)
    record.add("cadence", cadence(drops.cadence))
    record.add("freezes", events: drops.freezes) { gap, record in
      record.add("t_ms", (gap.time - analysis.origin).milliseconds)
      record.add("ms", gap.length.milliseconds)
    }
    // Stops of known cause and the others are told apart under `stops`.
    let unjudged = surface.stops.stops.filter { $0.cause == .unknown } + surface.stops.hidden
    record.add("pauses", events: unjudged.sorted { $0.time < $1.time }) { stop, record in
      record.add("t_ms", (stop.time - analysis.origin).milliseconds)
      record.add("ms", stop.length.milliseconds)
    }
    record.add("missing_frames", drops.missingFrames)
    record.add("shared_refreshes", drops.sharedRefreshes)
    record.add("excess", drops.excess)
    // From the schema's first version: no drops are counted at an assumed rate.
    record.add("assumed_refresh", false)
    record.add("derived_starts", drops.derivesStarts)
    record.add(
      "over_usual_budget", surface.usualBudget.map(overUsualBudget),
      else: "the usual times of the stages that share a budget fit it, or are unknown")
    record.add("stated", drops.stated.map(stated), else: "the source judges no frame")
    if let causes = surface.causes {
      record.add("causes") { record in
        record.add("charged", causes.charged)
        record.add("untold", causes.untold)
        record.add("n", causes.onTime)
        record.add("refreshes") { record in
          for kind in LateCause.Kind.allCases {
            record.add(kind.rawValue, causes.refreshes[kind] ?? 0)
          }
        }
      }
    }
    record.add("drops", events: drops.drops) { drop, record in
      record.add(drop, of: analysis)
      if drop.refreshes.stage == .app, let cause = surface.causes?.byFrame[drop.refreshes.cause] {
        record.add("why") { $0.add(cause) }
      }
    }
    return record
  }

  /// The stages that exceed their budget even when nothing is wrong.
  private static func overUsualBudget(_ budget: UsualBudget) -> FieldRecord {
    let figure = Figure(unit: "ms", n: budget.n)
    var record = FieldRecord()
    record.add("used_ms", budget.used.milliseconds, figure)
    record.add("budget_ms", budget.budget.milliseconds, figure)
    record.add("stages", values: budget.stages.map(\.rawValue))
    return record
  }

  /// What the source itself states about the late frames.
  private static func stated(_ stated: StatedCharges) -> FieldRecord {
    var record = FieldRecord()
    for (key, counts) in [("by_stage", stated.byStage), ("of_unknown", stated.ofUnknown)] {
      record.add(key) { record in
        for stage in stages where stage != .unknown {
          record.add(stage.rawValue, counts[stage] ?? 0)
        }
      }
    }
    record.add("agreeing", stated.agreeing)
    record.add("differing", stated.differing)
    record.add("on_time", stated.onTime)
    record.add("late_without_drop", stated.lateWithoutDrop)
    return record
  }

  /// The lower rate that a surface keeps.
  private static func cadence(_ cadence: CadenceFinding?) -> FieldRecord {
    guard let cadence else {
      return FieldRecord(missing: [], "the surface has no steady rate below the refresh rate")
    }
    let why = "no stage is known to take longer than a refresh"
    var record = FieldRecord()
    record.add("source", cadence.source.rawValue)
    record.add("fps", 1000 / cadence.interval.milliseconds)
    record.add("inferred", cadence.isInferred)
    record.add("dropped_if_eager", cadence.droppedIfEager, else: why)
    record.add("share_if_eager", cadence.shareIfEager, else: why)
    return record
  }

  private mutating func add(_ drop: DropFindings.Drop, of analysis: TraceAnalysis) {
    let refreshes = drop.refreshes
    add("refresh", refreshes.refresh)
    add("count", refreshes.count)
    add("t_ms", (drop.time - analysis.origin).milliseconds)
    add("frame", refreshes.frame)
    add("stage", refreshes.stage.rawValue)
    addIfAny("why_unknown", refreshes.whyUnknown)
    addIfAny("stated", drop.verdict.map { "\($0)" })
    add(
      "held_in", drop.heldIn?.rawValue,
      else: "the frame had not started, or the trace lacks its stages")
    add("cause_surface", analysis.trace.surfaces[refreshes.cause.surface].id)
    add("cause_frame", refreshes.cause.row)
    add("inferred", refreshes.isInferred)
    add("budget_ms", drop.budget.milliseconds)
    addIfAny("ui_thread_blocked_ms", drop.uiThreadBlocked?.milliseconds)
    add("cause_stages", rows: drop.stages) { stage, record in
      record.add("stage", stage.stage.rawValue)
      record.add("ms", stage.time.milliseconds)
      record.add(
        "usual_ms", stage.usual?.milliseconds,
        else: "fewer than three on-time frames show it")
    }
  }

  private mutating func add(_ cause: LateCause) {
    add("kind", cause.kind.rawValue)
    add("thread", cause.thread.words)
    add("ms", cause.time.milliseconds)
    add("usual_ms", cause.usual.milliseconds)
    add("n", cause.n)
    addIfAny("what", cause.what)
    addIfAny("what_ms", cause.whatTime?.milliseconds)
    addIfAny("what_usual_ms", cause.whatUsual?.milliseconds)
    addIfAny("clock_mhz", cause.clock)
    addIfAny("usual_clock_mhz", cause.usualClock)
    addIfAny("instead", cause.instead?.words)
    addIfAny("instead_ms", cause.insteadTime?.milliseconds)
    add("holders", rows: cause.holders) { holder, record in
      record.add("thread", holder.thread.words)
      record.addIfAny("process", holder.process)
      record.add("ran_ms", holder.ran.milliseconds)
      record.add("starved_ms", holder.starved.milliseconds)
      record.add("waited_ms", holder.waited.milliseconds)
    }
    add("sentence", cause.sentence)
  }

  /// The hitches of a surface.
  static func hitches(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) -> FieldRecord {
    guard let hitches = surface.hitches.value else {
      return FieldRecord(
        missing: ["count", "total_ms", "ratio_ms_per_s", "grade", "source", "list"],
        surface.hitches.whyMissing ?? "")
    }
    let count = hitches.times.count
    let figure = { (unit: String) in
      Figure(unit: unit, n: count, definition: hitches.source.rawValue)
    }
    let ratio = hitches.ratio
    let why = hitches.whyNoRatio
    var record = FieldRecord()
    record.add("count", count, figure("hitches"))
    record.add("total_ms", hitches.total.milliseconds, figure("ms"))
    record.add("ratio_ms_per_s", ratio, else: why)
    record.add("ratio_over", ratio == nil ? nil : hitches.ratioSpan.rawValue, else: why)
    let grade = ratio.map { ratio in
      var record = FieldRecord()
      for scale in HitchFindings.Scale.allCases { record.add(scale.rawValue, scale.grade(ratio)) }
      return record
    }
    let isApple = analysis.platform == .apple
    let allowsGrade = surface.coverage?.allowsGrade != false
    record.add(
      "grade", isApple && allowsGrade ? grade : nil,
      else: !isApple
        ? "the scales are Apple's and apply only to its devices"
        : allowsGrade ? why : Coverage.whyNoGrade)
    record.add("source", hitches.source.rawValue)
    record.add("list", events: hitches.list) { $1.add($0, from: analysis.origin) }
    if hitches.source == .stated { record.add(stated: hitches) }
    return record
  }

  private mutating func add(_ hitch: ListedHitch, from origin: Timestamp) {
    let untold = "the source does not say"
    add("t_ms", (hitch.time - origin).milliseconds)
    add("ms", hitch.length.milliseconds)
    add("process", hitch.process, else: untold)
    add("narrative", hitch.narrative, else: untold)
    add("frame", hitch.frame, else: untold)
  }

  /// Adds the causes of the source's own hitches, and their comparison with the rebuilt ones.
  private mutating func add(stated hitches: HitchFindings) {
    add("length_source", hitches.isLengthStated ? "stated" : "derived")
    add("without_length", hitches.withoutLength)
    add("by_kind") { record in
      for kind in HitchColumn.Kind.allCases {
        record.add("\(kind)", hitches.byKind?[kind] ?? 0)
      }
    }
    guard let agreement = hitches.agreement else { return }
    let tally = { (tally: HitchAgreement.Tally) -> FieldRecord in
      var record = FieldRecord()
      record.add("count", tally.count)
      record.add("total_ms", tally.time.milliseconds)
      return record
    }
    add("rebuilt", tally(agreement.rebuilt))
    add("in_both") { record in
      record.add("count", agreement.bothStated.count)
      record.add("stated_ms", agreement.bothStated.time.milliseconds)
      record.add("rebuilt_ms", agreement.bothRebuilt.time.milliseconds)
    }
    add("stated_only") { record in
      for reason in HitchAgreement.Reason.allCases {
        record.add(reason.rawValue, tally(agreement.statedOnly[reason] ?? .init()))
      }
    }
    add("rebuilt_only", tally(agreement.rebuiltOnly))
  }
}
