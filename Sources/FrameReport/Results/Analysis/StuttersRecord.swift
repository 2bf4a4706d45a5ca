import FrameAnalysis
import FrameStatistics
import FrameTrace

extension StutterFindings {
  /// The keys that are present with `null` if stutters are unknown.
  static let essential = ["count", "per_minute", "share", "list"]

  static let fields: [ResultColumn<(found: StutterFindings, differences: StutterDifferences?)>] = [
    .integer("count", "how many there are", \.found.stutters.count)
      .counted { FieldRecord.Figure(unit: "stutters", n: $0.found.n) },
    .real("per_minute", "how many for each minute of usual time", \.found.perMinute),
    .length("lost", "how much longer they took than usual", \.found.lost),
    .real("share", "the same as a share of the time", \.found.share),
    .length("longest", "the longest frame of all", \.found.worst?.longest)
      .otherwise("no stutter was found"),
    .integer("bursts", "the same count with those less than 1 s apart as one", \.found.bursts),
    .integer("n", "how many times were compared", \.found.n),
    .text("measured", "between what", \.found.basis),
    .object(
      "run_in",
      [
        .integer("early", "stutters in the first 30 s", \.early),
        .integer("later", "later ones", \.later),
        .real("later_per_minute", "their rate", \.laterPerMinute),
      ], "how the first 30 s differ", \.found.runIn
    ).otherwise("the first 30 s do not differ, or the run is shorter than 90 s"),
    .rows(
      "rhythms",
      [
        .real("period_s", "the time from beat to beat", \.period),
        .real("uncertainty_s", "half of its 95 % interval", \.uncertainty)
          .otherwise("the period drifts"),
        .integer("on_beat", "stutters on the beat", \.onBeat),
        .integer("n", "of how many", \.count),
        .real("p", "the probability that random stutters have such a rhythm", \.probability),
      ], "rhythms in which they recur, the clearest first", \.found.rhythms),
    .integer(
      "series_compared",
      "how many series were compared: sensors, counters, marks, and states of threads",
      \.differences?.series
    ).ifAny,
    .rows(
      "differences",
      [
        .text("series", "the sensor, counter, mark, or state", \.name),
        .text("unit", "its unit", \.unit).otherwise("the source states none"),
        .words(
          "side", ["before", "during", "after"], "on which side of the stutters it differs",
          \.difference.side.rawValue),
        .real("near", "the median at stutters", \.difference.near),
        .real("usual", "the median near them", \.difference.usual),
        .integer("distinct", "stutters at which it stands out", \.difference.distinct),
        .integer("n", "of how many", \.difference.count),
        .real(
          "p", "the probability that unrelated readings differ as much", \.difference.probability),
        .real(
          "adjusted_p", "the same, adjusted for the number of tests", \.difference.adjusted),
      ], "series that differ around stutters; a coincidence in time, not a proven cause",
      \.differences?.findings
    ).ifAny,
    .rows(
      "list",
      [
        .instant("t", "when, from the start of the trace", \.time),
        .length("", "from its first long frame to its last", \.length),
        .length("longest", "its longest frame", \.longest),
        .length("usual", "how long frames around it take", \.usual),
        .length("lost", "how much longer its frames took", \.lost),
        .integer("frame", "the row of its longest frame", \.row),
        .integer("frames", "how many long frames it has", \.frames),
      ], areEvents: true, "each stutter", \.found.stutters),
    .rows(
      "slow_stretches",
      [
        .instant("t", "when, from the start of the trace", \.time),
        .length("", "its length", \.length),
        .integer("frames", "how many slow frames it has", \.frames),
        .length("median", "their median length", \.median),
      ], areEvents: true, "frames that were slow for the run, though not for those around them",
      \.found.slowStretches),
  ]
}
