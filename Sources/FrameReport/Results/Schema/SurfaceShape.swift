import FrameAnalysis
import FrameTrace

/// A surface in an analysis.
enum SurfaceShape {
  static let shape = JSONShape.object([
    .text("id", "its name in the trace"), .text("process", "its process").orNull,
    .integer("pid", "the number of the process").orNull,
    .text("name", "what it is called").orNull,
    .object(
      "frames",
      JSONMember.counts(
        ["count", "displayed", "replaced", "discarded", "dropped", "unresolved", "generated"],
        of: "frames"), "what became of its frames"),
    JSONMember("coverage", coverage, "how much of the recording its frames cover"),
    .object("contradictions", contradictions, "frames with times that cannot all be right").ifAny,
    .object(
      "verdicts",
      [
        .integer("judged", "frames that the source judges"),
        .integer("on_time", "judged frames that it calls on time"),
        .integer("late", "judged frames that it calls late"),
        .integer("partial", "judged frames that were shown without the app's own update"),
        .integer("dropped", "judged frames that it calls dropped"),
        .integer(
          "dropped_invisibly", "judged frames dropped without an effect on smoothness"),
        .object(
          "longest_run",
          [
            .integer("frames", "how many"),
            .number("t_ms", "when the first began, from the start of the trace"),
            .number("ms", "how long it lasted"),
          ], "the most late or dropped frames in a row"
        ).ifAny,
        .object(
          "by_stage", JSONMember.counts(charged, of: "frames"), "of those, charged to a stage"),
      ], "the source's own verdicts on frames, whether or not drops can be judged"
    ).ifAny,
    JSONMember("dropped", dropped, "refreshes that repeated an older frame while one was due"),
    .object("stops", stops, "stretches of more than 500 ms without a new frame"),
    JSONMember(
      "stutters", StutterShape.shape, "new frames that took much longer than those around them"),
    JSONMember("limits", limits, "what limited each frame of a game"),
    JSONMember("engine", EngineShape.shape, "what fills the frame time, where an engine counts it")
      .ifAny,
    JSONMember("hitches", hitches, "hitches, rebuilt or as the source states them"),
    JSONMember("buffers", buffers, "its buffers"),
    JSONMember("latency", LatencyShape.shape, "from touches to their light"),
    JSONMember("touches", LatencyShape.touches, "what became of its touch samples"),
    .map("metrics", .named("measured"), "each metric"),
    JSONMember("display", .named("display"), "its display"),
    .object("offscreen_passes", passes, "what an offscreen pass costs the GPU").ifAny,
    .object("over_budget", overBudget, "frames over the requested budget").ifAny,
    .map("dialects", .list(.object(dialect)), "other tools' figures").ifAny,
    .rows("perception", perception, "what published models predict, if it was requested").ifAny,
    .rows("worst", worst, "the worst frames, if they were requested").ifAny,
  ])

  private static let stages = PipelineStage.allCases.map(\.rawValue)

  private static let perception: [JSONMember] = [
    .words("model", PerceptionModel.allCases.map(\.rawValue), "the model"),
    .text("name", "what it is called"), .text("source", "who published it"),
    .text("range", "what it holds for, and what is assumed"),
    .rows(
      "predictions",
      [
        .text("what", "what is predicted"),
        .number("low", "the lowest value over what the trace does not tell"),
        .number("high", "the highest"), .text("unit", "the unit of both"),
        .text("sentence", "the prediction in words"),
      ], "what it predicts; empty where it says nothing"),
    .text("why", "why it says nothing, or nothing more").orNull,
  ]

  private static let contradictions: [JSONMember] = [
    .integer("frames", "how many frames have such times"),
    .integer("first_frame", "the first of them"),
    .text("earlier", "the time of the first frame that should come first"),
    .text("later", "the time that comes before it"),
    .number("ms", "by how much"),
  ]

  private static let coverage = JSONShape.object(
    [
      .number("frames_ms", "how long frames cover"),
      .number("recording_ms", "how long the recording is"),
      .number("share", "the former as a share of the latter"),
      .integer("frames_shown", "frames that follow another one").orNull,
      .integer("frames_judged", "how many of these have a due time").orNull,
    ], orMissing: ["frames_ms", "recording_ms", "share", "frames_shown", "frames_judged"])

  private static let limits = JSONShape.object(
    [.integer("n", "how many frames were judged"), .integer("missing", "how many were not")]
      + JSONMember.counts(
        FrameLimits.Limit.allCases.map(\.rawValue), of: "frames by what limited them")
      + [
        .words("main", FrameLimits.Limit.allCases.map(\.rawValue), "the limit of most frames"),
        .flag("inferred", "whether busy times are inferred"),
        .number("frame_time_ms", "the median frame time of frames with the main limit"),
        .number("cpu_busy_ms", "their median CPU time").orNull,
        .number("gpu_busy_ms", "their median GPU time").orNull,
      ], orMissing: ["n"] + FrameLimits.Limit.allCases.map(\.rawValue))

  private static let buffers = JSONShape.object(
    [
      .object(
        "depth_share",
        ["1", "2", "3", "4+"].map { .number($0, "the share of active time at depth \($0)") },
        "the share of active time in each depth"
      ).orNull,
      .integer("colors", "how many buffers there are"),
      .flag("inferred", "whether buffers or their use are inferred"),
      .rows(
        "mode_changes",
        [
          .number("t_ms", "when, from the start of the trace"),
          .integer("from", "the depth before"),
          .integer("to", "the depth after"), .integer("frame", "the frame that changed it"),
          .words("stage", stages, "the stage that took a different time").orNull,
        ], "each change of depth"),
      .integer("used", "how many buffers were used").orNull,
      .integer("allocated", "how many were allocated").orNull,
      .integer("held", "how many the compositor held").orNull,
      .flag("pool", "whether the trace has a pool of buffers"),
    ], orMissing: ["depth_share", "colors", "inferred", "mode_changes"])

  private static let passes: [JSONMember] = [
    .number("gpu_ms_per_pass", "GPU time for each pass"),
    .bounds("ci95", "its bounds"), .integer("n", "of how many frames"),
    .text("method", "how it was computed"),
  ]

  private static let overBudget: [JSONMember] = [
    .number("budget_ms", "the budget"), .integer("frames", "frames over it").orNull,
    .integer("n", "of how many frames"), .number("share", "as a share").orNull,
  ]

  private static let dialect: [JSONMember] = [
    .text("name", "the tool's name for it"), .number("value", "its value").orNull,
    .text("unit", "its unit"), .text("formula", "how the tool computes it"),
    .text("ours", "the metric that it corresponds to"),
  ]

  private static let worst: [JSONMember] = [
    .integer("frame", "the frame's row"), .integer("id", "the frame's number in the source").orNull,
    .number("t_ms", "when, from the start of the trace"),
    .number("display_change_ms", "the time to the next frame's display").orNull,
    .number("frame_time_ms", "its frame time").orNull, .number("app_ms", "the app's work").orNull,
    .number("compositor_ms", "the compositor's work").orNull,
    .number("gpu_ms", "the GPU's work").orNull,
    .number("queue_ms", "how long the finished buffer waited").orNull,
    .integer("dropped", "refreshes that it dropped").orNull,
  ]
}

// MARK: Drops and hitches

extension SurfaceShape {
  private static let dropped = JSONShape.object(
    [
      .integer("refreshes", "how many were dropped"),
      .object(
        "by_stage", JSONMember.counts(stages, of: "dropped refreshes"), "charged to each stage"),
      .number("share", "their share of the active refreshes").orNull,
      .integer("longest_run", "the most in a row"),
      .integer("active_refreshes", "refreshes in active time"),
      .number("active_ms", "active time"), .number("rest_ms", "time at rest"),
      .integer("cadence_frames", "frames of a deliberate lower rate"),
      JSONMember("cadence", cadence, "the lower rate that the surface keeps"),
      .rows("freezes", gap, "stretches without frames that were dropped"),
      .rows("pauses", gap, "stops that drop no refresh; `stops` has their causes"),
      .integer("missing_frames", "frames without a due time or display time"),
      .integer("shared_refreshes", "frames at a refresh that had already shown another"),
      .integer("excess", "frames and drops beyond the active refreshes; 0 in consistent input"),
      .flag("assumed_refresh", "always false"),
      .flag("derived_starts", "whether starts are the ends of the frames before"),
      .object(
        "over_usual_budget",
        [
          .number("used_ms", "the usual times of the stages together"),
          .number("budget_ms", "the interval that they share"),
          .list("stages", .words(stages), "the stages"),
        ], "stages that exceed their shared interval even at their usual times"
      ).orNull,
      .object(
        "stated",
        [
          .object(
            "by_stage", JSONMember.counts(charged, of: "late frames"), "charged by the source"),
          .object(
            "of_unknown", JSONMember.counts(charged, of: "drops"),
            "the same for drops of unknown stage"),
          .integer("agreeing", "drops with the same stage"),
          .integer("differing", "drops with another stage"),
          .integer("on_time", "drops of frames that the source calls on time"),
          .integer("late_without_drop", "late frames without a drop"),
        ], "the source's own verdicts"
      ).orNull,
      .object(
        "causes",
        [
          .integer("charged", "refreshes that the app is charged with"),
          .integer("untold", "of them, those without a cause that the trace shows"),
          .integer("n", "frames that came in time, which late ones are compared with"),
          .object(
            "refreshes", JSONMember.counts(causes, of: "refreshes"),
            "by what the main thread did or waited for"),
        ], "why frames of the app were late, where threads are recorded"
      ).ifAny,
      .rows("drops", drop, "each run of dropped refreshes"),
    ], orMissing: ["refreshes", "by_stage", "share", "longest_run"])

  private static let causes = LateCause.Kind.allCases.map(\.rawValue)

  private static let why: [JSONMember] = [
    .words("kind", causes, "what the thread did or waited for"),
    .text("thread", "the thread"), .number("ms", "for how long"),
    .number("usual_ms", "for how long in the median frame that came in time"),
    .integer("n", "how many of those there are"),
    .text("what", "the slice, the lock's owner, or what was waited for").ifAny,
    .number("what_ms", "how long that took").ifAny,
    .number("what_usual_ms", "how long that usually takes").ifAny,
    .number("clock_mhz", "the mean clock rate at which it ran").ifAny,
    .number("usual_clock_mhz", "the clock rate at which it usually runs").ifAny,
    .text("instead", "the thread that had the processor").ifAny,
    .number("instead_ms", "for how long").ifAny,
    .rows(
      "holders",
      [
        .text("thread", "the thread that ended the wait"),
        .text("process", "its process, where it is another one").ifAny,
        .number("ran_ms", "how long it ran meanwhile"),
        .number("starved_ms", "how long it had no processor"),
        .number("waited_ms", "how long it waited itself, for the next one"),
      ], "whom the wait was for"),
    .text("sentence", "the same in words"),
  ]

  private static let charged = stages.filter { $0 != PipelineStage.unknown.rawValue }

  private static let stops: [JSONMember] = [
    .integer("count", "how many there are"), .number("total_ms", "how long they took"),
    .number("longest_ms", "how long the longest took").orNull,
    .integer("at_most_refreshes", "refreshes that those of unknown cause dropped at most").orNull,
    .number("fps_without", "frames per second by the frame times that are no stops").orNull,
    .rows("list", stop, "each stop"),
    .rows("hidden", stop, "times in which the window was hidden, which are rest"),
  ]

  private static let stop: [JSONMember] = [
    .number("t_ms", "its start, from the start of the trace"), .number("ms", "its length"),
    .integer("frame", "the row of the frame that ended it"),
    .words("cause", ["freeze", "hidden", "unknown"], "why there was no new frame"),
    .words("stage", stages, "the stage that worked").orNull,
  ]

  private static let gap: [JSONMember] = [
    .number("t_ms", "its start, from the start of the trace"), .number("ms", "its length"),
  ]

  private static let cadence = JSONShape.object(
    [
      .text("source", "how it is known"), .number("fps", "its rate"),
      .flag("inferred", "whether it is inferred"),
      .integer("dropped_if_eager", "what would be dropped if every refresh were aimed at").orNull,
      .number("share_if_eager", "the same as a share").orNull,
    ], orMissing: [])

  private static let drop: [JSONMember] = [
    .integer("refresh", "the number of the first dropped refresh"),
    .integer("count", "how many in a row"), .number("t_ms", "when, from the start of the trace"),
    .integer("frame", "the frame that was due"), .words("stage", stages, "the stage charged"),
    .text("why_unknown", "why no stage can be charged").ifAny,
    .text("stated", "the source's verdict on the frame").ifAny,
    .words("held_in", stages, "the stage that the frame was in").orNull,
    .text("cause_surface", "the surface of the frame that caused it"),
    .integer("cause_frame", "the frame that caused it"),
    .flag("inferred", "whether the charge is inferred"),
    .number("budget_ms", "the budget of a stage"),
    .number("ui_thread_blocked_ms", "how late the UI thread started").ifAny,
    .rows(
      "cause_stages",
      [
        .words("stage", stages, "the stage"), .number("ms", "how long it took"),
        .number("usual_ms", "how long it usually takes").orNull,
      ], "the stages of the frame that caused it"),
    .object("why", why, "why the app was late, where threads are recorded").ifAny,
  ]

  private static let tally: [JSONMember] = [
    .integer("count", "how many"), .number("total_ms", "their total length"),
  ]

  private static let hitches = JSONShape.object(
    [
      .integer("count", "how many"), .number("total_ms", "their total length"),
      .number("ratio_ms_per_s", "hitch time in a second of active time").orNull,
      .text("ratio_over", "the time that the ratio is taken over").orNull,
      .object(
        "grade",
        HitchFindings.Scale.allCases.map { .text($0.rawValue, "the grade on that scale") },
        "Apple's grades"
      ).orNull,
      .words("source", HitchFindings.Source.allCases.map(\.rawValue), "who found them"),
      .rows(
        "list",
        [
          .number("t_ms", "when, from the start of the trace"), .number("ms", "its length"),
          .text("process", "the process").orNull, .text("narrative", "the source's words").orNull,
          .integer("frame", "the frame").orNull,
        ], "each hitch"),
      .words(
        "length_source", ["stated", "derived"],
        "whether the source states the lengths, or they are from due and display times"
      ).ifAny,
      .integer("without_length", "stated hitches that are left out because their length is unknown")
        .ifAny,
      .object(
        "by_kind",
        JSONMember.counts(HitchColumn.Kind.allCases.map { "\($0)" }, of: "stated hitches"),
        "stated hitches of each kind"
      ).ifAny,
      .object("rebuilt", tally, "hitches that were rebuilt").ifAny,
      .object(
        "in_both",
        [
          .integer("count", "how many"), .number("stated_ms", "their stated length"),
          .number("rebuilt_ms", "their rebuilt length"),
        ], "hitches that both have"
      ).ifAny,
      .map("stated_only", .object(tally), "hitches only of the source, by reason").ifAny,
      .object("rebuilt_only", tally, "hitches that only were rebuilt").ifAny,
    ], orMissing: ["count", "total_ms", "ratio_ms_per_s", "grade", "source", "list"])
}
