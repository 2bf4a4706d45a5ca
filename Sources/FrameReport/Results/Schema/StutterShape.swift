/// The stutters of a surface in an analysis.
enum StutterShape {
  static let shape = JSONShape.object(
    [
      .integer("count", "how many there are"),
      .number("per_minute", "how many for each minute of usual time"),
      .number("lost_ms", "how much longer they took than usual"),
      .number("share", "the same as a share of the time"),
      .number("longest_ms", "the longest frame of all").orNull,
      .integer("bursts", "the same count with those less than 1 s apart as one"),
      .integer("n", "how many times were compared"),
      .text("measured", "between what"),
      .object(
        "run_in",
        [
          .integer("early", "stutters in the first 30 s"), .integer("later", "later ones"),
          .number("later_per_minute", "their rate"),
        ], "how the first 30 s differ"
      ).orNull,
      .rows(
        "rhythms",
        [
          .number("period_s", "the time from beat to beat"),
          .number("uncertainty_s", "half of its 95 % interval").orNull,
          .integer("on_beat", "stutters on the beat"), .integer("n", "of how many"),
          .number("p", "the probability of such a rhythm by chance"),
        ], "rhythms in which they recur, the clearest first"),
      .integer(
        "series_compared",
        "how many series were compared: sensors, counters, marks, and states of threads"
      ).ifAny,
      .rows(
        "differences",
        [
          .text("series", "the sensor, counter, mark, or state"), .text("unit", "its unit").orNull,
          .words(
            "side", ["before", "during", "after"], "on which side of the stutters it differs"),
          .number("near", "the median at stutters"), .number("usual", "the median near them"),
          .integer("distinct", "stutters at which it stands out"), .integer("n", "of how many"),
          .number("p", "the probability of such a difference by chance"),
          .number("adjusted_p", "the same, adjusted for the number of tests"),
        ], "series that differ around stutters; a coincidence in time, not a proven cause"
      ).ifAny,
      .rows(
        "list",
        [
          .number("t_ms", "when, from the start of the trace"),
          .number("ms", "from its first long frame to its last"),
          .number("longest_ms", "its longest frame"),
          .number("usual_ms", "how long frames around it take"),
          .number("lost_ms", "how much longer its frames took"),
          .integer("frame", "the row of its longest frame"),
          .integer("frames", "how many long frames it has"),
        ], "each stutter"),
      .rows(
        "slow_stretches",
        [
          .number("t_ms", "when, from the start of the trace"), .number("ms", "its length"),
          .integer("frames", "how many slow frames it has"),
          .number("median_ms", "their median length"),
        ], "frames that were slow for the run, though not for those around them"),
    ], orMissing: ["count", "per_minute", "share", "list"])
}
