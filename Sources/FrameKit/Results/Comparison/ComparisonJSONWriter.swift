/// Writes a comparison as JSON, schema `frametool.comparison/1`.
struct ComparisonJSONWriter {
  static let schema = "frametool.comparison/1"

  func write(_ comparison: Comparison) -> String {
    var json = JSONWriter(indented: true)
    json.object { Self.write(comparison, to: &$0) }
    json.endLine()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Writes the members of the object.
  static func write(_ comparison: Comparison, to json: inout JSONWriter) {
    json.member("schema", Self.schema)
    for (key, runs) in [("before", comparison.before), ("after", comparison.after)] {
      json.key(key)
      json.array { json in
        for run in runs { json.object(run.writeComparison) }
      }
    }
    json.member("method", comparison.method)
    json.member("overall", comparison.overall.rawValue)
    json.member("sentence", ComparisonTables(comparison).headline)
    json.key("ruled_out")
    json.array { json in
      guard let ruledOut = comparison.ruledOut else { return }
      json.object { json in
        json.member("name", ruledOut.name)
        json.member("slower_by_more_than", ruledOut.percent)
        json.member("unit", "%")
      }
    }
    json.key("metrics")
    json.array { json in
      for metric in comparison.metrics { json.object(metric.write) }
    }
    json.key("beside")
    json.array { json in
      for figure in comparison.beside {
        json.object { json in
          json.member("name", figure.name)
          json.member("unit", figure.unit)
          json.member("before", figure.before)
          json.member("after", figure.after)
        }
      }
    }
    json.key("warnings")
    json.array { json in
      for warning in comparison.warnings { json.value(warning) }
    }
  }
}

extension RunSummary {
  /// Writes the members of the run's object in a comparison.
  fileprivate func writeComparison(to json: inout JSONWriter) {
    json.member("file", file)
    json.member("process", process)
    json.member("surface", surface)
    json.member("frames", Int(count))
    if !latencies.isEmpty { json.member("latencies", latencies.count) }
    if !launches.isEmpty { json.member("launches", launches.count) }
    json.member("definition", definition)
    json.member("refresh_ms", refresh.map { Double($0.interval) / 1e6 })
    json.member("refresh_source", refresh?.source.rawValue)
    json.member("refreshes_kept", refresh?.kept)
    json.member("quantised", isQuantised)
    var reasons: [(String, String)] = []
    if process == nil { reasons.append(("process", "the source does not name it")) }
    if refresh == nil {
      reasons += ["refresh_ms", "refresh_source", "refreshes_kept"].map {
        ($0, "no fixed refresh was found")
      }
    }
    json.writeReasons(reasons)
  }
}

extension MetricComparison {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("unit", unit)
    json.member("before", before)
    json.member("after", after)
    json.member("effect", effect)
    json.member("effect_unit", effectUnit)
    json.key("ci95")
    json.array { json in
      json.value(interval.lowerBound)
      json.value(interval.upperBound)
    }
    json.member("p", p)
    json.member("p_better", pBetter)
    json.member("threshold", threshold)
    json.member("noise", noise)
    json.member("gating", isGating)
    json.member("verdict", verdict.rawValue)
    json.member("runs_needed", runsNeeded)
    if runsNeeded == nil {
      json.writeReasons([("runs_needed", "more than 200 runs a side would be needed")])
    }
  }
}
