import FrameAnalysis
import FrameTrace
import FrameVerdicts

extension FieldRecord {
  /// The schema name of a comparison, with its version.
  static let comparisonSchema = "frametool.comparison/2"

  /// A comparison of runs.
  init(_ comparison: Comparison) {
    add("schema", Self.comparisonSchema)
    for (side, runs) in [
      (HistoryResultReader.Side.before, comparison.before), (.after, comparison.after),
    ] {
      add(side.rawValue, rows: runs) { run, record in record.add(run) }
    }
    add("before_name", comparison.names.before)
    add("after_name", comparison.names.after)
    add("design", comparison.design.rawValue)
    add("method", comparison.method)
    add("overall", comparison.overall.rawValue)
    let sentence = ComparisonSentence(comparison)
    add("state", comparison.overall.word)
    add("reason", sentence.reason)
    add("sentence", sentence.text)
    let isFine = comparison.overall == .noChange
    add("ruled_out", rows: comparison.metrics.filter { isFine && $0.isGating }) { metric, record in
      record.add(ComparisonKey.metric, metric.name)
      record.add("worse_by_more_than", metric.interval.upperBound)
      record.add(ComparisonKey.unit, metric.effectUnit)
    }
    let columns = ComparedFigureRow.columns(comparison.names)
    add(ComparisonKey.metrics, rows: ComparedFigureRow.deciding(comparison)) { row, record in
      record.add(columns, of: row)
    }
    let values = ComparedFigureRow.reference(comparison.names)
    add(ComparisonKey.beside, rows: ComparedFigureRow.beside(comparison)) { row, record in
      record.add(values, of: row)
    }
    add("warnings", values: comparison.warnings.map(\.text))
  }

  /// Comparisons of several sides with the first; a single one is written directly.
  init(_ sides: ComparisonOfSides) {
    guard sides.comparisons.count != 1 else {
      self.init(sides.comparisons[0])
      return
    }
    self.init()
    add("schema", Self.comparisonSchema)
    add("overall", sides.overall.rawValue)
    add("state", sides.overall.word)
    add(ComparisonKey.comparisons, rows: sides.comparisons) { comparison, record in
      record = FieldRecord(comparison)
    }
  }

  private mutating func add(_ run: RunSummary) {
    add("file", run.file)
    add("process", run.process, else: "the source does not name it")
    add("surface", run.surface)
    add(ComparisonKey.frames, run.count)
    if !run.latencies.isEmpty { add(ComparisonKey.latencies, run.latencies.count) }
    if !run.launches.isEmpty { add(ComparisonKey.launches, run.launches.count) }
    add("metric", run.metric)
    add("definition", run.definition)
    let why = "no fixed refresh was found"
    add("refresh_ms", run.refresh.map { Nanoseconds($0.interval).milliseconds }, else: why)
    add("refresh_source", run.refresh?.source.rawValue, else: why)
    add("refreshes_kept", run.refresh?.kept, else: why)
    add("quantized", run.isQuantized)
  }
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
  /// Reads a comparison that a `FieldRecord` was written to: one run with the figures of a side.
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
        // Of figures that sources report, only the runs are known.
        return HistoryValue(metric: name, unit: unit, value: value, n: n > 0 ? n : runs)
      }
    ]
  }
}
