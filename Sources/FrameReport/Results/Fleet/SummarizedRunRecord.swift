import FrameAnalysis
import FrameStatistics
import FrameVerdicts

extension FieldRecord {
  /// The first line of a summary.
  static var summaryHeader: FieldRecord {
    FieldRecord { $0.add(SummaryKey.schema, SummarizedRun.schema) }
  }

  /// A line of a summary, as schema `frametool.runs/3`: only whole numbers, so that the same runs give the same content
  /// everywhere.
  init(_ line: SummarizedRun) {
    addIfAny(SummaryKey.file, line.file)
    addIfAny(SummaryKey.size, line.size)
    addIfAny(SummaryKey.process, line.process)
    addIfAny(SummaryKey.surface, line.surface)
    addIfAny(SummaryKey.surfaces, line.surfaces)
    if line.file != nil {
      addIfAny(SummaryKey.identity, line.identities.first?.text)
    } else if !line.identities.isEmpty {
      add(SummaryKey.identities, values: line.identities.map(\.text))
    }
    add(SummaryKey.tags) { record in
      for (name, value) in line.tags.sorted(by: { $0.key < $1.key }) { record.add(name, value) }
    }
    switch line.outcome {
    case .failed(let reason): add(SummaryKey.failed, reason)
    case .counted(let tally):
      add(FieldRecord(tally))
      let named = NamedFigures(tally)
      if let named { add(FieldRecord(named)) }
      var histograms = PackedHistograms()
      var counts = FieldRecord(valuesOf: tally, &histograms)
      if let named {
        counts.add(definitions: named.definitions)
      } else {
        counts.add(figuresOf: tally, &histograms)
      }
      if let run = line.run { counts.add(SummaryKey.run, FieldRecord(run, of: line, &histograms)) }
      add(SummaryKey.packed, PackedCounts.text(counts, histograms))
    }
  }

  private init(_ tally: RunTally) {
    add(SummaryKey.runs, tally.runs)
    if tally.bound > 0 { add(SummaryKey.bound, tally.bound) }
    add(SummaryKey.frames) { record in
      record.add(SummaryKey.count, tally.frames.count)
      record.add(SummaryKey.displayed, tally.frames.displayed)
      record.add(SummaryKey.replaced, tally.frames.replaced)
      record.add(SummaryKey.discarded, tally.frames.discarded)
      record.add(SummaryKey.unresolved, tally.frames.unresolved)
    }
    if let drops = tally.drops {
      add(SummaryKey.dropped) { record in
        record.add(SummaryKey.runs, drops.runs)
        record.add(SummaryKey.active, drops.active)
        record.add(SummaryKey.byStage) { record in
          for stage in PipelineStage.allCases {
            record.addIfAny(stage.rawValue, drops.byStage[stage])
          }
        }
      }
    }
    if let hitches = tally.hitches {
      add(SummaryKey.hitches) { record in
        record.add(SummaryKey.runs, hitches.runs)
        record.add(SummaryKey.count, hitches.count)
        record.add(SummaryKey.total, hitches.total)
        record.add(SummaryKey.span, hitches.span)
      }
    }
  }

  private init(_ named: NamedFigures) {
    add(SummaryKey.statistics) { record in
      for (metric, values) in named.statistics {
        record.add(metric) { record in
          for (statistic, value) in values { record.add(statistic, value) }
        }
      }
    }
    add(SummaryKey.figures) { record in
      for (metric, value) in named.figures { record.add(metric, value) }
    }
  }

  private init(valuesOf tally: RunTally, _ histograms: inout PackedHistograms) {
    let values = tally.values.sorted { $0.key < $1.key }.map { key, values in
      var record = FieldRecord(key)
      record.add(SummaryKey.unit, key.unit)
      if values.runs != 1 { record.add(SummaryKey.runs, values.runs) }
      if values.missing > 0 { record.add(SummaryKey.missing, values.missing) }
      if values.inferred > 0 { record.add(SummaryKey.inferred, values.inferred) }
      record.add(FieldRecord(values.counts, &histograms))
      return record
    }
    add(SummaryKey.values, values: values)
  }

  /// Adds figures with the values of several runs.
  private mutating func add(figuresOf tally: RunTally, _ histograms: inout PackedHistograms) {
    let figures = tally.figures.sorted { $0.key < $1.key }.map { figure, values in
      var record = FieldRecord(figure.key)
      record.addIfAny(SummaryKey.statistic, figure.statistic?.rawValue)
      if let exact = values.exact, let first = exact.first {
        let steps = [first] + zip(exact.dropFirst(), exact).map { $0 &- $1 }
        record.add(SummaryKey.each, values: steps)
      } else {
        record.add(FieldRecord(values.counts, &histograms))
      }
      return record
    }
    add(SummaryKey.figures, values: figures)
  }

  private mutating func add(definitions: [String: String]) {
    guard !definitions.isEmpty else { return }
    add(SummaryKey.definitions) { record in
      for (metric, definition) in definitions.sorted(by: { $0.key < $1.key }) {
        record.add(metric, definition)
      }
    }
  }

  private init(_ key: TallyKey) {
    add(SummaryKey.metric, key.metric)
    addIfAny(SummaryKey.definition, key.definition)
  }

  /// A single value is written directly.
  private init(_ counts: ValueCounts, _ histograms: inout PackedHistograms) {
    add(SummaryKey.count, counts.count)
    // Numbers of more than 64 bits are written as strings, because not every JSON reader supports them.
    if let sum = Int64(exactly: counts.sum) {
      add(SummaryKey.sum, sum)
    } else {
      add(SummaryKey.sum, "\(counts.sum)")
    }
    guard counts.count > 1 else { return }
    addIfAny(SummaryKey.low, counts.low)
    addIfAny(SummaryKey.high, counts.high)
    if counts.zeros > 0 { add(SummaryKey.zeros, counts.zeros) }
    if counts.above.total > 0 { add(SummaryKey.above, histograms.index(of: counts.above)) }
    if counts.below.total > 0 { add(SummaryKey.below, histograms.index(of: counts.below)) }
  }
}

/// The keys in the lines of summaries, for writing and reading.
enum SummaryKey {
  static let schema = "schema"
  static let asked = "asked"
  static let file = "file"
  static let size = "size"
  static let process = "process"
  static let surface = "surface"
  static let surfaces = "surfaces"
  static let identity = "id"
  static let identities = "ids"
  static let tags = "tags"
  static let failed = "failed"
  static let run = "run"
  static let runs = "runs"
  static let bound = "bound"
  static let each = "each"
  static let frames = "frames"
  static let count = "n"
  static let displayed = "displayed"
  static let replaced = "replaced"
  static let discarded = "discarded"
  static let unresolved = "unresolved"
  static let dropped = "dropped"
  static let active = "active"
  static let byStage = "by_stage"
  static let hitches = "hitches"
  static let total = "total_ns"
  static let span = "span_ns"
  static let values = "values"
  static let figures = "figures"
  static let statistics = "statistics"
  static let definitions = "definitions"
  static let packed = "packed"
  static let metric = "metric"
  static let definition = "definition"
  static let unit = "unit"
  static let statistic = "statistic"
  static let missing = "missing"
  static let inferred = "inferred"
  static let sum = "sum"
  static let low = "min"
  static let high = "max"
  static let zeros = "zeros"
  static let above = "above"
  static let below = "below"
}
