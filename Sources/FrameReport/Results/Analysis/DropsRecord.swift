import FrameAnalysis
import FrameTrace

/// A surface with its analysis, as a row of results. It is a reference because each of many events has it.
final class AnalyzedSurface: Sendable {
  let surface: SurfaceAnalysis
  let analysis: TraceAnalysis

  init(_ surface: SurfaceAnalysis, of analysis: TraceAnalysis) {
    (self.surface, self.analysis) = (surface, analysis)
  }
}

extension DropFindings {
  typealias Row = (drops: DropFindings, of: AnalyzedSurface)

  /// The keys that are present with `null` if drops cannot be judged.
  static let essential = ["refreshes", "by_stage", "share", "longest_run"]

  /// The dropped refreshes of a surface.
  static let fields: [ResultColumn<Row>] = [
    .integer("refreshes", "how many were dropped", \.drops.refreshes).counted(figure),
    .stages("by_stage", of: "dropped refreshes", "charged to each stage", figure: figure) {
      $0.drops.byStage
    },
    .real("share", "their share of the active refreshes", \.drops.share)
      .otherwise("no refresh was in active time"),
    .integer("longest_run", "the most in a row", \.drops.longestRun).counted(figure),
    .integer("active_refreshes", "refreshes in active time", \.drops.activeRefreshes),
    .length("active", "active time", \.drops.activeTime),
    .length("rest", "time at rest", \.drops.restTime),
    .integer("cadence_frames", "frames of a deliberate lower rate", \.drops.cadenceFrames),
    .object(
      "cadence", CadenceFinding.fields, orMissing: [], "the lower rate that the surface keeps",
      \.drops.cadence
    ) { _ in "the surface has no steady rate below the refresh rate" },
    .rows(
      "freezes", gapFields, areEvents: true, "stretches without frames that were dropped"
    ) { $0.drops.freezes.map { (time: $0.time, length: $0.length) } },
    // `stops` contains the causes.
    .rows(
      "pauses", gapFields, areEvents: true, "stops that drop no refresh; `stops` has their causes"
    ) { row in
      let stops = row.of.surface.stops
      return (stops.unknown + stops.hidden)
        .sorted { $0.time < $1.time }.map { (time: $0.time, length: $0.length) }
    },
    .integer(
      "missing_frames", "frames without a due time or display time", \.drops.missingFrames),
    .integer(
      "shared_refreshes", "frames at a refresh that had already shown another",
      \.drops.sharedRefreshes),
    .integer(
      "excess", "frames and drops beyond the active refreshes; 0 in consistent input",
      \.drops.excess),
    // From the schema's first version: no drops are counted at an assumed rate.
    .flag("assumed_refresh", "always false") { _ in false },
    .flag(
      "derived_starts", "whether starts are the ends of the frames before", \.drops.derivesStarts),
    .object(
      "over_usual_budget",
      [
        .length("used", "the usual times of the stages together", \.used).counted(\.figure),
        .length("budget", "the interval that they share", \.budget).counted(\.figure),
        .texts("stages", "the stages", among: PipelineStage.allCases.map(\.rawValue)) {
          $0.stages.map(\.rawValue)
        },
      ], "stages that exceed their shared interval even at their usual times",
      \.of.surface.usualBudget
    ).otherwise("the usual times of the stages that share a budget fit it, or are unknown"),
    .object(
      "stated",
      [
        .stages(
          "by_stage", of: "late frames", besides: true, "charged by the source", \.byStage),
        .stages(
          "of_unknown", of: "drops", besides: true, "the same for drops of unknown stage",
          \.ofUnknown),
        .integer("agreeing", "drops with the same stage", \.agreeing),
        .integer("differing", "drops with another stage", \.differing),
        .integer("on_time", "drops of frames that the source calls on time", \.onTime),
        .integer("late_without_drop", "late frames without a drop", \.lateWithoutDrop),
      ], "the source's own verdicts", \.drops.stated
    ).otherwise("the source judges no frame"),
    .object(
      "causes",
      [
        .integer("charged", "refreshes that the app is charged with", \.charged),
        .integer(
          "without_cause", "app refreshes without a cause that the trace shows", \.withoutCause),
        .integer("n", "frames that came in time, which late ones are compared with", \.onTime),
        .counts(
          "refreshes", LateCause.Kind.allCases.map(\.rawValue), of: "refreshes",
          "by what the main thread did or waited for"
        ) { causes, name in LateCause.Kind(rawValue: name).flatMap { causes.refreshes[$0] } ?? 0 },
      ], "why frames of the app were late, where threads are recorded", \.of.surface.causes
    ).ifAny,
    .rows("drops", DropFindings.Drop.fields, areEvents: true, "each run of dropped refreshes") {
      row in
      row.drops.drops.lazy.map { (drop: $0, of: row.of) }
    },
  ]

  private static let gapFields: [ResultColumn<(time: Timestamp, length: Nanoseconds)>] = [
    .instant("t", "its start, from the start of the trace", \.time),
    .length("", "its length", \.length),
  ]

  private static let figure: @Sendable (Row) -> FieldRecord.Figure? = { row in
    FieldRecord.Figure(
      unit: "refreshes", n: row.drops.activeRefreshes,
      isInferred: row.drops.drops.contains(where: \.refreshes.isInferred))
  }
}

extension UsualBudget {
  fileprivate var figure: FieldRecord.Figure? { FieldRecord.Figure(unit: "ms", n: n) }
}

extension CadenceFinding {
  fileprivate static let fields: [ResultColumn<CadenceFinding>] = [
    .text("source", "how it is known", \.source.rawValue),
    .real("fps", "its rate") { 1000 / $0.interval.milliseconds },
    .flag("inferred", "whether it is inferred", \.isInferred),
    .integer(
      "dropped_if_eager", "what would be dropped if every refresh were aimed at",
      \.droppedIfEager
    ).otherwise(notLong),
    .real("share_if_eager", "the same as a share", \.shareIfEager).otherwise(notLong),
  ]

  private static let notLong = "no stage is known to take longer than a refresh"
}

extension DropFindings.Drop {
  fileprivate static let fields: [ResultColumn<(drop: DropFindings.Drop, of: AnalyzedSurface)>] = [
    .integer("refresh", "the number of the first dropped refresh") {
      $0.drop.refreshes.refresh.number
    },
    .integer("count", "how many in a row", \.drop.refreshes.count),
    .instant("t", "when, from the start of the trace", \.drop.time),
    .integer("frame", "the frame that was due", \.drop.refreshes.frame),
    .stage("stage", "the stage charged", \.drop.refreshes.stage),
    .text("why_unknown", "why no stage can be charged", \.drop.refreshes.whyUnknown).ifAny,
    .text("stated", "the source's verdict on the frame") { $0.drop.verdict.map { "\($0)" } }
      .ifAny,
    .stage("held_in", "the stage that the frame was in", \.drop.heldIn)
      .otherwise("the frame had not started, or the trace lacks its stages"),
    .text("cause_surface", "the surface of the frame that caused it") {
      $0.of.analysis.trace.surfaces[$0.drop.refreshes.cause.surface].id
    },
    .integer("cause_frame", "the frame that caused it", \.drop.refreshes.cause.row),
    .flag("inferred", "whether the charge is inferred", \.drop.refreshes.isInferred),
    .length("budget", "the budget of a stage", \.drop.budget),
    .length("ui_thread_blocked", "how late the UI thread started", \.drop.uiThreadBlocked).ifAny,
    .rows(
      "cause_stages",
      [
        .stage("stage", "the stage", \.stage), .length("", "how long it took", \.time),
        .length("usual", "how long it usually takes", \.usual)
          .otherwise("fewer than three on-time frames show it"),
      ], "the stages of the frame that caused it", \.drop.stages),
    .object("why", LateCause.fields, "why the app was late, where threads are recorded") { row in
      row.drop.refreshes.stage == .app
        ? row.of.surface.causes?.byFrame[row.drop.refreshes.cause] : nil
    }.ifAny,
  ]
}

extension LateCause {
  fileprivate static let fields: [ResultColumn<LateCause>] = [
    .words(
      "kind", LateCause.Kind.allCases.map(\.rawValue), "what the thread did or waited for",
      \.kind.rawValue),
    .text("thread", "the thread", \.thread.words), .length("", "for how long", \.time),
    .length("usual", "for how long in the median frame that came in time", \.usual),
    .integer("n", "how many of those there are", \.n),
    .text("what", "the slice, the lock's owner, or what was waited for", \.what).ifAny,
    .length("what", "how long that took", \.whatTime).ifAny,
    .length("what_usual", "how long that usually takes", \.whatUsual).ifAny,
    .real("clock_mhz", "the mean clock rate at which it ran", \.clock).ifAny,
    .real("usual_clock_mhz", "the clock rate at which it usually runs", \.usualClock).ifAny,
    .text("instead", "the thread that had the processor", \.instead?.words).ifAny,
    .length("instead", "for how long", \.insteadTime).ifAny,
    .rows(
      "holders",
      [
        .text("thread", "the thread that ended the wait", \.thread.words),
        .text("process", "its process, where it is another one", \.process).ifAny,
        .length("ran", "how long it ran during the wait", \.ran),
        .length("starved", "how long it had no processor", \.starved),
        .length("waited", "how long it waited itself, for the next one", \.waited),
      ], "whom the wait was for", \.holders),
    .text("sentence", "the same in words", \.sentence),
  ]
}

// MARK: Hitches

extension HitchFindings {
  typealias Row = (hitches: HitchFindings, of: AnalyzedSurface)

  /// The keys that are present with `null` if hitches are unknown.
  static let essential = ["count", "total_ms", "ratio_ms_per_s", "grade", "source", "list"]

  /// The hitches of a surface, with the causes that the source states and their comparison with the rebuilt hitches.
  static let fields: [ResultColumn<Row>] = [
    .integer("count", "how many", \.hitches.times.count).counted { figure($0, "hitches") },
    .length("total", "their total length", \.hitches.total).counted { figure($0, "ms") },
    .real("ratio_ms_per_s", "hitch time in a second of active time", \.hitches.ratio)
      .otherwise(\.hitches.whyNoRatio),
    .text("ratio_over", "the time that the ratio is taken over") {
      $0.hitches.ratio == nil ? nil : $0.hitches.ratioSpan.rawValue
    }.otherwise(\.hitches.whyNoRatio),
    .object(
      "grade",
      Scale.allCases.map { scale in
        .text(scale.rawValue, "the grade on that scale") { scale.grade($0) }
      }, "Apple's grades"
    ) { row in
      row.of.analysis.platform == .apple && row.of.surface.coverage?.allowsGrade != false
        ? row.hitches.ratio : nil
    }.otherwise { row in
      guard row.of.analysis.platform == .apple else {
        return "the scales are Apple's and apply only to its devices"
      }
      return row.of.surface.coverage?.allowsGrade != false
        ? row.hitches.whyNoRatio : Coverage.whyNoGrade
    },
    .words("source", Source.allCases.map(\.rawValue), "who found them", \.hitches.source.rawValue),
    .rows(
      "list",
      [
        .instant("t", "when, from the start of the trace", \.time),
        .length("", "its length", \.length),
        .text("process", "the process", \.process).otherwise(notSaid),
        .text("narrative", "the source's words", \.narrative).otherwise(notSaid),
        .integer("frame", "the frame", \.frame).otherwise(notSaid),
      ], areEvents: true, "each hitch", \.hitches.list),
    .words(
      "length_source", ["stated", "derived"],
      "whether the source states the lengths, or they are from due and display times"
    ) { row in stated(row).map { $0.isLengthStated ? "stated" : "derived" } }.ifAny,
    .integer(
      "without_length", "stated hitches that are left out because their length is unknown"
    ) { stated($0)?.withoutLength }.ifAny,
    .counts(
      "by_kind", HitchColumn.Kind.allCases.map { "\($0)" }, of: "stated hitches",
      "stated hitches of each kind"
    ) { row, name in
      stated(row).map { hitches in
        HitchColumn.Kind.allCases.first { "\($0)" == name }.flatMap { hitches.byKind?[$0] } ?? 0
      }
    }.ifAny,
    .object("rebuilt", tally, "hitches that were rebuilt") { stated($0)?.agreement?.rebuilt }
      .ifAny,
    .object(
      "in_both",
      [
        .integer("count", "how many", \.bothStated.count),
        .length("stated", "their stated length", \.bothStated.time),
        .length("rebuilt", "their rebuilt length", \.bothRebuilt.time),
      ], "hitches that both have"
    ) { stated($0)?.agreement }.ifAny,
    .map(
      "stated_only", .object(of: tally), "hitches only of the source, by reason"
    ) { row in
      stated(row)?.agreement.map { agreement in
        FieldRecord { record in
          for reason in HitchAgreement.Reason.allCases {
            let counted = agreement.statedOnly[reason] ?? .init()
            record.add(reason.rawValue, FieldRecord(tally, of: counted))
          }
        }
      }
    }.ifAny,
    .object("rebuilt_only", tally, "hitches that only were rebuilt") {
      stated($0)?.agreement?.rebuiltOnly
    }.ifAny,
  ]

  private static let notSaid = "the source does not say"

  private static let tally: [ResultColumn<HitchAgreement.Tally>] = [
    .integer("count", "how many", \.count), .length("total", "their total length", \.time),
  ]

  @Sendable private static func stated(_ row: Row) -> HitchFindings? {
    row.hitches.source == .stated ? row.hitches : nil
  }

  @Sendable private static func figure(_ row: Row, _ unit: String) -> FieldRecord.Figure {
    FieldRecord.Figure(
      unit: unit, n: row.hitches.times.count, definition: row.hitches.source.rawValue)
  }
}
