import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// The schema name of a comparison, with its version.
  static let comparisonSchema = "frametool.comparison/2"

  /// A comparison of runs.
  init(_ comparison: Comparison) { self.init(Comparison.fields, of: comparison) }

  /// Comparisons of several sides with the first side; a single comparison is written directly.
  init(_ sides: ComparisonOfSides) {
    guard sides.comparisons.count != 1 else {
      self.init(sides.comparisons[0])
      return
    }
    self.init(ComparisonOfSides.fields, of: sides)
  }
}

extension Comparison {
  static let fields: [ResultColumn<Comparison>] = [
    .schema(FieldRecord.comparisonSchema),
    .rows(
      HistoryResultReader.Side.before.rawValue, runFields, "the runs of the first side", \.before),
    .rows(
      HistoryResultReader.Side.after.rawValue, runFields, "the runs of the other side", \.after),
    .text("before_name", "what the first side is called", \.names.before),
    .text("after_name", "what the other side is called", \.names.after),
    .words(
      "design", RunDesign.allCases.map(\.rawValue),
      "how the runs were made: in pairs, in turns, all of one side first, or in unknown order",
      \.design.rawValue),
    .text("method", "how it was decided", \.method),
    .verdict("overall", "the verdict on all figures", \.overall), .state(\.overall),
    .text("reason", "why that is the verdict") { ComparisonSentence($0).reason },
    .text("sentence", "the state and the reason") { ComparisonSentence($0).text },
    .rows(
      "ruled_out",
      [
        .text(ComparisonKey.metric, "the figure", \.name),
        .real("worse_by_more_than", "the smallest change that is ruled out") {
          $0.interval.upperBound
        },
        .text(ComparisonKey.unit, "its unit", \.effectUnit),
      ], "what is ruled out if the state is fine"
    ) { comparison in
      comparison.overall == .noChange ? comparison.metrics.filter(\.isGating) : []
    },
    .rows(
      ComparisonKey.metrics, ComparedFigureRow.columns(SideNames()), "figures that were compared",
      ComparedFigureRow.deciding),
    .rows(
      ComparisonKey.beside, ComparedFigureRow.reference(SideNames()),
      "figures shown for reference", ComparedFigureRow.beside),
    .texts("warnings", "what a reader must know before trusting the verdict") {
      $0.warnings.map(\.text)
    },
  ]

  private static let runFields: [ResultColumn<RunSummary>] = [
    .text("file", "the trace", \.file),
    .text("process", "its process", \.process).otherwise("the source does not name it"),
    .text("surface", "its surface", \.surface),
    .integer(ComparisonKey.frames, "how many frames it has", \.count),
    .integer(ComparisonKey.latencies, "how many latencies it has") {
      $0.latencies.isEmpty ? nil : $0.latencies.count
    }.ifAny,
    .integer(ComparisonKey.launches, "how many launches it has") {
      $0.launches.isEmpty ? nil : $0.launches.count
    }.ifAny,
    .text("metric", "what is compared", \.metric),
    .text("definition", "which of the metric's definitions it is", \.definition),
    .length("refresh", "the refresh interval") { $0.refresh.map { Nanoseconds($0.interval) } }
      .otherwise(noRefresh),
    .text("refresh_source", "how that is known", \.refresh?.source.rawValue).otherwise(noRefresh),
    .integer("refreshes_kept", "every how many refreshes it draws", \.refresh?.kept)
      .otherwise(noRefresh),
    .flag("quantized", "whether frame times are multiples of the interval", \.isQuantized),
  ]

  private static let noRefresh = "no fixed refresh was found"
}

extension ComparisonOfSides {
  static let fields: [ResultColumn<ComparisonOfSides>] = [
    .schema(FieldRecord.comparisonSchema), .verdict("overall", "the worst verdict", \.overall),
    .state(\.overall),
    .rows(
      ComparisonKey.comparisons, Comparison.fields, as: "comparison",
      "each side after the first, with the first", \.comparisons),
  ]
}

/// The keys of a comparison that are read back.
private enum ComparisonKey {
  static let comparisons = "comparisons"
  static let metrics = "metrics"
  static let beside = "beside"
  static let metric = "metric"
  /// The key of `metric` in version 1, which is still read.
  static let name = "name"
  static let unit = "unit"
  static let frames = "frames"
  static let latencies = "latencies"
  static let launches = "launches"
}

extension HistoryResult {
  /// Reads a comparison from the output of a `FieldRecord`: one run with the figures of a side.
  init(comparison node: JSONNode, _ side: HistoryResultReader.Side) {
    let sum = { (key: String) in
      (node[side.rawValue]?.array ?? []).reduce(0) { $0 + ($1[key]?.count ?? 0) }
    }
    let frames = sum(ComparisonKey.frames)
    let runs = node[side.rawValue]?.array?.count ?? 0
    let (latencies, launches) = (sum(ComparisonKey.latencies), sum(ComparisonKey.launches))
    let figures = [ComparisonKey.metrics, ComparisonKey.beside].flatMap { node[$0]?.array ?? [] }
    self.init()
    self.runs = [
      figures.compactMap { figure -> HistoryValue? in
        guard let name = (figure[ComparisonKey.metric] ?? figure[ComparisonKey.name])?.text,
          let unit = figure[ComparisonKey.unit]?.text,
          let value = figure[side.rawValue]?.number
        else { return nil }
        let base = HistoryMetric(name, unit: unit).base
        let n =
          LaunchMeasure(named: base) != nil
          ? launches : base == "frameTime" || !name.hasSuffix(")") ? frames : latencies
        // For figures that sources report, only the number of runs is known.
        return HistoryValue(metric: name, unit: unit, value: value, n: n > 0 ? n : runs)
      }
    ]
  }
}
