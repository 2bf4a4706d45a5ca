/// The JSON objects of dropped refreshes and of hitches.
struct DropsJSON {
  private static let stages: [PipelineStage] = [.app, .compositor, .gpu, .display, .unknown]

  /// Writes the members of the object of dropped refreshes.
  static func write(
    _ finding: Finding<DropFindings>, of analysis: TraceAnalysis, to json: inout JSONWriter
  ) {
    guard let drops = finding.value else {
      return writeMissing(finding.whyMissing ?? "", to: &json)
    }
    json.member("refreshes", drops.refreshes)
    json.key("by_stage")
    json.object { json in
      for stage in stages { json.member(stage.rawValue, drops.byStage[stage] ?? 0) }
    }
    json.member("share", drops.share)
    json.member("longest_run", drops.longestRun)
    json.member("active_refreshes", drops.activeRefreshes)
    json.member("active_ms", drops.activeTime.milliseconds)
    json.member("rest_ms", drops.restTime.milliseconds)
    json.member("cadence_frames", drops.cadenceFrames)
    write(drops.cadence, to: &json)
    write(drops.freezes, "freezes", from: analysis.origin, to: &json)
    write(drops.pauses, "pauses", from: analysis.origin, to: &json)
    json.member("missing_frames", drops.missingFrames)
    json.member("assumed_refresh", drops.isAssumed)
    json.member("derived_starts", drops.derivesStarts)
    json.key("drops")
    json.array { json in
      for drop in drops.drops { json.object { json in write(drop, of: analysis, to: &json) } }
    }
    if drops.share == nil { json.writeReasons([("share", "no refresh was in active time")]) }
  }

  private static func writeMissing(_ why: String, to json: inout JSONWriter) {
    json.member("refreshes", nil as Int?)
    json.key("by_stage")
    json.object { json in
      for stage in stages { json.member(stage.rawValue, nil as Int?) }
      json.writeReasons(stages.map { ($0.rawValue, why) })
    }
    let others = [
      "share", "longest_run", "active_refreshes", "active_ms", "rest_ms", "cadence_frames",
      "cadence", "freezes", "pauses", "missing_frames", "assumed_refresh", "derived_starts",
      "drops",
    ]
    for key in others { json.member(key, nil as Int?) }
    json.writeReasons((["refreshes"] + others).map { ($0, why) })
  }

  /// Writes the lower rate that a surface keeps.
  private static func write(_ cadence: CadenceFinding?, to json: inout JSONWriter) {
    json.key("cadence")
    json.object { json in
      json.member("source", cadence?.source.rawValue)
      json.member("fps", cadence.map { 1000 / $0.interval.milliseconds })
      json.member("inferred", cadence?.isInferred)
      json.member("dropped_if_eager", cadence?.droppedIfEager)
      json.member("share_if_eager", cadence?.shareIfEager)
      let none = "the surface keeps no lower rate"
      var reasons: [(String, String)] = []
      if cadence == nil { reasons += [("source", none), ("fps", none), ("inferred", none)] }
      if cadence?.droppedIfEager == nil {
        let why = cadence == nil ? none : "no stage takes longer than a refresh, or none is known"
        reasons += [("dropped_if_eager", why), ("share_if_eager", why)]
      }
      json.writeReasons(reasons)
    }
  }

  private static func write(
    _ gaps: [DropFindings.Gap], _ key: String, from origin: Timestamp, to json: inout JSONWriter
  ) {
    json.key(key)
    json.array { json in
      for gap in gaps {
        json.object { json in
          json.member("t_ms", (gap.time - origin).milliseconds)
          json.member("ms", gap.length.milliseconds)
        }
      }
    }
  }

  private static func write(
    _ drop: DropFindings.Drop, of analysis: TraceAnalysis, to json: inout JSONWriter
  ) {
    let refreshes = drop.refreshes
    json.member("refresh", Int(refreshes.refresh))
    json.member("count", Int(refreshes.count))
    json.member("t_ms", (drop.time - analysis.origin).milliseconds)
    json.member("frame", refreshes.frame)
    json.member("stage", refreshes.stage.rawValue)
    json.member("held_in", drop.heldIn?.rawValue)
    json.member("cause_surface", analysis.trace.surfaces[refreshes.cause.surface].id)
    json.member("cause_frame", refreshes.cause.row)
    json.member("inferred", refreshes.isInferred)
    json.member("budget_ms", drop.budget.milliseconds)
    json.key("cause_stages")
    json.array { json in
      for stage in drop.stages {
        json.object { json in
          json.member("stage", stage.stage.rawValue)
          json.member("ms", stage.time.milliseconds)
          json.member("usual_ms", stage.usual.milliseconds)
        }
      }
    }
    var reasons: [(String, String)] = []
    if let why = refreshes.whyUnknown { reasons.append(("stage", why)) }
    if drop.heldIn == nil {
      reasons.append(("held_in", "the frame had not started, or the trace lacks its stages"))
    }
    json.writeReasons(reasons)
  }

  /// Writes the members of the object of hitches.
  static func write(_ finding: Finding<HitchFindings>, to json: inout JSONWriter) {
    let hitches = finding.value
    let ratio = hitches?.ratio
    json.member("count", hitches?.times.count)
    json.member("total_ms", hitches?.total.milliseconds)
    json.member("ratio_ms_per_s", ratio)
    let why = finding.whyMissing ?? HitchFindings.whyNoRatio
    json.member("ratio_over", ratio == nil ? nil : hitches?.ratioSpan.rawValue)
    json.key("grade")
    json.object { json in
      for scale in HitchFindings.Scale.allCases {
        json.member(scale.rawValue, ratio.map(scale.grade))
      }
      if ratio == nil { json.writeReasons(HitchFindings.Scale.allCases.map { ($0.rawValue, why) }) }
    }
    json.member("source", hitches?.source.rawValue)
    if let hitches, hitches.source == .stated { writeStated(hitches, to: &json) }
    if hitches == nil {
      json.writeReasons(
        ["count", "total_ms", "ratio_ms_per_s", "ratio_over", "source"].map { ($0, why) })
    } else if ratio == nil {
      json.writeReasons(["ratio_ms_per_s", "ratio_over"].map { ($0, why) })
    }
  }

  /// Writes whose work the source's own hitches are, and how those rebuilt compare with them.
  private static func writeStated(_ hitches: HitchFindings, to json: inout JSONWriter) {
    json.key("by_kind")
    json.object { json in
      for kind in HitchColumn.Kind.allCases {
        json.member("\(kind)", hitches.byKind?[kind] ?? 0)
      }
    }
    guard let agreement = hitches.agreement else { return }
    let tally = { (key: String, tally: HitchAgreement.Tally, json: inout JSONWriter) in
      json.key(key)
      json.object { json in
        json.member("count", tally.count)
        json.member("total_ms", Nanoseconds(tally.time).milliseconds)
      }
    }
    tally("rebuilt", agreement.rebuilt, &json)
    json.key("in_both")
    json.object { json in
      json.member("count", agreement.bothStated.count)
      json.member("stated_ms", Nanoseconds(agreement.bothStated.time).milliseconds)
      json.member("rebuilt_ms", Nanoseconds(agreement.bothRebuilt.time).milliseconds)
    }
    json.key("stated_only")
    json.object { json in
      for reason in HitchAgreement.Reason.allCases {
        tally(reason.rawValue, agreement.statedOnly[reason] ?? .init(), &json)
      }
    }
    tally("rebuilt_only", agreement.rebuiltOnly, &json)
  }
}
