import FrameAnalysis
import FrameStatistics
public import FrameVerdicts

extension FieldRecord {
  /// A run, as written in a line of a summary.
  /// - Parameter line: The line, whose file the run does not need to repeat.
  init(_ run: RunSummary, of line: SummarizedRun, _ histograms: inout PackedHistograms) {
    if run.file != line.file { add(RunKey.file, run.file) }
    addIfAny(RunKey.process, run.process)
    add(RunKey.surface, run.surface)
    if run.metric != ComparedFigures.usual { add(RunKey.metric, run.metric) }
    add(RunKey.definition, run.definition)
    addIfAny(RunKey.refresh, run.refresh?.interval)
    addIfAny(RunKey.refreshSource, run.refresh?.source.rawValue)
    addIfAny(RunKey.refreshesKept, run.refresh?.kept)
    addIfAny(RunKey.start, run.start)
    addIfAny(RunKey.clock, run.clock)
    add(RunKey.onGrid, run.onGrid)
    add(RunKey.onKept, run.onKept)
    add(RunKey.exact) { record in
      for metric in RunMetric.allCases { record.addIfAny(metric.rawValue, run.exact[metric]) }
    }
    if !run.interruptions.isEmpty {
      add(RunKey.interruptions) { record in
        for metric in RunMetric.interruptions {
          record.addIfAny(metric.rawValue, run.interruptions[metric])
        }
      }
    }
    addIfAny(RunKey.droppedShare, run.droppedShare)
    addIfAny(RunKey.hitchRatio, run.hitchRatio)
    addIfAny(RunKey.jankShare, run.jankShare)
    if !run.rates.isEmpty {
      add(RunKey.rates) { record in
        for (name, rate) in run.rates.sorted(by: { $0.key < $1.key }) { record.add(name, rate) }
      }
    }
    if let limits = run.limits {
      add(RunKey.limits) { record in
        for limit in FrameLimits.Limit.allCases { record.add(limit.rawValue, limits[limit]) }
      }
    }
    if !run.setup.isEmpty {
      add(RunKey.setup) { record in
        for (key, value) in run.setup.sorted(by: { $0.key < $1.key }) { record.add(key, value) }
      }
    }
    if !run.losses.isEmpty { add(RunKey.losses, values: run.losses) }
    add(RunKey.blocks, values: run.blocks.map { FieldRecord($0, &histograms) })
    if !run.launches.isEmpty {
      add(RunKey.launches, values: run.launches.map(\.time))
      add(RunKey.launchMetrics, values: run.launches.map(\.measure.name))
      if run.areProfiled { add(RunKey.profiled, true) }
    }
    if !run.latencies.isEmpty {
      addIfAny(RunKey.latency, run.latencyName)
      add(RunKey.latencies, values: run.latencies)
    }
  }

  private init(_ block: RunBlock, _ histograms: inout PackedHistograms) {
    add(RunKey.count, block.count)
    add(RunKey.sum, block.sum)
    add(RunKey.missed, block.missedOfRun)
    add(RunKey.late, block.lateOfRun)
    if block.missed != block.missedOfRun { add(RunKey.missedLocally, block.missed) }
    if block.late != block.lateOfRun { add(RunKey.lateLocally, block.late) }
    add(RunKey.bins, histograms.index(of: block.histogram))
  }
}

/// The keys of runs, for writing and reading.
enum RunKey {
  static let schema = "schema"
  static let runs = "runs"
  static let file = "file"
  static let process = "process"
  static let surface = "surface"
  static let metric = "metric"
  static let definition = "definition"
  static let refresh = "refresh_ns"
  static let refreshSource = "refresh_source"
  static let refreshesKept = "refreshes_kept"
  static let start = "start_ns"
  static let clock = "clock"
  static let onGrid = "on_grid"
  static let onKept = "on_kept"
  static let exact = "exact_ms"
  static let interruptions = "interruptions"
  static let droppedShare = "dropped_share"
  static let hitchRatio = "hitch_ratio"
  static let jankShare = "jank_share"
  static let rates = "rates_fps"
  static let limits = "limits"
  static let setup = "setup"
  static let losses = "losses"
  static let blocks = "blocks"
  static let launches = "launches_ns"
  static let launchMetrics = "launch_metrics"
  static let profiled = "profiled"
  static let latency = "latency"
  static let latencies = "latencies_ns"
  static let count = "n"
  static let sum = "sum_ns"
  static let missed = "missed"
  static let late = "late_ns"
  static let missedLocally = "missed_locally"
  static let lateLocally = "late_locally_ns"
  static let bins = "bins"
}

extension RunSummary {
  /// The schema of files with the runs of a job from before summaries had lines; it is still read.
  public static let schema = "frametool.runs/1"
}
