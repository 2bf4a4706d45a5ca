import FrameAnalysis
import FrameStatistics
import FrameTrace
import FrameVerdicts

/// A group of a fleet, as a row of results.
struct FleetGroupRow: Sendable {
  /// The values of the group's tags.
  private let tags: [String?]
  private let tally: RunTally
  private let key: TallyKey
  private let values: RunTally.Values?

  /// - Parameter metric: The metric whose values are described.
  init(_ group: Fleet.Group, _ metric: String) {
    tags = group.values
    tally = group.tally
    let found = tally.values(of: metric)
    key = found?.key ?? TallyKey(metric: metric, definition: nil)
    values = found?.values
  }

  private var counts: ValueCounts? { values?.counts }

  /// All columns, the group's tags first.
  /// - Parameter hasDefinitions: Whether groups measure different things under the metric's name.
  static func columns(
    _ options: Fleet.Options, hasDefinitions: Bool
  ) -> [ResultColumn<FleetGroupRow>] {
    let tags = options.by.enumerated().map { index, tag in
      ResultColumn<FleetGroupRow>.text(tag, "the value of the tag") { $0.tags[index] }
        .shown(tag) { $0.tags[index] ?? "none" }
    }
    return tags + dataColumns(options, hasDefinitions: hasDefinitions)
  }

  /// The columns of a group in addition to its tags.
  static func dataColumns(
    _ options: Fleet.Options, hasDefinitions: Bool = false
  ) -> [ResultColumn<FleetGroupRow>] {
    let definition = ResultColumn<FleetGroupRow>.text(
      "definition", "which of the metric's definitions it is", \.key.definition
    ).otherwise { "\($0.key.metric) has only one" }
    let unit = TallyKey(metric: options.metric, definition: nil).unit
    let percent = { @Sendable (share: Double?) in
      share.map { FixedNumber.text($0 * 100, decimals: 2) + " %" } ?? "–"
    }
    return [
      .text("metric", "the metric whose values are described", \.key.metric),
      .text("unit", "the unit of its values", \.key.unit),
      .integer("runs", "how many runs there are", \.tally.runs).shown("runs", .right),
      .integer("n", "how many values there are") { $0.counts?.count ?? 0 }.shown("n", .right),
    ] + [
      figure("min", "the smallest value", \.minimum),
      figure("mean", "the mean", \.mean).shown("mean, \(unit)", .right, hundredths { $0.mean }),
      figure("p50", "the median") { $0.quantile(0.5) }.shown(
        "p50", .right, hundredths { $0.quantile(0.5) }),
      figure("p90", "the quantile of 90 %") { $0.quantile(0.9) },
      figure("p95", "the quantile of 95 %") { $0.quantile(0.95) }.shown(
        "p95", .right, hundredths { $0.quantile(0.95) }),
      figure("p99", "the quantile of 99 %") { $0.quantile(0.99) }.shown(
        "p99", .right, hundredths { $0.quantile(0.99) }),
      figure("max", "the largest value", \.maximum),
    ] + [
      .real("relative_error", "by how much a quantile may be off") { _ in
        ValueCounts.relativeError
      },
      .real("dropped_share", "dropped refreshes, as a share of those in active time") {
        $0.tally.drops?.share
      }.otherwise("no run shows which refreshes were dropped")
        .shown("dropped", .right) { percent($0.tally.drops?.share) },
      .real("hitch_ratio", "milliseconds of hitches in a second") { $0.tally.hitches?.ratio }
        .otherwise("no run shows hitches")
        .shown("hitches", .right) {
          $0.tally.hitches?.ratio.map { FixedNumber.text($0, decimals: 2) + " ms/s" } ?? "–"
        },
      .integer("frames", "how many frames there are", \.tally.frames.count),
      .integer("never_shown", "how many of them were never shown", \.tally.frames.neverShown),
      .real("never_shown_share", "the same as a share") { $0.tally.frames.neverShownShare }
        .otherwise("no frame's display time is known")
        .shown("never shown", .right) { percent($0.tally.frames.neverShownShare) },
      hasDefinitions ? definition.shown("definition") { $0.key.definition ?? "–" } : definition,
    ]
  }

  /// A figure of the values with two decimals, for people.
  private static func hundredths(
    _ value: @escaping @Sendable (ValueCounts) -> Double?
  ) -> @Sendable (FleetGroupRow) -> String {
    { row in row.counts.flatMap(value).map { FixedNumber.text($0, decimals: 2) } ?? "–" }
  }

  /// A column with a figure of the values.
  private static func figure(
    _ key: String, _ meaning: String, _ value: @escaping @Sendable (ValueCounts) -> Double?
  ) -> ResultColumn<FleetGroupRow> {
    .real(key, meaning) { $0.counts.flatMap(value) }.otherwise("no run has values")
  }
}
