import FrameAnalysis
import FrameStatistics
import FrameVerdicts

extension FieldRecord {
  /// The first line of a summary.
  static var summaryHeader: FieldRecord {
    FieldRecord { $0.add(SummaryKey.schema, SummarizedRun.schema) }
  }

  /// A line of a summary, as schema `frametool.runs/2`: whole numbers only, so that the same runs give the same
  /// bytes anywhere.
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
    case .counted(let tally): add(FieldRecord(tally))
    }
    if let run = line.run { add(SummaryKey.run, FieldRecord(run)) }
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
    let values = tally.values.sorted { $0.key < $1.key }
    add(SummaryKey.values, rows: values) { item, record in
      record = FieldRecord(item.key)
      record.add(SummaryKey.unit, item.key.unit)
      record.add(SummaryKey.runs, item.value.runs)
      record.add(SummaryKey.missing, item.value.missing)
      record.add(SummaryKey.inferred, item.value.inferred)
      record.add(FieldRecord(item.value.counts))
    }
    let figures = tally.figures.sorted { $0.key < $1.key }
    add(SummaryKey.figures, rows: figures) { item, record in
      record = FieldRecord(item.key.key)
      record.addIfAny(SummaryKey.statistic, item.key.statistic?.rawValue)
      record.add(FieldRecord(item.value.counts))
      guard let exact = item.value.exact, exact.count > 1 else { return }
      record.add(
        SummaryKey.each, values: [exact[0]] + zip(exact.dropFirst(), exact).map { $0 &- $1 })
    }
  }

  private init(_ key: TallyKey) {
    add(SummaryKey.metric, key.metric)
    addIfAny(SummaryKey.definition, key.definition)
  }

  /// A single value is written directly.
  private init(_ counts: ValueCounts) {
    add(SummaryKey.count, counts.count)
    // Numbers of more than 64 bits are written as text, as not every JSON reader supports them.
    if let sum = Int64(exactly: counts.sum) {
      add(SummaryKey.sum, sum)
    } else {
      add(SummaryKey.sum, "\(counts.sum)")
    }
    guard counts.count > 1 else { return }
    addIfAny(SummaryKey.low, counts.low)
    addIfAny(SummaryKey.high, counts.high)
    if counts.zeros > 0 { add(SummaryKey.zeros, counts.zeros) }
    add(SummaryKey.above, values: Self.steps(counts.above))
    if counts.below.total > 0 { add(SummaryKey.below, values: Self.steps(counts.below)) }
  }

  /// For each non-empty bin, its distance from the bin before (the first one's from 0), and its
  /// count.
  private static func steps(_ histogram: FrameHistogram) -> [Int64] {
    var last = 0
    var steps: [Int64] = []
    for (bin, count) in histogram.bins {
      steps += [Int64(bin - last), count]
      last = bin
    }
    return steps
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
