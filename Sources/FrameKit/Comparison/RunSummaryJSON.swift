extension RunSummary {
  /// The schema of a file with the runs of a job.
  public static let schema = "frametool.runs/1"

  /// Runs as JSON: integer counts, so that the same runs give the same bytes anywhere.
  public static func json(_ runs: [RunSummary]) -> String {
    var json = JSONWriter(indented: false)
    json.object { json in
      json.member("schema", schema)
      json.key("runs")
      json.array { json in
        for run in runs { json.object(run.write) }
      }
    }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func write(to json: inout JSONWriter) {
    json.member("file", file)
    json.memberIfAny("process", process)
    json.member("surface", surface)
    json.member("definition", definition)
    json.memberIfAny("refresh_ns", refresh?.interval)
    json.memberIfAny("refresh_source", refresh?.source.rawValue)
    json.memberIfAny("refreshes_kept", refresh?.kept)
    json.memberIfAny("start_ns", start)
    json.memberIfAny("clock", clock)
    json.member("on_grid", onGrid)
    json.member("on_kept", onKept)
    json.key("exact_ms")
    json.object { json in
      for metric in RunMetric.allCases where exact[metric] != nil {
        json.member(metric.rawValue, exact[metric])
      }
    }
    if let droppedShare { json.member("dropped_share", droppedShare) }
    if let hitchRatio { json.member("hitch_ratio", hitchRatio) }
    if !setup.isEmpty {
      json.key("setup")
      json.object { json in
        for (key, value) in setup.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
      }
    }
    if !losses.isEmpty {
      json.key("losses")
      json.array { json in for loss in losses { json.value(loss) } }
    }
    json.key("blocks")
    json.array { json in
      for block in blocks { json.object(block.write) }
    }
    if !launches.isEmpty {
      json.key("launches_ns")
      json.array { json in
        for launch in launches { json.value(launch.time) }
      }
      json.key("launch_metrics")
      json.array { json in
        for launch in launches { json.value(launch.measure.name) }
      }
      if areProfiled { json.member("profiled", true) }
    }
    guard !latencies.isEmpty else { return }
    json.memberIfAny("latency", latencyName)
    json.key("latencies_ns")
    json.array { json in
      for latency in latencies { json.value(latency) }
    }
  }
}

extension RunBlock {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("n", count)
    json.member("sum_ns", sum)
    json.member("missed", missed)
    json.member("late_ns", late)
    json.key("bins")
    json.array { json in
      for (bin, count) in histogram.bins {
        json.value(bin)
        json.value(count)
      }
    }
  }
}
